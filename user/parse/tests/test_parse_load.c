// SPDX-License-Identifier: GPL-2.0
/* Test the parsers of patterns, pair files, workload options and link faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../fault.h"
#include "../hotspot.h"
#include "../pair_file.h"
#include "../pattern.h"
#include "../workload.h"
#include "core/tests/says.h"
#include "../../machine/machine.h"
#include "../parse.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static struct parse_error why;

/* Check that a parser rejects its argument, and check the text of the error message. */
#define REFUSED(call, reason) do {		\
		why.text[0] = '\0';		\
		assert_false(call);		\
		assert_says(why.text, reason); \
	} while (0)

static void test_words_pattern(void **state)
{
	char list[256];
	uint32_t pattern, i;

	for (i = 0; i < TORUS_PATTERN_TABLE; i++) {
		assert_true(parse_pattern(parse_pattern_name(i), &pattern, &why));
		assert_int_equal(pattern, i);
	}
	assert_true(parse_pattern("file:x", &pattern, &why));
	assert_int_equal(pattern, TORUS_PATTERN_TABLE);
	assert_string_equal(parse_pattern_file("file:x"), "x");
	assert_null(parse_pattern_file("uniform"));
	assert_null(parse_pattern_file("file:"));
	assert_string_equal(parse_pattern_name(TORUS_PATTERN_MAX), "unknown");
	assert_string_equal(parse_pattern_each(TORUS_PATTERN_ALLTOALL), "a pair");
	assert_string_equal(parse_pattern_each(TORUS_PATTERN_LINEFILL), "a root");
	assert_string_equal(parse_pattern_each(TORUS_PATTERN_UNIFORM), "a node");
	REFUSED(parse_pattern("swirl", &pattern, &why),
		"pattern swirl uniform alltoall alltoall-line alltoall-plane hotregion neighbor "
		"transpose bitcomp tornado linefill planefill file:NAME bitrev shuffle permutation "
		"stencil hotspot");
	REFUSED(parse_pattern("file:", &pattern, &why),
		"pattern file: uniform alltoall alltoall-line alltoall-plane hotregion neighbor "
		"transpose bitcomp tornado linefill planefill file:NAME bitrev shuffle permutation "
		"stencil hotspot");
	/* the list is truncated if the buffer is too small */
	memset(list, 'z', sizeof(list));
	assert_int_equal(parse_pattern_list(list, 10), 9);
	assert_string_equal(list, "uniform a");
}

static const uint32_t dims[] = { 4, 2 };
static const struct torus_machine_shape plain = { .ndims = 2, .dims = dims };

/*
 * Read a pattern from the text of a file. @reason: [out] error message, without the name of the
 * file.
 */
static bool read_text(struct parse_pairs *pairs, const char *text,
		      const struct torus_machine *machine,
		      const struct torus_machine_shape *shape, const char **reason)
{
	char name[] = "/tmp/torus-words-XXXXXX";
	int fd = mkstemp(name);
	bool good;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	good = parse_pairs_read(pairs, name, machine, shape, 8, &why);
	unlink(name);
	*reason = good ? "" : why.text + strlen(name) + 1;
	return good;
}

static void test_words_pairs(void **state)
{
	static const struct {
		const char *text;
		const char *reason;
	} bad[] = {
		{ "", "1:1: file pair" },
		{ "# nothing\n\n", "2:1: file pair" },
		{ "0 1\n2\n", "2:2: destination" },
		{ "0 8\n", "1:3: node 8 0 7" },
		{ "0 99999999999999999999999\n", "1:3: node 99999999999999999999999 0 7" },
		{ "0 4,0\n", "1:3: 4,0 x 0 3" },
		{ "0 4294967297,0\n", "1:3: 4294967297,0 x 0 3" },
		{ "0 1,1,1\n", "1:3: 1,1,1 3 fabric 2" },
		{ "0 1,\n", "1:3: 1, number coordinate" },
		{ "0 x\n", "1:3: x number coordinate" },
		{ "0 0x1\n", "1:3: 0x1 number coordinate" },
		{ "  3 3,0\n", "1:5: node 3" },
		{ "0 1 0\n", "1:5: 0 weight 1 1000000" },
		{ "0 1 1000001\n", "1:5: 1000001 weight 1 1000000" },
		{ "0 1 2 3\n", "1:7: 3" },
		{ "0 1\n1 0\n0 1,0 5\n", "3:1: 0 1 line" },
	};
	const struct torus_machine *machine = torus_machine_find("bgl");
	struct parse_pairs pairs;
	const char *reason;
	size_t i;

	for (i = 0; i < COUNT(bad); i++) {
		assert_false(read_text(&pairs, bad[i].text, machine, &plain, &reason));
		assert_says(reason, bad[i].reason);
	}
	assert_true(read_text(&pairs, "# a line\n7 0\r\n0 3,1 12 # far\n", machine, &plain,
			      &reason));
	assert_int_equal(pairs.count, 2);
	assert_int_equal(pairs.pairs[0].dst, 7);
	assert_int_equal(pairs.pairs[0].weight, 12);
	assert_int_equal(pairs.pairs[1].src, 7);
	assert_int_equal(pairs.pairs[1].weight, 1);
	parse_pairs_free(&pairs);
	assert_null(pairs.pairs);
	REFUSED(parse_pairs_read(&pairs, "/no/such/file", machine, &plain, 8, &why),
		"/no/such/file No such file or directory");
}

static void test_words_pairs_numbered(void **state)
{
	/* a numbering in which y varies fastest, in blocks that begin at multiples of 10 */
	const struct torus_numbering tens = {
		.last = 31, .split = { 1, 2 }, .stride = { 0, 1 }, .jump = { 10, 0 },
	};
	const struct torus_machine_shape shape = {
		.ndims = 2, .dims = dims, .numbering = &tens,
	};
	struct parse_pairs pairs;
	const char *reason;

	assert_true(read_text(&pairs, "0 3,1\n31 20\n", NULL, &shape, &reason));
	assert_int_equal(pairs.pairs[0].dst, 31);
	assert_int_equal(pairs.pairs[1].src, 31);
	assert_int_equal(pairs.pairs[1].dst, 20);
	parse_pairs_free(&pairs);
	assert_false(read_text(&pairs, "0 12\n", NULL, &shape, &reason));
	assert_says(reason, "1:3: node 12");
	assert_false(read_text(&pairs, "0 32\n", NULL, &shape, &reason));
	assert_says(reason, "1:3: node 32 0 31");
	/* with neither a machine nor a numbering, only node numbers are accepted */
	assert_true(read_text(&pairs, "0 7\n", NULL, &plain, &reason));
	parse_pairs_free(&pairs);
	assert_false(read_text(&pairs, "0 1,1\n", NULL, &plain, &reason));
	assert_says(reason, "1:3: 1,1 machine number");
}

static bool set(struct parse_workload *load, const char *key, const char *word)
{
	bool taken, good = parse_workload_set(load, key, word, &taken, &why);

	assert_int_equal(taken, strcmp(key, "routing") != 0);
	return good;
}

static bool finish(struct parse_workload *load, unsigned int ndims)
{
	static const uint32_t lengths[] = { 4, 2, 2 };
	const struct torus_machine_shape shape = { .ndims = ndims, .dims = lengths };

	return parse_workload_finish(load, torus_machine_find("bgl"), &shape, &why);
}

static void test_words_workload(void **state)
{
	struct parse_workload load;

	parse_workload_init(&load);
	assert_int_equal(load.traffic.size_min, 0);
	parse_workload_size(&load, torus_machine_find("xt"));
	assert_int_equal(load.traffic.size_min, 72);
	parse_workload_size(&load, torus_machine_find("bgl"));
	assert_int_equal(load.traffic.size_max, 72);
	assert_true(parse_workload_pattern(&load, "hotregion", &why));
	assert_true(set(&load, "routing", "deterministic"));
	REFUSED(finish(&load, 2), "region missing");
	assert_true(set(&load, "region", "2x1"));
	assert_true(finish(&load, 2));
	assert_true(load.traffic.share == 1ull << 32);
	assert_true(set(&load, "share", "0.25"));
	assert_true(set(&load, "region_at", "1,0"));
	assert_true(set(&load, "arrivals", "bernoulli"));
	assert_true(set(&load, "pacing", "1.5"));
	assert_true(set(&load, "class", "1"));
	assert_true(set(&load, "burst", "7"));
	assert_true(set(&load, "reply", "96"));
	assert_true(set(&load, "outstanding", "3"));
	assert_true(finish(&load, 2));
	assert_true(load.traffic.share == 1ull << 30);
	assert_int_equal(load.traffic.region[0], 2);
	assert_int_equal(load.traffic.region_at[0], 1);
	assert_int_equal(load.traffic.arrivals, 1);
	assert_true(load.traffic.pacing == 3ull << 31);
	assert_true(load.traffic.packet_class == 1);
	assert_true(load.traffic.burst == 7);
	assert_true(load.traffic.reply == 96);
	assert_true(load.traffic.outstanding == 3);
	REFUSED(finish(&load, 3),
		"--set region 2x1: 2 dimensions, but the fabric has 3");
	assert_true(set(&load, "region", "2x1x1"));
	REFUSED(finish(&load, 3),
		"--set region_at 1,0: 2 dimensions, but the fabric has 3");
	/* if there is no hot region, a share of the region is ignored */
	assert_true(parse_workload_pattern(&load, "uniform", &why));
	assert_true(set(&load, "region_at", "1,0,0"));
	assert_true(finish(&load, 3));
	assert_true(!load.traffic.share);
	assert_true(set(&load, "root_at", "1,0,0"));
	REFUSED(finish(&load, 3),
		"--set root_at: pattern uniform has no root");
	assert_true(parse_workload_pattern(&load, "linefill", &why));
	assert_true(finish(&load, 3));
}

static void check_hot(const char *word, const char *want)
{
	struct parse_workload load;
	char text[256] = "";
	size_t used = 0;
	uint32_t i;

	parse_workload_init(&load);
	assert_true(parse_workload_pattern(&load, "hotspot", &why));
	assert_true(set(&load, "hot", word));
	if (!finish(&load, 3))
		fail_msg("%s", why.text);
	assert_true(load.traffic.share == 1ull << 32);
	for (i = 0; i < load.traffic.hots; i++)
		used += snprintf(text + used, sizeof(text) - used, " %u", load.traffic.hot[i]);
	assert_string_equal(text, want);
}

/* Test the nodes of a hot spot: coordinates, numbers, ranges. */
static void test_words_hot(void **state)
{
	struct parse_workload load;

	check_hot("1,1,1", " 13");
	check_hot(" 0,0,0\t3,1,1 5 ", " 0 15 5");
	check_hot("2-3,0,0-1", " 2 3 10 11");
	check_hot("all,1,0", " 4 5 6 7");
	check_hot("14-15", " 14 15");
	check_hot("all", " 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
	parse_workload_init(&load);
	assert_true(parse_workload_pattern(&load, "hotspot", &why));
	REFUSED(finish(&load, 3), "hot missing");
	assert_true(set(&load, "hot", " "));
	REFUSED(finish(&load, 3), "hot \" \" node");
	assert_true(set(&load, "hot", "0,0,0 4,0,0"));
	REFUSED(finish(&load, 3), "node 4,0,0 x fabric 0 3");
	assert_true(set(&load, "hot", "0,0"));
	assert_false(finish(&load, 3));
	assert_true(set(&load, "hot", "16"));
	REFUSED(finish(&load, 3), "hot 16 0 15");
	assert_true(set(&load, "hot", "here"));
	assert_false(finish(&load, 3));
	assert_true(set(&load, "hot", "0-15 0-15 0-15 0-15 3"));
	REFUSED(finish(&load, 3), "hot 64 node");
}

/* Test numbers that no node has: the node numbers of the XT have gaps between regions. */
static void test_words_hot_gaps(void **state)
{
	static const uint32_t lengths[] = { 2, 2, 2 };
	struct torus_numbering gaps = {
		.split = { 1, 2, 2 }, .stride = { 0, 1, 2 }, .jump = { 4096, 0, 0 },
	};
	struct torus_machine_shape shape = { .ndims = 3, .dims = lengths, .numbering = &gaps };
	const struct torus_machine *xt = torus_machine_find("xt");
	struct torus_traffic traffic;
	char word[200];

	assert_true(parse_hot("3-4096", xt, &shape, &traffic, &why));
	assert_int_equal(traffic.hots, 2);
	assert_int_equal(traffic.hot[0], 3);
	assert_int_equal(traffic.hot[1], 4096);
	REFUSED(parse_hot("5", xt, &shape, &traffic, &why), "hot 5 node");
	shape.numbering = NULL;
	REFUSED(parse_hot("5", NULL, &shape, &traffic, &why), "hot 5 machine");
	memset(word, '1', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_false(parse_hot(word, xt, &shape, &traffic, &why));
	assert_says(why.text, "hot node");
}

static void test_words_workload_refused(void **state)
{
	struct parse_workload load;
	__u64 value = 3;

	parse_workload_init(&load);
	REFUSED(set(&load, "region", "2x0x2"), "region 2x0x2 y");
	REFUSED(set(&load, "region_at", "1,x"), "region_at 1,x y number");
	REFUSED(set(&load, "root_at", ""), "root_at x");
	REFUSED(set(&load, "share", "1.5"), "share 1.5 0 1");
	REFUSED(set(&load, "pacing", "2.5"), "pacing 2.5 0 2");
	REFUSED(set(&load, "class", "-1"), "class -1 number");
	REFUSED(set(&load, "arrivals", "late"), "arrivals late poisson bernoulli");
	REFUSED(set(&load, "burst", "0"), "burst 0 1 4294967295");
	REFUSED(parse_load("load", "0", &value, &why), "load 0");
	REFUSED(parse_load("loads: first", "2.1", &value, &why), "loads first 2.1 0 2");
	assert_int_equal(value, 3);
	assert_true(parse_load("load", "2", &value, &why));
	assert_true(value == 2ull << PARSE_LOAD_BITS);
	assert_true(parse_workload_loop(true, false, true, true, &why));
	assert_true(parse_workload_loop(false, true, false, false, &why));
	REFUSED(parse_workload_loop(true, true, false, false, &why), "--load --packets");
	REFUSED(parse_workload_loop(false, false, true, false, &why), "--load --packets missing");
	REFUSED(parse_workload_loop(false, true, true, true, &why), "--packets --cycles");
	REFUSED(parse_workload_loop(false, true, false, true, &why), "--packets --warmup");
}

static void test_words_fault(void **state)
{
	static const char *const words[][2] = {
		{ "state", "up" }, { "sender", "on" }, { "ber", ".5" }, { "delay", "4" },
		{ "corrupt", "5" }, { "escape", "6" }, { "drop-ack", "7" }, { "corrupt-ack", "8" },
		{ "ecc-single", "9" }, { "ecc-double", "10" }, { "parity", "11" },
		{ "at", "12us" }, { "for", "13" }, { "drop-nack", "14" },
	};
	struct parse_fault fault = { .has = 0 };
	char text[64];
	size_t i;

	assert_false(parse_fault_any(&fault));
	for (i = 0; i < COUNT(words); i++) {
		assert_true(parse_fault(&fault, words[i][0], words[i][1], &why));
		assert_int_equal(fault.has, (1u << (i + 1)) - 1);
		snprintf(text, sizeof(text), "%s twice", words[i][0]);
		REFUSED(parse_fault(&fault, words[i][0], words[i][1], &why), text);
	}
	assert_true(fault.up && fault.sender && fault.ber == 1ull << 63);
	assert_int_equal(fault.delay.ticks, 4);
	assert_int_equal(fault.corrupt, 5);
	assert_int_equal(fault.escape, 6);
	assert_int_equal(fault.drop_ack, 7);
	assert_int_equal(fault.drop_nack, 14);
	assert_int_equal(fault.corrupt_ack, 8);
	assert_int_equal(fault.ecc_single, 9);
	assert_int_equal(fault.ecc_double, 10);
	assert_int_equal(fault.parity, 11);
	assert_true(fault.at.fs == 12000000000ull);
	assert_int_equal(fault.lasting.ticks, 13);
	assert_true(parse_fault_any(&fault));
}

static void test_words_fault_refused(void **state)
{
	struct parse_fault fault = { .has = 0 };

	REFUSED(parse_fault(&fault, "colour", "red", &why), "colour");
	REFUSED(parse_fault(&fault, "state", "sideways", &why), "state sideways up down");
	REFUSED(parse_fault(&fault, "sender", "maybe", &why), "sender maybe on off dead");
	REFUSED(parse_fault(&fault, "corrupt", "4294967296", &why),
		"corrupt 4294967296 0 4294967295");
	REFUSED(parse_fault(&fault, "ber", "1", &why), "ber 1 0");
	REFUSED(parse_fault(&fault, "delay", "5h", &why), "delay 5h tick ns us ms s");
	REFUSED(parse_fault(&fault, "for", "0", &why), "for 0");
	REFUSED(parse_fault(&fault, "for", "0us", &why), "for 0us");
	/* the time of a change alone changes nothing */
	assert_int_equal(fault.has, 0);
	assert_true(parse_fault(&fault, "at", "0", &why));
	assert_false(parse_fault_any(&fault));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_pattern),
		cmocka_unit_test(test_words_pairs),
		cmocka_unit_test(test_words_pairs_numbered),
		cmocka_unit_test(test_words_workload),
		cmocka_unit_test(test_words_hot),
		cmocka_unit_test(test_words_hot_gaps),
		cmocka_unit_test(test_words_workload_refused),
		cmocka_unit_test(test_words_fault),
		cmocka_unit_test(test_words_fault_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
