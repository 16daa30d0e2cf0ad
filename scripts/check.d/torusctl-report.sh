#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The numbers that torusctl and torus-sim print: a result worked out by hand, and
# decimals turned into fixed point.  Builds user/report with a small program.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

dir=build/check-report
mkdir -p "$dir"
cat >"$dir/test.c" <<'C'
// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "fraction.h"
#include "pattern.h"
#include "report.h"

static int number, failed;

static void tap(bool good, const char *name)
{
	failed += !good;
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, name);
}

static bool near(double value, double wanted)
{
	return fabs(value - wanted) <= 1e-9 * fmax(1, fabs(wanted));
}

static void fraction(const char *text, unsigned int bits, enum fraction_error error,
		     uint64_t wanted)
{
	uint64_t value = 0;
	char name[128];
	enum fraction_error got = fraction_parse(text, bits, &value);

	snprintf(name, sizeof(name), "%.40s in units of 2^-%u", text, bits);
	tap(got == error && (error != FRACTION_OK || value == wanted), name);
}

static void fractions(void)
{
	char text[700];

	fraction("0", 64, FRACTION_OK, 0);
	fraction("0.0e99", 64, FRACTION_OK, 0);
	fraction("1e-5", 64, FRACTION_OK, 184467440737096ull);	/* .. 095.51615 */
	fraction("0.00001", 64, FRACTION_OK, 184467440737096ull);
	fraction("100e-7", 64, FRACTION_OK, 184467440737096ull);
	fraction(".5", 64, FRACTION_OK, 1ull << 63);
	fraction("5E-1", 64, FRACTION_OK, 1ull << 63);
	fraction("0.75", 64, FRACTION_OK, 3ull << 62);
	/* 2^-64 itself, and just below and at the half of it */
	fraction("5.421010862427522170037264004349708557128906250e-20", 64, FRACTION_OK, 1);
	fraction("2.7105054312137610850186320021748542785644531250e-20", 64, FRACTION_OK, 1);
	fraction("2.7105054312137610850186320021748542785644531249e-20", 64, FRACTION_SMALL, 0);
	/* 1 - 2^-64 */
	fraction("0.9999999999999999999457898913757247782996273599565029144287109375", 64,
		 FRACTION_OK, UINT64_MAX);
	fraction("0.99999999999999999999999999999999", 64, FRACTION_OK, UINT64_MAX);
	fraction("1", 64, FRACTION_LARGE, 0);
	fraction("1.0", 64, FRACTION_LARGE, 0);
	fraction("1e1000000000", 64, FRACTION_LARGE, 0);
	fraction("1e-1000000000", 64, FRACTION_SMALL, 0);
	fraction("0.9", 32, FRACTION_OK, 3865470566ull);	/* .. 566.4 */
	fraction("0.3", 32, FRACTION_OK, 1288490189ull);	/* .. 188.8 */
	fraction("1", 32, FRACTION_OK, 1ull << 32);
	fraction("2", 32, FRACTION_OK, 1ull << 33);
	fraction("4294967295.9999999999", 32, FRACTION_OK, UINT64_MAX);
	fraction("4294967296", 32, FRACTION_LARGE, 0);
	/* More digits than can be kept: zeros do no harm, others count as something. */
	memset(text, '0', sizeof(text));
	memcpy(text, "0.5", 3);
	text[sizeof(text) - 1] = '\0';
	fraction(text, 64, FRACTION_OK, 1ull << 63);
	text[2] = '0';
	text[sizeof(text) - 2] = '1';
	fraction(text, 64, FRACTION_SMALL, 0);
	fraction("", 64, FRACTION_SYNTAX, 0);
	fraction(".", 64, FRACTION_SYNTAX, 0);
	fraction("-0.5", 64, FRACTION_SYNTAX, 0);
	fraction("0.5 ", 64, FRACTION_SYNTAX, 0);
	fraction("0x1", 64, FRACTION_SYNTAX, 0);
	fraction("1e", 64, FRACTION_SYNTAX, 0);
	fraction("1e5x", 64, FRACTION_SYNTAX, 0);
	tap(near(fraction_double(3ull << 62, 64), 0.75), "fixed point back to a number");
}

static void patterns(void)
{
	uint32_t pattern;
	uint32_t i;
	bool good = true;

	for (i = 0; i < TORUS_PATTERN_MAX; i++)
		good = good && pattern_find(pattern_name(i), &pattern) && pattern == i;
	tap(good, "every pattern is found by its name");
	tap(!pattern_find("swirl", &pattern), "and no other");
	tap(pattern_find("file:x", &pattern) && pattern == TORUS_PATTERN_TABLE &&
	    !strcmp(pattern_file("file:x"), "x") && !pattern_file("uniform") &&
	    !pattern_find("file:", &pattern), "a pattern from a file");
}

/* 8 nodes, 2 dimensions of 16 links, a window of 1000 ticks. */
static struct report_context context = {
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

static struct torus_result result = {
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

static void figures(void)
{
	struct report_figures f;

	report_figures(&context, &result, &f);
	tap(near(f.window_ticks, 1000), "length of the window");
	tap(near(f.latency_mean_ticks, 300), "mean latency");
	tap(near(f.hops_mean, 1.5), "mean hops");
	tap(near(f.dim_utilization[0], 0.75) && near(f.dim_utilization[1], 0.25),
	    "links of each dimension");
	tap(near(f.utilization, 0.5), "links");
	tap(near(f.payload_utilization, 0.25), "payload");
	tap(near(f.percent_of_peak, 75), "peak, open loop");
	tap(near(f.little, 0.01), "Little's law");
	tap(!f.saturated && f.steady, "steady and not saturated");

	context.traffic.pattern = TORUS_PATTERN_HOTREGION;
	result.win_delivered = 900;
	report_figures(&context, &result, &f);
	tap(near(f.percent_of_peak, 67.5), "peak of a hot region, open loop");
	tap(f.saturated, "a tenth that is left behind is saturation");
	result.win_delivered = 1000;
	context.traffic.pattern = TORUS_PATTERN_UNIFORM;

	result.backlog = 60;
	report_figures(&context, &result, &f);
	tap(f.saturated, "a backlog is saturation");
	result.backlog = 0;

	context.traffic.load = 0;
	context.traffic.packets = 5;
	report_figures(&context, &result, &f);
	tap(near(f.percent_of_peak, 80), "peak, closed loop");
	context.traffic.load = 3ull << 30;

	result.win_half_delivered[0] = 600;
	result.win_half_delivered[1] = 400;
	report_figures(&context, &result, &f);
	tap(!f.steady, "halves that deliver differently are not steady");
	result.win_half_delivered[0] = 510;
	result.win_half_delivered[1] = 490;
	result.win_half_latency[1] = 250000;
	report_figures(&context, &result, &f);
	tap(!f.steady, "halves whose latency differs are not steady");
	result.win_half_latency[1] = 150000;

	context.arch = "xt";
	report_figures(&context, &result, &f);
	tap(near(f.payload_utilization, 0.5), "payload where a byte takes two ticks");
	context.arch = "bgl";
}

static void print(void)
{
	const struct report_perf perf = { 4000000, 2, 3, 1 << 20 };
	const struct torus_result nothing = { .done = 0 };
	struct json_object *doc;

	context.perf = &perf;
	doc = report_json(&context, &result);
	puts(json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN));
	json_object_put(doc);
	doc = report_json(&context, &nothing);
	puts(json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN));
	json_object_put(doc);
	context.perf = NULL;
	report_text(stdout, &context, &result);
	report_text(stdout, &context, &nothing);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		print();
		return 0;
	}
	fractions();
	patterns();
	figures();
	printf("last %d %d\n", number, failed);
	return 0;
}
C

read -ra flags <<<"$(pkg-config --cflags --libs json-c)"
if ! ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -g -O1 -D_GNU_SOURCE \
	-fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-Iinclude/uapi -Iuser/report -o "$dir/test" "$dir/test.c" user/report/*.c \
	"${flags[@]}" -lm; then
	echo "Bail out! user/report does not build"
	exit 1
fi

output=$("$dir/test") || echo "Bail out! the program failed: $output"
grep -v ^last <<<"$output"
read -r _ number failed < <(grep ^last <<<"$output")

# The JSON has the keys that DESIGN.md promises, of the right types.
number=$((number + 1))
if "$dir/test" print >"$dir/output" && python3 - "$dir/output" <<'PYTHON'; then
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    documents = [json.loads(next(file)) for _ in range(2)]
    text = file.read()
whole, part, words, flag = (int,), (float,), (str,), (bool,)
keys = {
    "arch": words, "shape": words, "pattern": words, "size_bytes": part, "load": part,
    "seed": whole, "threads": whole, "domains": whole, "cycles": whole, "tick_fs": whole,
    "packets.injected": whole, "packets.delivered": whole, "packets.dropped": whole,
    "packets.retransmitted": whole, "in_flight": whole, "hops_total": whole,
    "saturated": flag, "steady": flag, "latency_cycles.mean": part,
    "latency_cycles.p50": whole, "latency_cycles.p99": whole, "latency_cycles.max": whole,
    "hops.mean": part, "hops.max": whole, "link_utilization.mean": part,
    "link_utilization.per_dimension.x": part, "link_utilization.per_dimension.y": part,
    "payload_utilization": part, "percent_of_peak": part, "selfcheck.conservation": flag,
    "selfcheck.tokens": flag, "selfcheck.little": part, "delivery_hash": words,
    "perf.events": whole, "perf.packet_hops": whole, "perf.cpu_s": part, "perf.wall_s": part,
    "perf.rss_bytes": whole, "perf.packet_hops_per_cpu_s": part,
}
for document in documents:
    for key, kinds in keys.items():
        value = document
        for step in key.split("."):
            value = value[step]
        assert type(value) in kinds, (key, value)
    for vc in document["vc"]:
        assert type(vc["name"]) is str and type(vc["share"]) is float
assert [(vc["name"], vc["share"]) for vc in documents[0]["vc"]] == [
    ("D0", 0.75), ("D1", 0.25), ("BN", 0), ("BP", 0)]
assert documents[0]["delivery_hash"] == "0000000000012345"
assert documents[0]["mesh"] == ["y"] and documents[0]["shape"] == "4x2"
assert documents[0]["load"] == 0.75 and documents[0]["size_bytes"] == 144
assert documents[0]["perf"]["packet_hops_per_cpu_s"] == 2e6
assert text.startswith("bgl 4x2 mesh y, uniform at load 0.75, 32 to 256 bytes, seed 7")
assert "nan" not in text and "inf" not in text.replace("in flight", "")
PYTHON
	echo "ok $number - JSON and text"
else
	failed=$((failed + 1))
	echo "not ok $number - JSON and text"
	sed 's/^/# /' "$dir/output"
fi
echo "1..$number"
exit $((failed > 0))
