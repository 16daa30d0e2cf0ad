// SPDX-License-Identifier: GPL-2.0
/* Datagrams through ports of each machine: headers are accepted, fragments stay in order. */
#include "arch/tests/port_rig.h"
#include "core/base/node_number.h"
#include "drivers/net/wire/header.h"
#include "drivers/net/wire/reassembly.h"

#define LENGTH	TORUS_NET_MTU_MAX

static struct port_rig r[2];
static struct torus_fabric *f;
static u32 receiver;	/* node of r[1] */
static struct torus_net_reassembly reassembly;
static struct torus_net_partial partial;
static u8 memory[LENGTH];

static struct torus_net_partial *one_alloc(void *owner, u32 length)
{
	partial.data = memory;
	partial.cost = length;
	return &partial;
}

static void one_free(void *owner, struct torus_net_partial *freed)
{
}

static const struct torus_net_buffer_ops one_ops = { .alloc = one_alloc, .free = one_free };

/* Send fragment @index of a datagram by injection FIFO 0. Return: false if it has no space. */
static bool send(const struct torus_net_machine *m, u32 size, u32 index)
{
	u32 headers = m->header_bytes + TORUS_NET_FRAGMENT_HEADER, chunk = f->arch->chunk_bytes;
	u32 bytes = torus_net_fragment_bytes(LENGTH, size, index), coords[TORUS_DIMS_MAX], i;
	u32 chunks = (headers + bytes + chunk - 1) / chunk;
	struct torus_net_fragment fragment = {
		.source = torus_node_number(&f->cfg.geo, 0), .id = 3, .index = (u16)index,
		.length = LENGTH, .last = index + 1 == torus_net_fragments(LENGTH, size),
	};
	u8 packet[PORT_PACKET] = { 0 };

	if (port_get(&r[0], TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, 0)) < chunks)
		return false;
	torus_geometry_coords(&f->cfg.geo, receiver, coords);
	m->header(packet, coords, torus_node_number(&f->cfg.geo, receiver), 0, chunks);
	torus_net_fragment_pack(&fragment, packet + m->header_bytes);
	for (i = 0; i < bytes; i++)
		packet[headers + i] = (u8)((index * size + i) * 7);
	assert_int_equal(port_put(&r[0], 0, packet, chunks * chunk), 0);
	return true;
}

/* Receive the packets that have arrived. Return: the complete datagram; NULL if there is none. */
static struct torus_net_partial *receive(const struct torus_net_machine *m)
{
	u32 headers = m->header_bytes + TORUS_NET_FRAGMENT_HEADER, bytes, packets = 0;
	struct torus_net_partial *whole = NULL;
	struct torus_net_fragment fragment;
	u8 packet[PORT_PACKET];

	for (; (bytes = port_take_any(&r[1], packet)); packets++) {
		assert_null(whole);
		assert_true(torus_net_fragment_unpack(&fragment, packet + m->header_bytes));
		whole = torus_net_reassembly_add(&reassembly, &fragment, packet + headers,
						 bytes - headers, 0);
	}
	assert_true(packets);
	return whole;
}

static void check(const char *arch)
{
	const struct torus_net_machine *m = torus_net_machine_find(arch);
	struct torus_net_partial *whole = NULL;
	u32 size, i = 0;

	assert_non_null(m);
	f = port_rig_fabric(arch);
	port_rig_make(&r[0], f, 0, 0, &port_rig_ops);
	receiver = f->nodes - 1;
	port_rig_make(&r[1], f, receiver, 0, &port_rig_ops);
	size = f->arch->fifo_chunks / 4;
	size = size < f->arch->packet_chunks_max ? size : f->arch->packet_chunks_max;
	size = size * f->arch->chunk_bytes - m->header_bytes - TORUS_NET_FRAGMENT_HEADER;
	torus_net_reassembly_init(&reassembly, &one_ops, NULL, size);
	while (!whole) {
		while (i < torus_net_fragments(LENGTH, size) && send(m, size, i))
			i++;
		port_settle(r, 2);
		whole = receive(m);
	}
	assert_ptr_equal(whole, &partial);
	for (i = 0; i < LENGTH; i++)
		assert_int_equal(memory[i], (u8)(i * 7));
	assert_int_equal(port_get(&r[0], TORUS_PORT_REJECTED), 0);
	port_rig_free(&r[0]);
	port_rig_free(&r[1]);
	torus_fabric_destroy(f);
}

static void test_bgl(void **state)
{
	check("bgl");
}

static void test_xt(void **state)
{
	check("xt");
}

static void test_tofu(void **state)
{
	check("tofu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bgl),
		cmocka_unit_test(test_xt),
		cmocka_unit_test(test_tofu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
