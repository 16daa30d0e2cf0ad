// SPDX-License-Identifier: GPL-2.0
/*
 * Owners of FIFO groups: the groups and nodes that they may use, codes of rejections, partitions,
 * the status bytes, and the effect of a reset.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/run/windows.h"

/* A node reaches only nodes of its own partition. */
static void test_partition(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "isolate=off");
	struct rig_client a, b, c;
	struct torus_error err;

	assert_int_equal(torus_fabric_partition_set(f, 5, 1, &err), 0);
	assert_int_equal(torus_fabric_partition_set(f, 64, 1, &err), -EINVAL);
	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	rig_attach(&c, f, 6, 0, false);
	rig_send(&a, 5, 0, 1, true, 0);
	rig_send(&b, 6, 0, 1, true, 0);
	rig_send(&a, 6, 0, 1, true, 0);
	rig_settle(f);
	assert_int_equal(a.out[0].code, TORUS_REFUSE_PARTITION);
	assert_int_equal(b.out[0].code, TORUS_REFUSE_PARTITION);
	assert_false(a.out[1].refused);
	assert_int_equal(b.ins, 0);
	assert_int_equal(c.ins, 1);
	assert_int_equal(torus_fabric_partition_set(f, 6, 1, &err), 0);
	rig_send(&b, 6, 0, 1, true, 0);
	rig_settle(f);
	assert_int_equal(c.ins, 2);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&c);
	torus_fabric_destroy(f);
}

static void test_attach_refused(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	static const struct torus_nic_ops none;
	struct torus_error err;
	struct rig_client a;
	u32 generation;

	rig_attach(&a, f, 7, 1, false);
	assert_int_equal(torus_nic_attach(f, 7, 1, false, &none, NULL, &generation, &err), -EBUSY);
	assert_says(err.text, "group 1 node 7");
	assert_int_equal(torus_nic_attach(f, 64, 0, false, &none, NULL, &generation, &err),
			 -EINVAL);
	assert_says(err.text, "node 64");
	assert_int_equal(torus_nic_attach(f, 7, 2, false, &none, NULL, &generation, &err), -EINVAL);
	assert_says(err.text, "group 2");
	rig_client_free(&a);
	rig_packets(f, 1, 32, 32);
	assert_int_equal(torus_nic_attach(f, 7, 1, false, &none, NULL, &generation, &err), -EBUSY);
	torus_fabric_destroy(f);
}

/* The status bytes of the machine report the fill levels of the modelled FIFOs. */
static void test_status_bytes(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	struct rig_client a, b;
	u8 bytes[16];
	u32 i;

	rig_attach(&a, f, 0, 1, false);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 0;
	for (i = 0; i < 40; i++)
		rig_send(&a, 1, 0, 8, false, i)->fifo = 2;
	rig_settle(f);
	f->arch->status(f, 0, 1, bytes);
	for (i = 0; i < 16; i++)
		assert_int_equal(bytes[i], i == 7 + 2 ? 32 : 0);
	f->arch->status(f, 1, 0, bytes);
	for (i = 0; i < 16; i++)
		assert_int_equal(bytes[i], i == 0 ? 32 : 0);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* A reset of the fabric discards all packets and keeps the clients. */
static void test_reset_keeps_clients(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "domains=2");
	struct torus_error err;
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 60, 0, false);
	for (i = 0; i < 20; i++)
		rig_send(&a, 60, 0, 8, true, i);
	torus_nic_poll(f);
	torus_fabric_run(f, 200, 0, 1);
	assert_true(torus_fabric_in_flight(f) > 0);
	assert_int_equal(torus_fabric_reset(f, 3, &err), 0);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	assert_int_equal(torus_fabric_clock(f), 0);
	rig_settle(f);
	assert_int_equal(b.ins, 20 - 4);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_attach_refused),
		cmocka_unit_test(test_status_bytes),
		cmocka_unit_test(test_reset_keeps_clients),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
