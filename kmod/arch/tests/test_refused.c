// SPDX-License-Identifier: GPL-2.0
/*
 * Values that the core rejects, and the error codes. Each row of the table has a value that is out
 * of the machine's range, or that contradicts another value.
 */
#include "core/link/control.h"
#include "core/link/dead_node.h"
#include "core/link/fault.h"
#include "core/workload/pair_list.h"
#include "core/nic/group.h"
#include "core/run/config.h"
#include "arch/arch.h"
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/tests/live_params.h"

#define ONE	(1ull << 32)

static void said(int got, const struct torus_error *err, int code, const char *text)
{
	if (got != code || err->code != code || !says(err->text, text))
		fail_msg("%d \"%s\", not %d \"%s\"", got, err->text, code, text);
}

/* ---------------------------------------------------------------- workloads */

static const struct refused_row {
	const char *shape;
	struct torus_traffic t;
	int code;
	const char *text;
} workloads[] = {
	{ "4x4x4", { .load = ONE, .packets = 7, .cycles = 1 }, -EINVAL, "packets 7 load" },
	{ "4x4x4", { .load = 4 * ONE + 1, .cycles = 1 }, -ERANGE, "load 4.001 4" },
	{ "4x4x4", { .packets = 1, .warmup = 5 }, -EINVAL, "warmup 5 cycles" },
	{ "4x4x4", { .load = ONE, .cycles = 10, .batches = 5000 }, -ERANGE, "batches 5000 4096" },
	{ "4x4x4", { .load = ONE, .cycles = 10, .batches = 11 }, -ERANGE, "batches 11 tick" },
	{ "4x4x4", { .packets = 1, .pacing = 2 * ONE + 1 }, -ERANGE, "pacing 2.001 2" },
	{ "4x4x4", { .packets = 1, .packet_class = 1 }, -EOPNOTSUPP, "class 1 bgl" },
	{ "4x4x4", { .load = ONE, .cycles = 1, .pacing = ONE }, -EINVAL, "pacing 1.000 packet" },
	{ "1x4x4", { .packets = 1, .pattern = TORUS_PATTERN_ALLTOALL_LINE }, -EINVAL,
	  "alltoall-line dimension 0 1" },
	{ "1x1x4", { .packets = 1, .pattern = TORUS_PATTERN_ALLTOALL_PLANE }, -EINVAL,
	  "alltoall-plane dimension 0 1" },
	{ "4x4x4", { .packets = 1, .pattern = TORUS_PATTERN_TABLE }, -EINVAL, "file:NAME table" },
	{ "4x4x4", { .packets = 1, .pattern = TORUS_PATTERN_HOTREGION, .region = { 2, 5, 2 } },
	  -EINVAL, "region 5 dimension 1 4" },
	{ "4x4x4", { .packets = 1, .pattern = TORUS_PATTERN_HOTREGION, .region = { 2, 2, 2 },
		     .region_at = { 0, 0, 4 } },
	  -EINVAL, "region_at 4 dimension 2 0 3" },
	{ "4x4x4", { .packets = 1, .pattern = TORUS_PATTERN_HOTREGION, .region = { 2, 2, 2 },
		     .share = ONE + 1 }, -ERANGE, "share 1.001 1" },
};

static void test_workloads(void **state)
{
	struct torus_error err;
	u32 i;

	for (i = 0; i < COUNT(workloads); i++) {
		struct torus_fabric *f = rig_make(workloads[i].shape, "");
		struct torus_traffic t = workloads[i].t;

		t.size_min = 32;
		t.size_max = 32;
		said(torus_traffic_start(f, &t, &err), &err, workloads[i].code,
		     workloads[i].text);
		torus_fabric_destroy(f);
	}
}

static void test_workload_with_programs(void **state)
{
	const struct torus_traffic t = { .packets = 1, .size_min = 32, .size_max = 32 };
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;
	struct rig_client a;

	rig_attach(&a, f, 0, 0, false);
	said(torus_traffic_start(f, &t, &err), &err, -EBUSY, "1 FIFO group");
	rig_client_free(&a);
	assert_int_equal(torus_fabric_set(f, "inject", "hold", &err), 0);
	said(torus_traffic_start(f, &t, &err), &err, -EBUSY, "inject hold");
	assert_int_equal(torus_fabric_set(f, "inject", "drain", &err), 0);
	said(torus_traffic_start(f, &t, &err), &err, -EBUSY, "inject drain");
	assert_int_equal(torus_fabric_set(f, "inject", "go", &err), 0);
	torus_fabric_destroy(f);
}

/* The sum of the weights of a pair list must fit in 32 bits. */
static void test_table_weights(void **state)
{
	const u32 n = 4295;
	struct torus_pair *pairs = calloc(n, sizeof(*pairs));
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;
	u32 i;

	for (i = 0; i < n; i++)
		pairs[i] = (struct torus_pair) { .src = 1, .dst = 2, .weight = TORUS_WEIGHT_MAX };
	said(torus_traffic_pairs(f, pairs, n, &err), &err, -ERANGE, "table weight 4295000000");
	pairs[0].dst = 64;
	said(torus_traffic_pairs(f, pairs, 1, &err), &err, -EINVAL, "table destination 64 0 63");
	pairs[0].src = 65;
	said(torus_traffic_pairs(f, pairs, 1, &err), &err, -EINVAL, "table source 65 0 63");
	free(pairs);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------- links */

static void test_faults(void **state)
{
	const struct torus_fault late = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 0, .corrupt = 1,
		.at = 1000, .lasts = 10,
	};
	struct torus_fault fault = { .what = TORUS_FAULT_STATE, .at = ~0ull, .lasts = 1 };
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;
	u32 i;

	said(torus_fault_set(f, &fault, &err), &err, -ERANGE, "18446744073709551615 1");
	for (i = 0; i < TORUS_FAULTS_MAX; i++)
		assert_int_equal(torus_fault_set(f, &late, &err), 0);
	said(torus_fault_set(f, &late, &err), &err, -ENOSPC, "4096 fault");
	torus_fabric_destroy(f);
}

/*
 * A machine without a link protocol rejects faults, dead nodes, loopback and changes of a sender's
 * state; without FIFO groups it rejects programs. Faults of NACKs need a link with NACKs, which
 * Blue Gene/L lacks.
 */
static void test_missing_features(void **state)
{
	const struct torus_fault fault = { .what = TORUS_FAULT_STATE, .node = 0, .dir = 0 };
	struct torus_fabric *f = rig_make_arch("kncube", "4x4x4", "");
	static const struct torus_nic_ops none;
	struct torus_error err;
	const struct torus_fault nack = { .what = TORUS_FAULT_DROP_NACK, .drop_nack = 2 };
	struct torus_fabric *bgl = rig_make_arch("bgl", "2x2x2", "");
	u32 generation;

	said(torus_fault_set(bgl, &nack, &err), &err, -EOPNOTSUPP, "drop-nack 2 bgl");
	torus_fabric_destroy(bgl);
	said(torus_fault_set(f, &fault, &err), &err, -EOPNOTSUPP, "link kncube fault");
	said(torus_senders_set(f, 0, 0, TORUS_SENDER_OFF, &err), &err, -EOPNOTSUPP,
	     "link kncube fault");
	said(torus_node_kill(f, 0, true, &err), &err, -EOPNOTSUPP, "node kncube");
	said(torus_link_loopback(f, 0, true, &err), &err, -EOPNOTSUPP, "kncube loopback");
	said(torus_nic_attach(f, 0, 0, false, &none, NULL, &generation, &err), &err, -EOPNOTSUPP,
	     "kncube FIFO");
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------- fabrics */

static void test_fabrics(void **state)
{
	const u32 dims[] = { 2, 2, 2 };
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;

	assert_int_equal(torus_arch_config(&cfg, "bgl", &err), 0);
	said(torus_fabric_create(&cfg, &f, &err), &err, -EINVAL, "shape bgl");
	assert_int_equal(torus_config_shape(&cfg, 3, dims, 0, &err), 0);
	cfg.domains = 65;
	said(torus_fabric_create(&cfg, &f, &err), &err, -ERANGE, "domains 65 1 64");
	cfg.domains = 9;
	said(torus_fabric_create(&cfg, &f, &err), &err, -EINVAL, "domains 9 8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workloads),
		cmocka_unit_test(test_workload_with_programs),
		cmocka_unit_test(test_table_weights),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_missing_features),
		cmocka_unit_test(test_fabrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
