// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that gates have fired and that wait to leave. Their number is limited, and the program
 * supplies their memory.
 */
#include "arch/tofu/channel.h"
#include "core/tests/live_params.h"
#include "core/tests/rig.h"

static struct torus_fabric *make(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make_arch("tofu", shape, settings);
	struct torus_error err;

	assert_int_equal(tofu_barrier_open(f, NULL, NULL, &err), 0);
	return f;
}

static struct tofu_gates *gates_of(struct torus_fabric *f, u32 node, u32 tni)
{
	struct torus_error err;
	struct tofu_gates *gates = tofu_barrier_gates(f, node, tni, &err);

	assert_non_null(gates);
	return gates;
}

static u64 dropped(struct torus_fabric *f, u32 reason)
{
	struct torus_stats t;
	u64 all = 0;
	u32 i;

	torus_stats_sum(f, &t);
	for (i = 0; i < TORUS_DROP_MAX; i++)
		all += t.dropped[i];
	assert_int_equal(t.injected, t.delivered + all);
	return t.dropped[reason];
}

/*
 * Each gate of a chain may have TOFU_GATE_QUEUED packets waiting. A start that would need one more
 * packet is rejected, even if the gates were configured again in between. A running barrier
 * allocates no memory for packets.
 */
static void test_allowance(void **state)
{
	struct torus_fabric *f = make("3x1x1", "");
	struct tofu_gates *a = gates_of(f, 0, 0);
	struct tofu_gate_setting end = { .local_source = TOFU_VBG_NULL }, relay;
	u64 vbgs[2], value = 1, bytes;
	struct torus_error err;
	u32 i, fine = 0;

	assert_int_equal(tofu_gates_alloc(a, 2, vbgs), TOFU_GATE_FINE);
	end = (struct tofu_gate_setting){
		.gate = vbgs[0], .local_source = TOFU_VBG_NULL, .local_dest = vbgs[1],
		.remote_source = gates_of(f, 12, 0)->self, .remote_dest = TOFU_VBG_NULL,
		.path = TOFU_GATE_PATH_DEFAULT,
	};
	relay = (struct tofu_gate_setting){
		.gate = vbgs[1], .local_source = vbgs[0], .local_dest = TOFU_VBG_NULL,
		.remote_source = TOFU_VBG_NULL, .remote_dest = gates_of(f, 12, 0)->self,
		.path = TOFU_GATE_PATH_DEFAULT,
	};
	assert_int_equal(tofu_gates_set(a, &relay), TOFU_GATE_FINE);
	assert_int_equal(torus_fabric_set(f, "inject", "hold", &err), 0);
	bytes = 0;
	for (i = 0; i < 1000; i++) {
		u32 answer;

		assert_int_equal(tofu_gates_set(a, &end), TOFU_GATE_FINE);
		answer = tofu_gates_start(a, vbgs[0], TOFU_OP_SUM, &value, 1);
		assert_int_equal(answer, i < TOFU_GATE_QUEUED ? TOFU_GATE_FINE : TOFU_GATE_BUSY);
		fine += !answer;
		rig_drain(f);
		if (answer && !bytes)
			bytes = torus_fabric_memory(f);
	}
	assert_int_equal(fine, TOFU_GATE_QUEUED);
	assert_int_equal(torus_fabric_memory(f), bytes);
	assert_int_equal(tofu_barrier_sent(f), TOFU_GATE_QUEUED);
	/* a rejected start does not begin an operation */
	assert_int_equal(tofu_gates_poll(a, vbgs[0], &(struct tofu_reduction){ 0 }),
			 TOFU_GATE_IDLE);
	assert_int_equal(torus_fabric_set(f, "inject", "go", &err), 0);
	rig_drain(f);
	rig_count(f);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_UNSET), TOFU_GATE_QUEUED);
	assert_int_equal(tofu_gates_start(a, vbgs[0], TOFU_OP_SUM, &value, 1), TOFU_GATE_FINE);
	rig_drain(f);
	rig_count(f);
	assert_int_equal(tofu_barrier_sent(f), TOFU_GATE_QUEUED + 1);
	torus_fabric_destroy(f);
}

/* If a gate fires while all of its packets wait, the packet that made it fire is dropped. */
static void test_relay_overrun(void **state)
{
	struct torus_fabric *f = make("1x1x1", "gate_delay=70000");
	struct tofu_gates *a = gates_of(f, 0, 0), *b = gates_of(f, 1, 0);
	struct tofu_gate_setting relay;
	u64 vbgs[2];
	u32 i;

	assert_int_equal(tofu_gates_alloc(b, 2, vbgs), TOFU_GATE_FINE);
	relay = (struct tofu_gate_setting){
		.gate = vbgs[1], .local_source = TOFU_VBG_NULL, .local_dest = TOFU_VBG_NULL,
		.remote_source = a->self, .remote_dest = a->self,
		.path = TOFU_GATE_PATH_DEFAULT,
	};
	assert_int_equal(tofu_gates_set(b, &relay), TOFU_GATE_FINE);
	for (i = 0; i < TOFU_GATE_QUEUED + 2; i++) {
		const struct tofu_gate_packet packet = {
			.source = a->self, .dest = vbgs[1], .path = TOFU_GATE_PATH_DEFAULT,
			.data = { .op = TOFU_OP_BARRIER },
		};

		assert_int_equal(tofu_gates_deliver(b, &packet), TOFU_GATE_FINE);
	}
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_OVERRUN), 2);
	assert_int_equal(tofu_barrier_sent(f), TOFU_GATE_QUEUED);
	rig_drain(f);
	rig_count(f);
	torus_fabric_destroy(f);
}

/*
 * A program passes the memory for a TNI's gates. It is freed when no program has gates there and
 * their packets have left. A packet for the former owner of a gate does not reach the next owner.
 */
static void test_memory_freed(void **state)
{
	struct torus_fabric *f = make("3x1x1", "");
	u64 peer = gates_of(f, 12, 0)->self, opened = f->arch->later_bytes(f), vbg, more, value = 1;
	struct torus_gate_memory supply = { .end = &value };
	struct torus_error err;
	struct tofu_gates *a;
	struct tofu_gate_setting end = { .path = TOFU_GATE_PATH_DEFAULT };

	supply.memory = torus_alloc(tofu_barrier_engine_bytes());
	assert_int_equal(tofu_barrier_alloc(f, 0, 0, 1, &supply, &vbg), TOFU_GATE_FINE);
	assert_null(supply.memory);
	assert_ptr_equal(tofu_barrier_end(f, 0, vbg), &value);
	assert_int_equal(f->arch->later_bytes(f) - opened, tofu_barrier_engine_bytes());
	/* a second program, which passes no memory */
	supply.end = NULL;
	assert_int_equal(tofu_barrier_alloc(f, 0, 0, 1, &supply, &more), TOFU_GATE_FINE);
	a = gates_of(f, 0, 0);
	end.gate = vbg;
	end.local_source = vbg;
	end.local_dest = vbg;
	end.remote_source = TOFU_VBG_NULL;
	end.remote_dest = peer;
	assert_int_equal(tofu_gates_set(a, &end), TOFU_GATE_FINE);
	assert_int_equal(torus_fabric_set(f, "inject", "hold", &err), 0);
	assert_int_equal(tofu_gates_start(a, vbg, TOFU_OP_SUM, &value, 1), TOFU_GATE_FINE);
	tofu_barrier_give(f, 0, vbg);
	tofu_barrier_trim(f);
	assert_ptr_equal(gates_of(f, 0, 0), a);
	tofu_barrier_give(f, 0, more);
	tofu_barrier_trim(f);
	assert_ptr_equal(gates_of(f, 0, 0), a);
	assert_int_equal(torus_fabric_set(f, "inject", "go", &err), 0);
	rig_drain(f);
	rig_count(f);
	tofu_barrier_trim(f);
	/* the peer's memory is freed, too, because no gate was allocated there */
	assert_int_equal(f->arch->later_bytes(f), opened - tofu_barrier_engine_bytes());
	/* the gate's count of configurations continues */
	assert_int_equal(gates_of(f, 0, 0)->turn[0], 1);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allowance),
		cmocka_unit_test(test_relay_overrun),
		cmocka_unit_test(test_memory_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
