// SPDX-License-Identifier: GPL-2.0
/* Let each allocation of the calls of /dev/torus fail in turn (see alloc_fail.h). */
#include <stdint.h>
#include "alloc_fail.h"

#define PAGE		4096u
#define RINGS		128u	/* chunks per ring: a ring of one page */

static int file = -1;		/* descriptor of DEVICE */
static void *mapped;
static __u64 stadd, gates[8];
static unsigned char memory[4 * PAGE] __attribute__((aligned(PAGE))) = { 1 };

static int file_open(const void *arg)
{
	file = open(DEVICE, O_RDWR | O_CLOEXEC);
	return file < 0 ? -errno : 0;
}

static int file_opened(void)
{
	return file_open(NULL);
}

static void file_close(void)
{
	if (file >= 0)
		close(file);
	file = -1;
}

/* Close the file. Reset the fabric, so that the next program finds its virtual time not started. */
static void file_reset(void)
{
	file_close();
	torus_nl_fabric_reset(w.nl, FABRIC);
}

static int file_ioctl(unsigned long request, void *arg)
{
	return ioctl(file, request, arg) ? -errno : 0;
}

static int file_attach(const void *arg)
{
	struct torus_ioc_attach ask = {
		.fabric = FABRIC, .inject_chunks = RINGS, .receive_chunks = RINGS, .notices = RINGS,
	};

	return file_ioctl(TORUS_IOC_ATTACH, &ask);
}

static int file_attached(void)
{
	return file_opened() ?: file_attach(NULL);
}

/* Undo a mapping whose munmap() failed for lack of memory; it succeeds without faults. */
static void file_unmap(void)
{
	if (mapped)
		munmap(mapped, PAGE);
	mapped = NULL;
	file_reset();
}

/* Map a page of kind @arg, read it and unmap it. */
static int file_map(const void *arg)
{
	const __u32 kind = *(const __u32 *)arg;
	int prot = PROT_READ;
	void *at;

	if (kind == TORUS_MAP_CONTROL || kind == TORUS_MAP_INJECT || kind == TORUS_MAP_STAMP)
		prot |= PROT_WRITE;
	at = mmap(mapped, PAGE, prot, MAP_SHARED | (mapped ? MAP_FIXED : 0), file,
		  (off_t)TORUS_MAP_TOKEN(kind, 0));
	if (at == MAP_FAILED)
		return -errno;
	mapped = at;
	*(volatile char *)at;
	if (munmap(at, PAGE))
		return -errno;
	mapped = NULL;
	return 0;
}

static int file_poll(const void *arg)
{
	struct pollfd poll_fd = { .fd = file, .events = POLLIN | POLLOUT };

	return poll(&poll_fd, 1, 0) < 0 ? -errno : 0;
}

static int file_info(const void *arg)
{
	struct torus_ioc_info info;

	return file_ioctl(TORUS_IOC_INFO, &info);
}

static int file_groups(const void *arg)
{
	struct torus_group groups[40];
	struct torus_ioc_groups ask = {
		.fabric = FABRIC, .count = ARRAY_SIZE(groups), .groups = (uintptr_t)groups,
	};

	return file_ioctl(TORUS_IOC_GROUPS, &ask);
}

static int file_clock(const void *arg)
{
	struct torus_ioc_clock ask = { .op = TORUS_CLOCK_WAIT, .clock = 100, .until = 100 };

	return file_ioctl(TORUS_IOC_CLOCK, &ask);
}

static int file_register(const void *arg)
{
	struct torus_ioc_register ask = {
		.address = (uintptr_t)memory + 5, .length = 2 * PAGE,
	};
	int ret = file_ioctl(TORUS_IOC_REGISTER, &ask);

	stadd = ask.stadd;
	return ret;
}

static int file_registered(void)
{
	return file_attached() ?: file_register(NULL);
}

static int file_unregister(const void *arg)
{
	struct torus_ioc_unregister ask = { .stadd = stadd };

	return file_ioctl(TORUS_IOC_UNREGISTER, &ask);
}

static int file_capture(const void *arg)
{
	struct torus_ioc_capture ask = {
		.fabric = FABRIC, .node = TORUS_CAPTURE_ANY, .dir = TORUS_CAPTURE_ANY,
		.src = TORUS_CAPTURE_ANY, .dst = TORUS_CAPTURE_ANY,
		.buffer = TORUS_CAPTURE_BUFFER_MIN,
	};

	return file_ioctl(TORUS_IOC_CAPTURE, &ask);
}

/*
 * Close all descriptors: a failed capture call may have created one without returning its number.
 */
static void file_close_all(void)
{
	close_range(file, ~0u, 0);
	file = -1;
}

static int gates_open(const void *arg)
{
	struct torus_ioc_gates_open ask = { .fabric = FABRIC };

	return file_ioctl(TORUS_IOC_GATES_OPEN, &ask);
}

static int gates_opened(void)
{
	return file_opened() ?: gates_open(NULL);
}

static int gates_alloc(const void *arg)
{
	struct torus_ioc_gates ask = {
		.count = ARRAY_SIZE(gates), .ids = (uintptr_t)gates,
	};

	return file_ioctl(TORUS_IOC_GATES_ALLOC, &ask);
}

static int gates_allocated(void)
{
	return gates_opened() ?: gates_alloc(NULL);
}

/* Configure a chain of two gates that starts at the first gate and returns to it. */
static int gates_set(const void *arg)
{
	const struct torus_gate_setting setting[] = {
		{
			.gate = gates[0], .local_source = gates[1],
			.remote_source = TORUS_GATE_NONE, .local_dest = gates[1],
			.remote_dest = TORUS_GATE_NONE, .path = TORUS_GATE_PATH_DEFAULT,
		}, {
			.gate = gates[1], .local_source = gates[0],
			.remote_source = TORUS_GATE_NONE, .local_dest = gates[0],
			.remote_dest = TORUS_GATE_NONE, .path = TORUS_GATE_PATH_DEFAULT,
		},
	};
	struct torus_ioc_gates_set ask = {
		.settings = (uintptr_t)setting, .count = ARRAY_SIZE(setting),
	};

	return file_ioctl(TORUS_IOC_GATES_SET, &ask);
}

static int gates_were_set(void)
{
	return gates_allocated() ?: gates_set(NULL);
}

static int gates_start(const void *arg)
{
	struct torus_ioc_gate ask = { .gate = gates[0], .op = TORUS_GATE_BARRIER };

	return file_ioctl(TORUS_IOC_GATE_START, &ask);
}

TEST_F_TIMEOUT(failslab, attach, 3600)
{
	if (!self->able)
		SKIP(return, NO_FAULTS);
	TRIALS({ .what = "open", .call = file_open, .after = file_close },
	       { .what = "attach", .fabric = &bgl, .before = file_opened, .call = file_attach,
		 .after = file_close },
	       { .what = "attach, time virtual", .fabric = &in_virtual_time,
		 .before = file_opened, .call = file_attach, .after = file_reset },
	       { .what = "info", .fabric = &tofu, .before = file_attached, .call = file_info,
		 .after = file_close },
	       { .what = "groups", .fabric = &bgl, .before = file_opened, .call = file_groups,
		 .after = file_close },
	       { .what = "poll", .fabric = &bgl, .before = file_attached, .call = file_poll,
		 .after = file_close },
	       { .what = "clock", .fabric = &in_virtual_time, .before = file_attached,
		 .call = file_clock, .after = file_reset },
	       { .what = "capture", .fabric = &bgl, .before = file_opened, .call = file_capture,
		 .after = file_close_all });
}

TEST_F_TIMEOUT(failslab, map, 3600)
{
	__u32 kind;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	for (kind = TORUS_MAP_STATUS; kind <= TORUS_MAP_ARRIVAL; kind++)
		TRIALS({ .what = "mmap", .fabric = &in_virtual_time, .before = file_attached,
		       .call = file_map, .after = file_unmap, .arg = &kind });
}

TEST_F_TIMEOUT(failslab, memory, 3600)
{
	if (!self->able)
		SKIP(return, NO_FAULTS);
	TRIALS({ .what = "register", .fabric = &tofu, .before = file_attached,
	       .call = file_register, .after = file_close },
	       { .what = "unregister", .fabric = &tofu, .before = file_registered,
		 .call = file_unregister, .after = file_close },
	       { .what = "gates open", .fabric = &tofu, .before = file_opened,
		 .call = gates_open, .after = file_close },
	       { .what = "gates alloc", .fabric = &tofu, .before = gates_opened,
		 .call = gates_alloc, .after = file_close },
	       { .what = "gates set", .fabric = &tofu, .before = gates_allocated,
		 .call = gates_set, .after = file_close },
	       { .what = "gates start", .fabric = &tofu, .before = gates_were_set,
		 .call = gates_start, .after = file_close });
}

TEST_HARNESS_MAIN
