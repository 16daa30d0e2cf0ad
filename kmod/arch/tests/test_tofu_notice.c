// SPDX-License-Identifier: GPL-2.0
/*
 * Notices that wait for a program that does not read them. Their number is limited, they stay in
 * order, and they have memory of their own.
 */
#include "arch/tests/engine_rig.h"
#include "core/nic/record.h"

#define BATCH	1000u
#define BATCHES	5u

/* If a program reads no notices, puts that would notify it fail when the limit is reached. */
static void test_bound(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i, batch, failed = 0;
	u64 bytes;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
	c.flags = TORUS_TOFU_TELL_REMOTE;
	/* the first operation allocates the memory of the engines */
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	bytes = torus_fabric_memory(t.f);
	t.b->credits = 0;
	for (batch = 0; batch < BATCHES; batch++) {
		t.a->outs = 0;
		t.a->pulled = 0;
		for (i = 0; i < BATCH; i++) {
			c.edata = (u8)(batch * BATCH + i);
			engine_post(t.a, t.b, &c);
		}
		rig_settle(t.f);
		assert_int_equal(t.a->pulled, BATCH);
	}
	assert_int_equal(t.b->ins, 1);
	for (i = 0; i < t.a->ins; i++)
		failed += t.a->in[i].code == TORUS_TOFU_OTHER;
	assert_int_equal(failed, BATCHES * BATCH - TOFU_NOTICES_LIMIT);
	assert_in_range(torus_fabric_memory(t.f) - bytes, 0, 2 << 20);
	t.b->credits = ~0u;
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 1 + TOFU_NOTICES_LIMIT);
	for (i = 1; i < t.b->ins; i++)
		assert_int_equal(t.b->in[i].edata, (u8)(i - 1));
	assert_false(torus_nic_blocked(t.f));
	/* notices are accepted again */
	t.a->outs = 0;
	t.a->pulled = 0;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 2 + TOFU_NOTICES_LIMIT);
	engine_pair_free(&t);
}

/*
 * A record is delivered after the packets that were queued before it. The number of records is
 * limited.
 */
static void test_order(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	struct engine_program *p = engine_attach(f, 0, 0);
	struct torus_nic *nic = torus_nic_get(f, 0, 0);
	struct torus_nic_record *first, *second, *third;
	u32 i, round;

	assert_null(torus_nic_record_first(nic, 0));
	nic->receive[0].queued = 2;
	first = torus_nic_record_push(nic, 0);
	second = torus_nic_record_push(nic, 0);
	nic->receive[0].queued = 3;
	third = torus_nic_record_push(nic, 0);
	assert_null(torus_nic_record_first(nic, 0));
	assert_null(torus_nic_record_first(nic, 1));
	nic->receive[0].taken = 2;
	assert_ptr_equal(torus_nic_record_first(nic, 0), first);
	torus_nic_record_pop(nic, 0);
	assert_ptr_equal(torus_nic_record_first(nic, 0), second);
	torus_nic_record_pop(nic, 0);
	assert_null(torus_nic_record_first(nic, 0));
	nic->receive[0].taken = 3;
	assert_ptr_equal(torus_nic_record_first(nic, 0), third);
	torus_nic_record_pop(nic, 0);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < TORUS_NIC_RECORDS_MAX; i++)
			assert_non_null(torus_nic_record_push(nic, i % 2));
		assert_null(torus_nic_record_push(nic, 0));
		assert_int_equal(torus_nic_record_used(nic), TORUS_NIC_RECORDS_MAX);
		nic->receive[1].taken = nic->receive[1].queued;
		for (i = 0; i < TORUS_NIC_RECORDS_MAX; i++)
			torus_nic_record_pop(nic, i % 2);
		assert_int_equal(torus_nic_record_used(nic), 0);
	}
	engine_end(p);
	assert_int_equal(torus_nic_record_used(nic), 0);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
