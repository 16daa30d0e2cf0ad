// SPDX-License-Identifier: GPL-2.0
/* See port_rig.h. */
#include "arch/arch.h"
#include "arch/tests/port_rig.h"
#include "arch/tests/xt_rig.h"
#include "core/nic/group.h"
#include "core/run/windows.h"

static void rig_interrupt(void *owner, u32 cause)
{
	((struct port_rig *)owner)->interrupts[cause]++;
}

static void rig_poll(void *owner)
{
	((struct port_rig *)owner)->polls++;
}

static void rig_delay(void *owner, u32 cause, u32 microseconds)
{
	struct port_rig *r = owner;

	r->delays[cause] = 1;
	r->microseconds[cause] = microseconds;
}

static u8 *rig_memory(struct port_rig *r, u64 address, u32 bytes)
{
	u64 at = address - PORT_BASE;

	return at < PORT_MEMORY && bytes <= PORT_MEMORY - at ? r->memory + at : NULL;
}

static bool rig_dma_read(void *owner, u64 address, void *to, u32 bytes)
{
	struct port_rig *r = owner;
	const u8 *from = rig_memory(r, address, bytes);

	r->accesses++;
	if (from)
		memcpy(to, from, bytes);
	return from;
}

static bool rig_dma_write(void *owner, u64 address, const void *from, u32 bytes)
{
	struct port_rig *r = owner;
	u8 *to = rig_memory(r, address, bytes);

	r->accesses++;
	if (!to || (size_t)(to - r->memory) + bytes > r->read_only)
		return false;
	memcpy(to, from, bytes);
	return true;
}

const struct torus_port_ops port_rig_ops = {
	.interrupt = rig_interrupt,
	.poll = rig_poll,
	.delay = rig_delay,
	.dma_read = rig_dma_read,
	.dma_write = rig_dma_write,
};

struct torus_fabric *port_rig_fabric(const char *arch)
{
	if (!strcmp(arch, "xt"))
		return xt_rig_make("4x3x2", "", false);
	return rig_make_arch(arch, !strcmp(arch, "tofu") ? "2x2x1" : "4x2x2", "");
}

void port_rig_make(struct port_rig *r, struct torus_fabric *f, u32 node, u32 group,
		   const struct torus_port_ops *ops)
{
	struct torus_error err;

	memset(r, 0, sizeof(*r));
	r->f = f;
	r->memory = calloc(1, PORT_MEMORY);
	r->read_only = PORT_MEMORY;
	if (torus_port_create(f, node, group, ops, r, &r->port, &err) ||
	    torus_port_attach(r->port, f, &err))
		fail_msg("%s", err.text);
}

void port_rig_free(struct port_rig *r)
{
	torus_port_detach(r->port, r->f);
	torus_port_destroy(r->port);
	free(r->memory);
}

u32 port_get(struct port_rig *r, u32 offset)
{
	u32 value;

	assert_int_equal(torus_port_read(r->port, offset, &value), 0);
	return value;
}

void port_set(struct port_rig *r, u32 offset, u32 value)
{
	assert_int_equal(torus_port_write(r->port, offset, value), 0);
}

void port_settle(struct port_rig *r, u32 ports)
{
	bool moved;
	u32 i;

	do {
		for (i = 0; i < ports; i++)
			torus_port_poll(r[i].port, r[i].f);
		moved = torus_nic_poll(r->f);
		torus_fabric_run(r->f, ~0ull - 1, 0, 1);
		moved |= torus_nic_poll(r->f);
	} while (moved);
}

void port_expire(struct port_rig *r)
{
	u32 i;

	for (i = 0; i < TORUS_PORT_CAUSES; i++) {
		if (!r->delays[i])
			continue;
		r->delays[i] = 0;
		torus_port_expired(r->port, i);
	}
}

/* Return byte @at after the header of a packet: first the mark, then a function of the mark. */
static u8 port_byte(u32 mark, u32 at)
{
	if (at < 4)
		return (u8)(mark >> 8 * at);
	return (u8)(torus_mix((u64)mark << 32 | at) >> 24);
}

u32 port_packet(struct torus_fabric *f, u32 node, u32 dst, u32 chunks, u32 mark, u8 *bytes)
{
	struct torus_packet p = { .src = node, .dst = dst, .chunks = (u8)chunks };
	u32 length = chunks * f->arch->chunk_bytes, i;

	for (i = f->arch->header_bytes; i < length; i++)
		bytes[i] = port_byte(mark, i - f->arch->header_bytes);
	f->arch->make(f, &p, chunks);
	f->arch->image(&p, 0, bytes);
	return length;
}

void port_check(struct torus_fabric *f, u32 chunks, u32 mark, const u8 *bytes)
{
	u32 header = f->arch->header_bytes, i;

	assert_int_equal(f->arch->size(bytes), chunks);
	for (i = 0; i < chunks * f->arch->chunk_bytes - header; i++)
		if (bytes[header + i] != port_byte(mark, i))
			fail_msg("byte %u of %u chunks is 0x%02x, not 0x%02x", header + i, chunks,
				 bytes[header + i], port_byte(mark, i));
}

u32 port_mark(struct torus_fabric *f, const u8 *bytes)
{
	return port_little(bytes + f->arch->header_bytes, 4);
}

u32 port_little(const void *field, u32 bytes)
{
	return (u32)torus_port_little(field, bytes);
}

int port_put_words(struct port_rig *r, u32 fifo, const u8 *bytes, u32 from, u32 to)
{
	int ret = 0;

	for (; from < to; from++)
		ret = torus_port_write(r->port, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, fifo),
				       port_little(bytes + 4 * from, 4));
	return ret;
}

int port_put(struct port_rig *r, u32 fifo, const u8 *bytes, u32 length)
{
	return port_put_words(r, fifo, bytes, 0, length / 4);
}

u32 port_take(struct port_rig *r, u32 fifo, u8 *bytes)
{
	u32 words = port_get(r, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo)), i;

	for (i = 0; i < words; i++) {
		assert_int_equal(port_get(r, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo)),
				 words - i);
		torus_port_little_set(bytes + 4 * i, 4,
				      port_get(r, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo)));
	}
	return 4 * words;
}

u32 port_take_any(struct port_rig *r, u8 *bytes)
{
	u32 mask = port_get(r, TORUS_PORT_READABLE);

	return mask ? port_take(r, torus_ctz(mask), bytes) : 0;
}

struct torus_port_descriptor *port_descriptor(struct port_rig *r, u32 at, u32 length, u32 index)
{
	return (struct torus_port_descriptor *)(r->memory + at) + (index & (length - 1));
}

void port_ring_start(struct port_rig *r, u32 ring, u32 at, u32 length)
{
	u64 base = PORT_BASE + at;

	port_set(r, TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, ring), (u32)base);
	port_set(r, TORUS_PORT_AT_RING(TORUS_PORT_BASE_HIGH, ring), (u32)(base >> 32));
	port_set(r, TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, ring), length);
}
