// SPDX-License-Identifier: GPL-2.0
/* Test the numbers that torusctl and torus-sim print, with a result computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "../ratios.h"
#include "../print.h"
#include "../report.h"
#include "../tni.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* A machine of 8 nodes with 16 links in each of 2 dimensions, and a window of 1000 ticks. */
static const struct report_context good_context = {
	.arch = "bgl",
	.vcs = "D0 D1 BN BP",
	.ndims = 2,
	.dims = { 4, 2 },
	.mesh = 2,
	.traffic = { .pattern = TORUS_PATTERN_UNIFORM, .size_min = 32, .size_max = 256,
		     .load = 3ull << 30 },
	.seed = 7,
	.threads = 1,
	.domains = 2,
};

static const struct torus_result good_result = {
	.done = 1,
	.window_start = 500,
	.window_end = 1500,
	.nodes = 8,
	.links = 32,
	.tick_fs = 5714286,
	.injected = 1100,
	.delivered = 1090,
	.in_flight = 10,
	.hash = 0x12345,
	.win_generated = 1000,
	.win_injected = 1000,
	.win_delivered = 1000,
	.win_latency_sum = 300000,
	.win_network_latency_sum = 198000,
	.win_hops_sum = 1500,
	.win_busy = { 12000, 4000 },
	.win_bytes = 144000,
	.win_payload_bytes = 8000,
	.win_population_ticks = 200000,
	.win_half_delivered = { 510, 490 },
	.win_half_latency = { 150000, 150000 },
	.dim_links = { 16, 16 },
	.vc_packets = { 3, 1 },
	.conservation = 1,
	.tokens = 1,
	.peak_num = 1600,
	.peak_den = 2,
};

static struct report_figures figures_of(const struct report_context *context,
					const struct torus_result *result)
{
	struct report_figures figures;

	report_figures(context, result, &figures);
	return figures;
}

static void check_near(double value, double wanted)
{
	double allowed = wanted > 1 ? wanted / 1000000 : 0.000001;

	assert_float_equal(value, wanted, allowed);
}

static void test_report_figures(void **state)
{
	struct report_figures f = figures_of(&good_context, &good_result);

	check_near(f.window_ticks, 1000);
	check_near(f.latency_mean_ticks, 300);
	check_near(f.hops_mean, 1.5);
	check_near(f.dim_utilization[0], 0.75);
	check_near(f.dim_utilization[1], 0.25);
	check_near(f.utilization, 0.5);
	check_near(f.payload_utilization, 0.25);
	check_near(f.percent_of_peak, 100.0 * 1000 / 8 * 800 / 1000);
	check_near(f.accepted_packets, 0.125);
	check_near(f.accepted_bytes, 18);
	check_near(f.accepted_flits, 0.5625);
	check_near(f.little, 0.01);
	assert_false(f.saturated);
	assert_true(f.steady);
}

static void test_report_peaks(void **state)
{
	struct report_context context = good_context;
	struct torus_result result = good_result;

	/* delivered packets count, even if the links are hardly used */
	result.win_delivered = 900;
	result.win_busy[0] = 0;
	check_near(figures_of(&context, &result).percent_of_peak,
		   100.0 * 900 / result.nodes * 800 / 1000);
	/*
	 * in a closed loop, the time that the busiest link needs is related to the time of the run
	 */
	context = good_context;
	context.traffic.load = 0;
	context.traffic.packets = 5;
	check_near(figures_of(&context, &good_result).percent_of_peak, 80);
}

static void test_report_saturated(void **state)
{
	struct report_context context = good_context;
	struct torus_result result = good_result;

	/* a tenth of the generated packets is not delivered */
	result.win_delivered = 900;
	assert_true(figures_of(&context, &result).saturated);
	result = good_result;
	result.backlog = 60;
	assert_true(figures_of(&context, &result).saturated);
	context.traffic.load = 0;
	context.traffic.packets = 5;
	assert_false(figures_of(&context, &result).saturated);
}

static void test_report_steady(void **state)
{
	struct torus_result result = good_result;

	result.win_half_delivered[0] = 600;
	result.win_half_delivered[1] = 400;
	assert_false(figures_of(&good_context, &result).steady);
	result = good_result;
	result.win_half_latency[1] = 250000;
	assert_false(figures_of(&good_context, &result).steady);
}

static void test_report_ticks_per_byte(void **state)
{
	struct report_context context = good_context;

	context.ticks_per_byte = 2;
	check_near(figures_of(&context, &good_result).payload_utilization, 0.5);
	/* if the machine is unknown, a byte takes one tick */
	context.ticks_per_byte = 0;
	context.arch = "paragon";
	check_near(figures_of(&context, &good_result).payload_utilization, 0.25);
}

static struct json_object *find(struct json_object *doc, const char *path)
{
	char step[64];

	for (; *path; path += strcspn(path, ".") + (path[strcspn(path, ".")] == '.')) {
		snprintf(step, sizeof(step), "%.*s", (int)strcspn(path, "."), path);
		if (!json_object_object_get_ex(doc, step, &doc))
			fail_msg("no key %s", step);
	}
	return doc;
}

static void check_types(struct json_object *doc)
{
	static const struct {
		const char *path;
		json_type type;
	} keys[] = {
		{ "arch", json_type_string },
		{ "shape", json_type_string },
		{ "pattern", json_type_string },
		{ "size_bytes", json_type_double },
		{ "load", json_type_double },
		{ "seed", json_type_int },
		{ "threads", json_type_int },
		{ "domains", json_type_int },
		{ "cycles", json_type_int },
		{ "tick_fs", json_type_int },
		{ "packets.injected", json_type_int },
		{ "packets.delivered", json_type_int },
		{ "packets.dropped", json_type_int },
		{ "packets.retransmitted", json_type_int },
		{ "in_flight", json_type_int },
		{ "hops_total", json_type_int },
		{ "saturated", json_type_boolean },
		{ "steady", json_type_boolean },
		{ "latency_cycles.mean", json_type_double },
		{ "latency_cycles.p50", json_type_int },
		{ "latency_cycles.p99", json_type_int },
		{ "latency_cycles.max", json_type_int },
		{ "hops.mean", json_type_double },
		{ "hops.max", json_type_int },
		{ "link_utilization.mean", json_type_double },
		{ "link_utilization.per_dimension.x", json_type_double },
		{ "link_utilization.per_dimension.y", json_type_double },
		{ "payload_utilization", json_type_double },
		{ "percent_of_peak", json_type_double },
		{ "selfcheck.conservation", json_type_boolean },
		{ "selfcheck.tokens", json_type_boolean },
		{ "selfcheck.little", json_type_double },
		{ "delivery_hash", json_type_string },
		{ "perf.events", json_type_int },
		{ "perf.packet_hops", json_type_int },
		{ "perf.cpu_s", json_type_double },
		{ "perf.wall_s", json_type_double },
		{ "perf.rss_bytes", json_type_int },
		{ "perf.packet_hops_per_cpu_s", json_type_double },
	};
	struct json_object *vcs = find(doc, "vc");
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (json_object_get_type(find(doc, keys[i].path)) != keys[i].type)
			fail_msg("%s: another type", keys[i].path);
	for (i = 0; i < json_object_array_length(vcs); i++) {
		struct json_object *vc = json_object_array_get_idx(vcs, i);

		assert_int_equal(json_object_get_type(find(vc, "name")), json_type_string);
		assert_int_equal(json_object_get_type(find(vc, "share")), json_type_double);
	}
}

static void check_string(struct json_object *doc, const char *path, const char *wanted)
{
	assert_string_equal(json_object_get_string(find(doc, path)), wanted);
}

/* Check that the JSON document contains the expected keys, with values of the right types. */
static void test_report_json(void **state)
{
	static const char *const names[] = { "D0", "D1", "BN", "BP" };
	static const double shares[] = { 0.75, 0.25, 0, 0 };
	const struct report_perf perf = { 4000000, 2, 3, 1 << 20 };
	const struct torus_result nothing = { .done = 0 };
	struct report_context context = good_context;
	struct json_object *doc, *vcs;
	size_t i;

	context.perf = &perf;
	/* without packets there is no latency, so the JSON value is null */
	doc = report_json(&context, &nothing);
	assert_null(json_object_object_get(json_object_object_get(doc, "latency_cycles"), "mean"));
	assert_null(json_object_object_get(json_object_object_get(doc, "hops"), "max"));
	json_object_put(doc);
	doc = report_json(&context, &good_result);
	check_types(doc);
	vcs = find(doc, "vc");
	assert_int_equal(json_object_array_length(vcs), 4);
	for (i = 0; i < 4; i++) {
		struct json_object *vc = json_object_array_get_idx(vcs, i);

		check_string(vc, "name", names[i]);
		check_near(json_object_get_double(find(vc, "share")), shares[i]);
	}
	check_string(doc, "delivery_hash", "0000000000012345");
	check_string(doc, "shape", "4x2");
	assert_int_equal(json_object_array_length(find(doc, "mesh")), 1);
	assert_string_equal(json_object_get_string(json_object_array_get_idx(find(doc, "mesh"), 0)),
			    "y");
	check_near(json_object_get_double(find(doc, "load")), 0.75);
	check_near(json_object_get_double(find(doc, "size_bytes")), 144);
	check_near(json_object_get_double(find(doc, "perf.packet_hops_per_cpu_s")), 2e6);
	json_object_put(doc);
}

static void test_report_text(void **state)
{
	static const char begin[] =
		"bgl 4x2 mesh y, uniform at load 0.75, 32 to 256 bytes, seed 7";
	const struct torus_result nothing = { .done = 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	report_text(out, &good_context, &good_result);
	report_text(out, &good_context, &nothing);
	fclose(out);
	assert_memory_equal(text, begin, sizeof(begin) - 1);
	/* Without measurements, no value is printed as NAN or infinity. */
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, " inf"));
	free(text);
}

/*
 * Check the text line and the JSON object of each network interface, and the name of each counter.
 */
static void test_report_tnis(void **state)
{
	const struct torus_tni_counters tnis[2] = {
		{ .packets_sent = 1, .bytes_sent = 2, .packets_received = 3, .bytes_received = 4,
		  .commands = 5, .notices = 6, .waits = 7, .errors = 8, .refused = 9 },
		{ .bytes_sent = 1ull << 40 },
	};
	struct json_object *list = report_tnis_json(tnis, 2), *doc;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_string_equal(json_object_to_json_string_ext(json_object_array_get_idx(list, 0), 0),
			    "{\"tni\":0,\"packets_sent\":1,\"bytes_sent\":2,"
			    "\"packets_received\":3,\"bytes_received\":4,\"commands\":5,"
			    "\"notices\":6,\"waits\":7,\"errors\":8,\"refused\":9}");
	assert_int_equal(json_object_array_length(list), 2);
	assert_non_null(out);
	doc = json_object_new_object();
	json_object_object_add(doc, "tnis", list);
	report_print(out, doc, REPORT_TNIS);
	json_object_put(doc);
	fclose(out);
	assert_non_null(strstr(text, "TNI 0: sent 1 packets 2 bytes, received 3 packets 4 bytes, "
			       "commands 5 notices 6 waits 7 errors 8 refused 9\n"));
	assert_non_null(strstr(text, "TNI 1: sent 0 packets 1099511627776 bytes"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report_figures),
		cmocka_unit_test(test_report_peaks),
		cmocka_unit_test(test_report_saturated),
		cmocka_unit_test(test_report_steady),
		cmocka_unit_test(test_report_ticks_per_byte),
		cmocka_unit_test(test_report_json),
		cmocka_unit_test(test_report_text),
		cmocka_unit_test(test_report_tnis),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
