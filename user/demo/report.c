// SPDX-License-Identifier: GPL-2.0
/* Totals of all processes, during the run and at its end. */
#include <stdio.h>
#include <string.h>
#include <json-c/json.h>
#include "../common/escape.h"
#include "../common/version.h"
#include "../report/json.h"
#include "../report/print.h"
#include "content.h"
#include "demo.h"
#include "options.h"
#include "report.h"
#include "torus-demo.h"

#define FAILURES_SHOWN	4

static const char * const phase_names[PHASES] = { "ring", "halo", "all-to-all" };

static const char totals_form[] =
	"{#phases}{name%-11s} {messages%6u} messages {bytes%10u} bytes verified {seconds%8.2f} s\n"
	"{/}{_-11}{?ok}all right{:}NOT RIGHT{/}{/} {messages%6u} messages {bytes%10u} bytes "
	"verified, {packets} packets sent, {rejected} rejected, {bad} messages bad\n";

static __u64 totals_sum(const __u64 values[PHASES])
{
	__u64 all = 0;
	unsigned int i;

	for (i = 0; i < PHASES; i++)
		all += values[i];
	return all;
}

/**
 * totals_expect() - compute the totals of a complete run
 * @fabric: the fabric
 * @totals: [out] messages and bytes by phase
 */
void totals_expect(const struct torus_fabric_info *fabric, struct totals *totals)
{
	uint32_t n = fabric->nodes, dim, source, dest;
	unsigned int i;

	memset(totals, 0, sizeof(*totals));
	for (i = 0; i < options.laps; i++) {
		totals->messages[PHASE_RING] += n;
		totals->bytes[PHASE_RING] += (__u64)n * content_lap_length(i);
	}
	for (dim = 0; dim < fabric->ndims; dim++) {
		__u64 links = 2ull * n;

		if (fabric->dims[dim] == 1)
			continue;
		if (fabric->mesh >> dim & 1)
			links -= 2 * n / fabric->dims[dim];
		totals->messages[PHASE_HALO] += links * options.iterations;
	}
	totals->bytes[PHASE_HALO] = totals->messages[PHASE_HALO] * options.halo_bytes;
	for (i = 0; i < options.rounds; i++)
		for (source = 0; source < n; source++)
			for (dest = 0; dest < n; dest++)
				totals->bytes[PHASE_ALL] +=
					content_mixed_length(source, dest, i, n);
	totals->messages[PHASE_ALL] = (__u64)n * n * options.rounds;
}

static void totals_verified(uint32_t count, struct totals *totals)
{
	unsigned int phase;
	uint32_t i;

	memset(totals, 0, sizeof(*totals));
	for (i = 0; i < count; i++)
		for (phase = 0; phase < PHASES; phase++) {
			const struct tally *tally = &shared->tally[i];

			totals->messages[phase] += __atomic_load_n(&tally->messages[phase],
								   __ATOMIC_RELAXED);
			totals->bytes[phase] += __atomic_load_n(&tally->bytes[phase],
								__ATOMIC_RELAXED);
		}
}

/**
 * report_progress() - print the progress, if enabled
 * @count: number of ranks
 * @expected: totals of a complete run
 * @start_ns: start of the run
 * @last: the run has ended
 *
 * Rewrites one line on a terminal. With --progress, prints a new line every two seconds instead.
 */
void report_progress(uint32_t count, const struct totals *expected, __u64 start_ns, bool last)
{
	static __u64 shown_ns;
	struct totals now;
	unsigned int i;

	if (!options.progress ||
	    (!last && demo_now_ns() - shown_ns < (options.lines ? 2000000000 : 200000000)))
		return;
	shown_ns = demo_now_ns();
	totals_verified(count, &now);
	fprintf(stderr, "%s%5.1f s", options.lines ? "" : "\r", (demo_now_ns() - start_ns) / 1e9);
	for (i = 0; i < PHASES; i++)
		fprintf(stderr, "  %s %llu/%llu", phase_names[i], now.messages[i],
			expected->messages[i]);
	fprintf(stderr, "  %.1f of %.1f MB%s", totals_sum(now.bytes) / 1e6,
		totals_sum(expected->bytes) / 1e6, options.lines || last ? "\n" : "");
	fflush(stderr);
}

/* Return: the duration of a phase, or 0 if it has not ended. */
static double report_seconds(unsigned int phase)
{
	if (!shared->end_ns[phase])
		return 0;
	return (shared->end_ns[phase] - shared->begin_ns[phase]) / 1e9;
}

static struct json_object *phase_record(const struct totals *totals, unsigned int phase)
{
	struct json_object *record = json_object_new_object();
	char seconds[32];

	snprintf(seconds, sizeof(seconds), "%.6f", report_seconds(phase));
	report_add_text(record, "name", phase_names[phase]);
	report_add_u64(record, "messages", totals->messages[phase]);
	report_add_u64(record, "bytes", totals->bytes[phase]);
	json_object_object_add(record, "seconds",
			       json_object_new_double_s(report_seconds(phase), seconds));
	return record;
}

/* Print one record, as text or as JSON. */
static void print_totals(const struct torus_fabric_info *fabric, const struct totals *totals,
			 __u64 packets, __u64 rejected, __u64 bad, bool right)
{
	struct json_object *record = json_object_new_object(), *phases = json_object_new_array();
	unsigned int i;

	for (i = 0; i < PHASES; i++)
		json_object_array_add(phases, phase_record(totals, i));
	report_add_text(record, "fabric", fabric->name);
	report_add_u64(record, "processes", fabric->nodes);
	json_object_object_add(record, "phases", phases);
	report_add_u64(record, "messages", totals_sum(totals->messages));
	report_add_u64(record, "bytes", totals_sum(totals->bytes));
	report_add_u64(record, "packets", packets);
	report_add_u64(record, "rejected", rejected);
	report_add_u64(record, "bad", bad);
	report_add_bool(record, "ok", right);
	report_add_text(record, "program", "torus-demo");
	report_add_text(record, "version", torus_version());
	if (options.json)
		report_print_json(record, false);
	else
		report_item(NULL, record, totals_form);
}

/**
 * report_end() - print the results
 * @fabric: the fabric
 * @expected: totals of a complete run
 * @status: 0, or the exit status of a failure of the processes
 *
 * Return: the exit status of the program.
 */
int report_end(const struct torus_fabric_info *fabric, const struct totals *expected, int status)
{
	__u64 packets = 0, rejected = 0, bad = 0;
	unsigned int failures = 0;
	struct totals totals;
	bool right;
	uint32_t i;

	for (i = 0; i < fabric->nodes; i++) {
		const struct tally *tally = &shared->tally[i];

		packets += tally->packets;
		rejected += tally->rejected;
		bad += tally->bad;
		if (tally->failure[0] && failures++ < FAILURES_SHOWN)
			torus_escape_message(stderr, "torus-demo: rank %u: %.255s\n", i,
					     tally->failure);
	}
	if (failures > FAILURES_SHOWN)
		fprintf(stderr, "torus-demo: and %u more\n", failures - FAILURES_SHOWN);
	totals_verified(fabric->nodes, &totals);
	right = !status && !bad && !memcmp(&totals, expected, sizeof(totals));
	print_totals(fabric, &totals, packets, rejected, bad, right);
	return right ? 0 : status ? status : 1;
}
