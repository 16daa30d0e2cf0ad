// SPDX-License-Identifier: GPL-2.0
/*
 * Test libtofucom without a kernel: ids, the place of a process, translated arguments and errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/tests/says.h"
#include "../api.h"
#include "../node_lookup.h"
#include "fake.h"

#define HERE	"1,2,3,1,2,1"

static int set_up(void **state)
{
	setenv("TORUS_FABRIC", "tf", 1);
	setenv("TORUS_NODE", HERE, 1);
	unsetenv("TORUS_MEMBERS");
	unsetenv("TORUS_GROUP");
	unsetenv("PMIX_RANK");
	memset(&fake, 0, sizeof(fake));
	fake.arch = "tofu";
	return 0;
}

static void last_says(const char *words)
{
	char said[1024] = "";

	utofu_get_last_error(said);
	if (!says(said, words))
		fail_msg("\"%s\" must contain \"%s\"", said, words);
}

/* ------------------------------------------------------------------- places */

/* If the process's node was not found, each call looks for it again. */
static void test_no_place(void **state)
{
	uint8_t coords[6];
	struct utofu_onesided_caps *caps;

	unsetenv("TORUS_FABRIC");
	assert_int_equal(utofu_query_my_coords(coords), UTOFU_ERR_FATAL);
	last_says("TORUS_FABRIC");
	setenv("TORUS_FABRIC", "none", 1);
	assert_int_equal(utofu_query_my_coords(coords), UTOFU_ERR_FATAL);
	last_says("none fabric");
	setenv("TORUS_FABRIC", "a-name-that-is-longer-than-the-32-bytes-of-one", 1);
	assert_int_equal(utofu_query_my_coords(coords), UTOFU_ERR_FATAL);
	last_says("a-name-that-is-longer-than-the-32-bytes-of-one 31");
	setenv("TORUS_FABRIC", "tf", 1);
	setenv("TORUS_NODE", "288", 1);
	assert_int_equal(utofu_query_my_coords(coords), UTOFU_ERR_FATAL);
	last_says("288 node");
	setenv("TORUS_NODE", "1", 1);
	fake.arch = "xt";
	assert_int_equal(utofu_query_onesided_caps(0, &caps), UTOFU_ERR_NOT_SUPPORTED);
	last_says("arch xt");
	assert_int_equal(fake.opens, 0);
}

static void fabric_tf(struct torus_ioc_fabric *fabric)
{
	static const uint32_t lengths[6] = { 2, 3, 4, 2, 3, 2 };
	static const uint32_t strides[6] = { 12, 24, 72, 1, 2, 6 };
	int i;

	memset(fabric, 0, sizeof(*fabric));
	strcpy(fabric->name, "tf");
	fabric->nodes = 288;
	for (i = 0; i < 6; i++) {
		fabric->dims[i] = lengths[i];
		fabric->numbering.split[i] = lengths[i];
		fabric->numbering.stride[i] = strides[i];
	}
}

static void test_environment(void **state)
{
	static const struct {
		const char *node, *members, *rank, *own;
		uint32_t want, group;
		const char *says;
	} tried[] = {
		{ "17", "5/1", "0", NULL, 17, 0, NULL },
		{ "1,2,3,1,2,1", NULL, NULL, NULL, 12 + 48 + 216 + 1 + 4 + 6, 0, NULL },
		{ "1,2,3", NULL, NULL, NULL, 0, 0, "coordinate" },
		{ "1x", NULL, NULL, NULL, 0, 0, "coordinate" },
		{ "1,2,3,1,2,", NULL, NULL, NULL, 0, 0, "coordinate" },
		{ "0,0,0,0,3,0", NULL, NULL, NULL, 0, 0, "b tf 0 2" },
		{ NULL, NULL, NULL, NULL, 0, 0, "TORUS_NODE" },
		{ NULL, NULL, "12", NULL, 12, 0, NULL },
		{ NULL, NULL, "288", NULL, 0, 0, "PMIX_RANK 288 tf node" },
		{ NULL, "5 7/1 9", "1", NULL, 7, 1, NULL },
		{ NULL, "5 7/1 9", "2", NULL, 9, 0, NULL },
		{ NULL, "5 7/1 9", "3", NULL, 0, 0, "rank 3" },
		{ NULL, "5 x", "1", NULL, 0, 0, "rank 1" },
		{ NULL, "5/3 7", "0", NULL, 5, 3, NULL },
		{ NULL, "5/4 7", "0", NULL, 0, 0, "group 0 3" },
		{ NULL, "5/ 7", "0", NULL, 0, 0, "rank 0" },
		{ NULL, "5/3 7", "1", "2", 7, 2, NULL },
		{ "17", NULL, NULL, "3", 17, 3, NULL },
		{ "17", NULL, NULL, "4", 0, 0, "TORUS_GROUP 4 0 3" },
		{ "17", NULL, NULL, "1x", 0, 0, "TORUS_GROUP 1x" },
		{ NULL, "@list", "1", NULL, 0, 0, "TORUS_MEMBERS @list" },
	};
	struct torus_ioc_fabric fabric;
	uint32_t node, group;
	size_t i;

	fabric_tf(&fabric);
	for (i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		set_up(NULL);
		unsetenv("TORUS_NODE");
		if (tried[i].node)
			setenv("TORUS_NODE", tried[i].node, 1);
		if (tried[i].members)
			setenv("TORUS_MEMBERS", tried[i].members, 1);
		if (tried[i].rank)
			setenv("PMIX_RANK", tried[i].rank, 1);
		if (tried[i].own)
			setenv("TORUS_GROUP", tried[i].own, 1);
		if (tried[i].says) {
			assert_int_equal(tofu_place_node(&fabric, &node, &group),
					 UTOFU_ERR_FATAL);
			last_says(tried[i].says);
			continue;
		}
		assert_int_equal(tofu_place_node(&fabric, &node, &group), UTOFU_SUCCESS);
		assert_int_equal(node, tried[i].want);
		assert_int_equal(group, tried[i].group);
	}
}

static void test_place(void **state)
{
	static const uint8_t want[6] = { 1, 2, 3, 1, 2, 1 };
	struct utofu_onesided_caps *onesided;
	struct utofu_barrier_caps *barrier;
	utofu_tni_id_t *tnis;
	uint8_t coords[6];
	size_t count, i;
	int major, minor;

	assert_int_equal(utofu_query_my_coords(coords), UTOFU_SUCCESS);
	assert_memory_equal(coords, want, 6);
	assert_int_equal(utofu_get_onesided_tnis(&tnis, &count), UTOFU_SUCCESS);
	assert_int_equal(count, 4);
	for (i = 0; i < count; i++)
		assert_int_equal(tnis[i], i);
	free(tnis);
	assert_int_equal(putofu_get_barrier_tnis(&tnis, &count), UTOFU_SUCCESS);
	assert_int_equal(count, 4);
	free(tnis);
	assert_int_equal(utofu_query_onesided_caps(3, &onesided), UTOFU_SUCCESS);
	assert_int_equal(onesided->flags, 3);
	assert_int_equal(onesided->armw_ops, 0x3f);
	assert_int_equal(onesided->max_putget_size, 16777215);
	assert_int_equal(utofu_query_barrier_caps(3, &barrier), UTOFU_SUCCESS);
	assert_int_equal(barrier->reduce_ops, 0x1fe);
	assert_int_equal(barrier->max_uint64_reduction, 6);
	assert_int_equal(barrier->max_double_reduction, 3);
	assert_int_equal(utofu_query_barrier_caps(4, &barrier), UTOFU_ERR_INVALID_TNI_ID);
	last_says("TNI 4");
	assert_int_equal(utofu_query_barrier_caps(0, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_get_barrier_tnis(NULL, &count), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_query_my_coords(NULL), UTOFU_ERR_INVALID_POINTER);
	utofu_query_utofu_version(&major, &minor);
	assert_int_equal(major, 1);
	assert_int_equal(minor, 0);
	utofu_query_tofu_version(&major, NULL);
	assert_int_equal(major, 1);
}

/* Calls fail in a forked child, which would otherwise use the gates of its parent. */
static void test_forked(void **state)
{
	uint8_t coords[6];
	int status;
	pid_t pid;

	assert_int_equal(utofu_query_my_coords(coords), UTOFU_SUCCESS);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		char said[1024] = "";
		int ret = utofu_query_my_coords(coords);

		utofu_get_last_error(said);
		_exit(ret != UTOFU_ERR_FATAL || !says(said, "forked"));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(utofu_query_my_coords(coords), UTOFU_SUCCESS);
}

/* ---------------------------------------------------------------------- ids */

static void test_vcq_ids(void **state)
{
	uint8_t at[6] = { 23, 22, 21, 1, 2, 1 }, coords[6];
	utofu_vcq_id_t id, other;
	uint16_t tni, cq, cmp;

	assert_int_equal(utofu_construct_vcq_id(at, 5, 11, 7, &id), UTOFU_SUCCESS);
	assert_int_equal(utofu_query_vcq_info(id, coords, &tni, &cq, &cmp), UTOFU_SUCCESS);
	assert_memory_equal(coords, at, 6);
	assert_int_equal(tni, 5);
	assert_int_equal(cq, 11);
	assert_int_equal(cmp, 7);
	assert_int_equal(utofu_query_vcq_info(id, NULL, NULL, NULL, NULL), UTOFU_SUCCESS);
	assert_int_equal(utofu_construct_vcq_id(at, 5, 11, 6, &other), UTOFU_SUCCESS);
	assert_true(id != other);
	assert_int_equal(utofu_construct_vcq_id(at, 6, 0, 0, &id), UTOFU_ERR_INVALID_TNI_ID);
	assert_int_equal(utofu_construct_vcq_id(at, 0, 12, 0, &id), UTOFU_ERR_INVALID_CQ_ID);
	assert_int_equal(utofu_construct_vcq_id(at, 0, 0, 8, &id), UTOFU_ERR_INVALID_CMP_ID);
	at[4] = 3;
	assert_int_equal(utofu_construct_vcq_id(at, 0, 0, 0, &id), UTOFU_ERR_INVALID_COORDS);
	assert_int_equal(utofu_construct_vcq_id(NULL, 0, 0, 0, &id), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_query_vcq_info(0, coords, &tni, &cq, &cmp),
			 UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_query_vcq_info(other | 1 << 16, coords, &tni, &cq, &cmp),
			 UTOFU_ERR_INVALID_VCQ_ID);
}

/* Embed a path into a VCQ id, and remove it. */
static void test_paths(void **state)
{
	uint8_t at[6] = { 1, 0, 2, 1, 2, 0 }, path[3], got[3], coords[6];
	utofu_vcq_id_t plain, id, back;
	utofu_path_id_t number;

	assert_int_equal(utofu_construct_vcq_id(at, 2, 3, 4, &plain), UTOFU_SUCCESS);
	for (path[0] = 0; path[0] < 2; path[0]++)
		for (path[1] = 0; path[1] < 3; path[1]++)
			for (path[2] = 0; path[2] < 2; path[2]++) {
				id = plain;
				assert_int_equal(utofu_set_vcq_id_path(&id, path), UTOFU_SUCCESS);
				assert_true(id != plain);
				assert_int_equal(utofu_get_path_coords(id, 0, got), UTOFU_SUCCESS);
				assert_memory_equal(got, path, 3);
				assert_int_equal(utofu_get_path_id(plain, path, &number),
						 UTOFU_SUCCESS);
				assert_true(number >= 1 && number <= 12);
				assert_int_equal(utofu_get_path_coords(plain, number, got),
						 UTOFU_SUCCESS);
				assert_memory_equal(got, path, 3);
				assert_int_equal(utofu_query_vcq_info(id, coords, NULL, NULL, NULL),
						 UTOFU_SUCCESS);
				assert_memory_equal(coords, at, 6);
				back = id;
				assert_int_equal(utofu_set_vcq_id_path(&back, NULL), UTOFU_SUCCESS);
				assert_true(back == plain);
			}
	/* the default path's relay has the destination's a, b, c */
	assert_int_equal(utofu_get_path_coords(plain, 0, got), UTOFU_SUCCESS);
	assert_memory_equal(got, at + 3, 3);
	assert_int_equal(utofu_get_path_id(plain, NULL, &number), UTOFU_SUCCESS);
	assert_int_equal(number, 0);
	assert_int_equal(utofu_get_path_coords(plain, 13, got), UTOFU_ERR_INVALID_PATH_ID);
	path[0] = 2;
	assert_int_equal(utofu_set_vcq_id_path(&plain, path), UTOFU_ERR_INVALID_PATH);
	assert_int_equal(utofu_get_path_id(plain, path, &number), UTOFU_ERR_INVALID_PATH);
	assert_int_equal(utofu_get_path_id(plain, path, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_get_path_id(1, path, &number), UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_get_path_coords(1, 0, got), UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_get_path_coords(plain, 0, NULL), UTOFU_ERR_INVALID_POINTER);
	id = 1;
	assert_int_equal(utofu_set_vcq_id_path(&id, NULL), UTOFU_ERR_INVALID_VCQ_ID);
	assert_int_equal(utofu_set_vcq_id_path(NULL, NULL), UTOFU_ERR_INVALID_POINTER);
}

/* Parse an id composed from TNI, c, b, a, z, y, x and gate. */
static void test_vbg_ids(void **state)
{
	const utofu_vbg_id_t id = 5ull << 61 | 1ull << 59 | 2ull << 57 | 1ull << 56 |
				  21ull << 48 | 22ull << 40 | 23ull << 32 | 47;
	static const uint8_t want[6] = { 23, 22, 21, 1, 2, 1 };
	uint16_t tni, gate, extra = 1;
	uint8_t coords[6];

	assert_int_equal(utofu_query_vbg_info(id, coords, &tni, &gate, &extra), UTOFU_SUCCESS);
	assert_memory_equal(coords, want, 6);
	assert_int_equal(tni, 5);
	assert_int_equal(gate, 47);
	assert_int_equal(extra, 0);
	assert_int_equal(utofu_query_vbg_info(id, NULL, NULL, NULL, NULL), UTOFU_SUCCESS);
	assert_int_equal(utofu_query_vbg_info(id + 1, coords, &tni, &gate, &extra),
			 UTOFU_ERR_INVALID_VBG_ID);
	assert_int_equal(utofu_query_vbg_info(id | 1ull << 60, coords, &tni, &gate, &extra),
			 UTOFU_ERR_INVALID_VBG_ID);
	assert_int_equal(utofu_query_vbg_info(UTOFU_VBG_ID_NULL, coords, &tni, &gate, &extra),
			 UTOFU_ERR_INVALID_VBG_ID);
}

/* -------------------------------------------------------------------- gates */

static void test_answers(void **state)
{
	static const struct {
		int answer, code;
	} tried[] = {
		{ 0, UTOFU_SUCCESS },
		{ TORUS_GATE_RUNNING, UTOFU_ERR_NOT_COMPLETED },
		{ TORUS_GATE_IDLE, UTOFU_ERR_NOT_PROCESSED },
		{ TORUS_GATE_BUSY, UTOFU_ERR_BUSY },
		{ TORUS_GATE_FULL, UTOFU_ERR_FULL },
		{ TORUS_GATE_BAD_ID, UTOFU_ERR_INVALID_VBG_ID },
		{ TORUS_GATE_BAD_PATH, UTOFU_ERR_INVALID_PATH },
		{ TORUS_GATE_BAD_OP, UTOFU_ERR_INVALID_OP },
		{ TORUS_GATE_BAD_COUNT, UTOFU_ERR_INVALID_NUMBER },
		{ TORUS_GATE_MISMATCH, UTOFU_ERR_BARRIER_MISMATCH },
		{ TORUS_GATE_LOST, UTOFU_ERR_BARRIER_OTHER },
		{ TORUS_GATE_UNSET, UTOFU_ERR_INVALID_VBG_ID },
		{ -ENOMEM, UTOFU_ERR_OUT_OF_MEMORY },
		{ -ENODEV, UTOFU_ERR_FATAL },
		{ -ECHILD, UTOFU_ERR_FATAL },
		{ 99, UTOFU_ERR_FATAL },
	};
	size_t i;

	for (i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		fake.answer = tried[i].answer;
		assert_int_equal(utofu_poll_barrier(3, 0), tried[i].code);
	}
}

static void test_settings(void **state)
{
	struct utofu_vbg_setting set = {
		.vbg_id = 1, .src_lcl_vbg_id = 2, .src_rmt_vbg_id = 3, .dst_lcl_vbg_id = 4,
		.dst_rmt_vbg_id = UTOFU_VBG_ID_NULL, .dst_path_coords = { 1, 2, 1 },
	};
	/* one call may set more gates than one TNI has: those of all TNIs */
	struct utofu_vbg_setting many[TORUS_GATES_NODE] = { set };
	utofu_vbg_id_t id = 1, ids[TORUS_GATES_NODE] = { 0 };

	assert_int_equal(utofu_set_vbg(many, TORUS_GATES_NODE), UTOFU_SUCCESS);
	assert_int_equal(utofu_free_vbg(ids, TORUS_GATES_NODE), UTOFU_SUCCESS);
	assert_int_equal(utofu_set_vbg(&set, 1), UTOFU_SUCCESS);
	assert_int_equal(fake.setting.gate, 1);
	assert_int_equal(fake.setting.local_source, 2);
	assert_int_equal(fake.setting.remote_source, 3);
	assert_int_equal(fake.setting.local_dest, 4);
	assert_true(fake.setting.remote_dest == TORUS_GATE_NONE);
	assert_int_equal(fake.setting.path, 11);
	set.dst_path_coords[0] = UTOFU_PATH_COORD_NULL;
	assert_int_equal(utofu_set_vbg(&set, 1), UTOFU_SUCCESS);
	assert_int_equal(fake.setting.path, TORUS_GATE_PATH_DEFAULT);
	set.dst_path_coords[0] = 2;
	assert_int_equal(utofu_set_vbg(&set, 1), UTOFU_ERR_INVALID_PATH);
	assert_int_equal(utofu_set_vbg(NULL, 1), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_set_vbg(&set, 385), UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_alloc_vbg(0, 1, 0, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_alloc_vbg(0, 1, 2, &id), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_alloc_vbg(0, 1, UTOFU_VBG_FLAG_THREAD_SAFE, &id), UTOFU_SUCCESS);
	assert_int_equal(utofu_alloc_vbg(4, 1, 0, &id), UTOFU_ERR_INVALID_TNI_ID);
	assert_int_equal(utofu_alloc_vbg(0, 0, 0, &id), UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_alloc_vbg(0, (size_t)1 << (8 * sizeof(size_t) - 1) | 1, 0, &id),
			 UTOFU_ERR_FULL);
	assert_int_equal(utofu_free_vbg(NULL, 1), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_free_vbg(&id, 0), UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_free_vbg(&id, 385), UTOFU_ERR_INVALID_NUMBER);
}

static void test_reductions(void **state)
{
	uint64_t words[6] = { 1, 2, 3, 4, 5, 6 }, got[6] = { 0 };
	double sums[3] = { 0.5, -0.0, 1e300 }, back[3];

	assert_int_equal(utofu_reduce_uint64(9, UTOFU_REDUCE_OP_SUM, words, 6, 0), UTOFU_SUCCESS);
	assert_int_equal(fake.gate.gate, 9);
	assert_int_equal(fake.gate.op, TORUS_GATE_SUM);
	assert_int_equal(utofu_poll_reduce_uint64(9, 0, got), UTOFU_SUCCESS);
	assert_memory_equal(got, words, sizeof(got));
	/*
	 * an invalid pointer is rejected without polling the kernel, which returns a result only
	 * once
	 */
	fake.polled = 0;
	assert_int_equal(utofu_poll_reduce_uint64(9, 0, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_poll_reduce_double(9, 0, NULL), UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(fake.polled, 0);
	assert_int_equal(utofu_poll_barrier(9, 0), UTOFU_SUCCESS);
	assert_int_equal(fake.polled, 1);
	assert_int_equal(utofu_reduce_double(9, UTOFU_REDUCE_OP_BFPSUM, sums, 3, 0), UTOFU_SUCCESS);
	assert_int_equal(utofu_poll_reduce_double(9, 0, back), UTOFU_SUCCESS);
	assert_memory_equal(back, sums, sizeof(sums));
	assert_int_equal(utofu_reduce_uint64(9, UTOFU_REDUCE_OP_MAX, words, 7, 0),
			 UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_reduce_uint64(9, UTOFU_REDUCE_OP_MAXLOC, words, 3, 0),
			 UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_reduce_uint64(9, UTOFU_REDUCE_OP_BFPSUM, words, 1, 0),
			 UTOFU_ERR_INVALID_OP);
	assert_int_equal(utofu_reduce_double(9, UTOFU_REDUCE_OP_SUM, sums, 1, 0),
			 UTOFU_ERR_INVALID_OP);
	assert_int_equal(utofu_reduce_double(9, UTOFU_REDUCE_OP_BFPSUM, sums, 4, 0),
			 UTOFU_ERR_INVALID_NUMBER);
	assert_int_equal(utofu_reduce_double(9, UTOFU_REDUCE_OP_BFPSUM, NULL, 1, 0),
			 UTOFU_ERR_INVALID_POINTER);
	assert_int_equal(utofu_reduce_uint64(9, UTOFU_REDUCE_OP_SUM, words, 1, 1),
			 UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_barrier(9, 1), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_poll_barrier(9, 1), UTOFU_ERR_INVALID_FLAGS);
	assert_int_equal(utofu_reduce_uint64(9, UTOFU_REDUCE_OP_BARRIER, NULL, 0, 0),
			 UTOFU_SUCCESS);
	assert_int_equal(utofu_barrier(9, 0), UTOFU_SUCCESS);
	assert_int_equal(fake.gate.op, TORUS_GATE_BARRIER);
}

/* Gates act at the process's clock, which a poll without a result advances. */
static void test_clock(void **state)
{
	assert_int_equal(utofu_barrier(9, 0), UTOFU_SUCCESS);
	assert_int_equal(fake.clocks, 1);
	fake.answer = TORUS_GATE_RUNNING;
	assert_int_equal(utofu_poll_barrier(9, 0), UTOFU_ERR_NOT_COMPLETED);
	assert_int_equal(fake.clocks, 2);
	assert_int_equal(fake.vain, 0);
	assert_int_equal(utofu_poll_barrier(9, 0), UTOFU_ERR_NOT_COMPLETED);
	fake.answer = 0;
	assert_int_equal(utofu_poll_barrier(9, 0), UTOFU_SUCCESS);
	assert_int_equal(fake.clocks, 4);
	assert_int_equal(fake.vain, 2);
	assert_int_equal(utofu_poll_barrier(9, 0), UTOFU_SUCCESS);
	assert_int_equal(fake.vain, 2);
	/* if waiting for the clock fails, no gate is started or polled */
	fake.clock = -ENODEV;
	fake.polled = 0;
	memset(&fake.gate, 0, sizeof(fake.gate));
	assert_int_equal(utofu_poll_barrier(9, 0), UTOFU_ERR_FATAL);
	last_says("poll_barrier clock No such device");
	assert_int_equal(utofu_barrier(9, 0), UTOFU_ERR_FATAL);
	assert_int_equal(fake.polled, 0);
	assert_int_equal(fake.gate.gate, 0);
}

/* ------------------------------------------------------------ the interface */

static void test_layout(void **state)
{
	assert_int_equal(sizeof(struct utofu_mrq_notice), 64);
	assert_int_equal(offsetof(struct utofu_mrq_notice, vcq_id), 8);
	assert_int_equal(offsetof(struct utofu_mrq_notice, rmt_stadd), 40);
	assert_int_equal(sizeof(utofu_vcq_hdl_t), sizeof(void *));
	assert_int_equal(UTOFU_ERR_INVALID_DATA, -533);
	assert_int_equal(UTOFU_ERR_MRQ_RMT_LENGTH, -199);
	assert_int_equal(UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, 0x8000);
	assert_int_equal(UTOFU_ONESIDED_FLAG_PATH(12) | UTOFU_ONESIDED_FLAG_SPS(15),
			 0xcful << 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_no_place, set_up),
		cmocka_unit_test_setup(test_environment, set_up),
		cmocka_unit_test_setup(test_place, set_up),
		cmocka_unit_test_setup(test_forked, set_up),
		cmocka_unit_test_setup(test_vcq_ids, set_up),
		cmocka_unit_test_setup(test_paths, set_up),
		cmocka_unit_test_setup(test_vbg_ids, set_up),
		cmocka_unit_test_setup(test_answers, set_up),
		cmocka_unit_test_setup(test_settings, set_up),
		cmocka_unit_test_setup(test_reductions, set_up),
		cmocka_unit_test_setup(test_clock, set_up),
		cmocka_unit_test_setup(test_layout, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
