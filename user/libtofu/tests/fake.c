// SPDX-License-Identifier: GPL-2.0
/* A fake device without a kernel: see fake.h. */
#include <errno.h>
#include <string.h>

#include "../device.h"
#include "../fifo.h"
#include "fake.h"

static const uint32_t lengths[6] = { 2, 3, 4, 2, 3, 2 };

struct tofu_fake fake = { .arch = "tofu" };

int tofu_device_open(void)
{
	fake.opens++;
	return 7;
}

void tofu_device_close(int fd)
{
	fake.opens--;
}

static int fabric(struct torus_ioc_fabric *f)
{
	static const uint32_t strides[6] = { 12, 24, 72, 1, 2, 6 };
	int i;

	if (strcmp(f->name, "tf"))
		return -ENOENT;
	strcpy(f->arch, fake.arch);
	f->ndims = 6;
	f->nodes = 288;
	for (i = 0; i < 6; i++) {
		f->dims[i] = lengths[i];
		f->numbering.split[i] = lengths[i];
		f->numbering.stride[i] = strides[i];
	}
	return 0;
}

static int gates_open(struct torus_ioc_gates_open *ask)
{
	const uint32_t group = ask->node / 12, slot = ask->node % 12;

	if (ask->node >= 288)
		return -EINVAL;
	ask->engines = 4;
	ask->coords[0] = group % 2;
	ask->coords[1] = group / 2 % 3;
	ask->coords[2] = group / 6;
	ask->coords[3] = slot % 2;
	ask->coords[4] = slot / 2 % 3;
	ask->coords[5] = slot / 6;
	return 0;
}

int tofu_device_call(int fd, unsigned long request, void *argument)
{
	switch (request) {
	case TORUS_IOC_FABRIC:
		return fabric(argument);
	case TORUS_IOC_GATES_OPEN:
		return gates_open(argument);
	case TORUS_IOC_GATES_SET:
		memcpy(&fake.setting,
		       (void *)(__UINTPTR_TYPE__)((struct torus_ioc_gates_set *)argument)->settings,
		       sizeof(fake.setting));
		break;
	case TORUS_IOC_GATE_START:
		memcpy(&fake.gate, argument, sizeof(fake.gate));
		break;
	case TORUS_IOC_GATE_POLL:
		fake.polled++;
		if (!fake.answer)
			memcpy(argument, &fake.gate, sizeof(fake.gate));
		break;
	}
	return fake.answer;
}

int tofu_fifo_open(const char *name, uint32_t node, uint32_t group)
{
	fake.group = group;
	return fake.attach_result;
}

int tofu_fifo_call(unsigned long request, void *argument)
{
	if (request == TORUS_IOC_REGISTER)
		((struct torus_ioc_register *)argument)->stadd = 1ull << 50 |
								  fake.registered;
	if (!fake.answer)
		fake.registered += request == TORUS_IOC_REGISTER ? 1 : -1;
	return fake.answer;
}

int tofu_fifo_clock(bool vain)
{
	fake.clocks++;
	fake.vain += vain;
	return fake.clock;
}

int tofu_fifo_post(uint32_t fifo, const void *packet, uint32_t chunks)
{
	if (!fake.free_records)
		return -EAGAIN;
	fake.free_records--;
	fake.posted++;
	memcpy(fake.record, packet, chunks * 32);
	return 0;
}

int tofu_fifo_refused(void)
{
	int ret = fake.refused ? -ECOMM : 0;

	fake.refused = 0;
	return ret;
}

void tofu_fifo_report_clock(void)
{
	fake.clock_reports++;
}

int tofu_fifo_take(uint32_t fifo, void *packet, uint32_t bytes)
{
	if (!fake.pending)
		return -EAGAIN;
	fake.pending--;
	memset(packet, 0, bytes);
	((unsigned char *)packet)[3] =
		(fake.foreign ? 0 : TORUS_TOFU_FIFO_GATE) << TORUS_TOFU_FIFO_SHIFT;
	((unsigned char *)packet)[6] = TORUS_TOFU_KIND_NOTICE;
	memcpy((char *)packet + TORUS_TOFU_HEADER_BYTES, &fake.notice, sizeof(fake.notice));
	return 0;
}

const char *tofu_fifo_error(void)
{
	return "the fake device has no errors";
}
