// SPDX-License-Identifier: GPL-2.0
/* Print the medians of the measurements, as text and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <json-c/json.h>
#include "../../common/version.h"
#include "../../report/print.h"
#include "perf.h"
#include "options.h"
#include "measure.h"
#include "print.h"
#include "transport.h"

/**
 * struct row - results of a way at one length, over all rounds
 * @value: median of the measured values
 * @ratio: median of the ratios; a ratio divides the value by that of the first way in the same
 *    round
 * @least: smallest ratio in a round
 * @most: greatest ratio in a round
 * @programs: median processor time of the programs per message, in ns
 * @program_switches: median context switches of the programs per message
 * @engine: median processor time of the fabric's threads per message, in ns; NAN: not known
 * @engine_switches: median context switches of the fabric's threads per message; NAN: not known
 */
struct row {
	double value;
	double ratio;
	double least;
	double most;
	double programs;
	double program_switches;
	double engine;
	double engine_switches;
};

static const struct {
	const char *what;
	const char *unit;
	const char *key;
	double scale;
	const char *better;
} kinds[] = {
	[MEASURE_LAT] = { "half of a round trip", "us", "ns", 1e3, "less" },
	[MEASURE_BW] = { "bytes a second one way", "MB/s", "bytes_per_s", 1e6, "more" },
	[MEASURE_RATE] = { "messages a second one way", "1000/s", "messages_per_s", 1e3, "more" },
};

static int compare_samples(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Compute the median of @n values. The values are sorted. */
static double median(double *values, unsigned int n)
{
	qsort(values, n, sizeof(*values), compare_samples);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static double value_of(const struct sample *sample, const struct sample *beside, int which)
{
	switch (which) {
	case 0:
		return sample->value;
	case 1:
		return sample->value / beside->value;
	case 2:
		return (double)sample->programs.cpu_ns / sample->messages;
	case 3:
		return (double)sample->programs.switches / sample->messages;
	case 4:
		return (double)sample->engine.cpu_ns / sample->messages;
	default:
		return (double)sample->engine.switches / sample->messages;
	}
}

static void row_make(const struct call *call, struct perf_shared *shared, unsigned int size,
		     unsigned int way, struct row *row)
{
	double *to[] = { &row->value, &row->ratio, &row->programs, &row->program_switches,
			 &row->engine, &row->engine_switches };
	double values[ROUNDS_MAX];
	unsigned int round, i;
	bool seen = true;

	for (i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
		for (round = 0; round < call->rounds; round++)
			values[round] = value_of(sample_of(call, shared, round, size, way),
						 sample_of(call, shared, round, size, 0), i);
		*to[i] = median(values, call->rounds);
		if (i == 1) {
			row->least = values[0];
			row->most = values[call->rounds - 1];
		}
	}
	for (round = 0; round < call->rounds; round++)
		seen &= sample_of(call, shared, round, size, way)->engine_seen;
	if (!seen) {
		row->engine = NAN;
		row->engine_switches = NAN;
	}
}

static const char *poll_wait_word(const struct perf_way *way)
{
	return way->poll ? "poll" : "block";
}

static const char table_form[] =
	"# torus-perf {measure}: {what}, {better} is better; {ranks} ranks, between {between}; "
	"{rounds} rounds\n"
	"{?fabric}# fabric {fabric} ({arch} {shape})\n{/}"
	"# ratio: to blocking {beside} of the same round; the median, the least and the most\n"
	"# cpu, switches: of the programs, a message; engine: of the fabric's threads\n"
	"bytes    transport      wait  {unit%10s}   ratio   least    most    cpu us switches "
	"engine us switches\n"
	"{#rows}{bytes%-8u} {transport%-14s} {wait%-5s} {shown%10.2f} {ratio%7.2f} "
	"{ratio_least%7.2f} {ratio_most%7.2f} {cpu_ns/1e3%9.2f} {switches%8.2f} "
	"{engine_cpu_ns/1e3%9.2f} {engine_switches%8.2f}\n{/}";

static void add_word(struct json_object *object, const char *key, const char *word)
{
	json_object_object_add(object, key, json_object_new_string(word));
}

static void add_number(struct json_object *object, const char *key, double value)
{
	char text[32];

	if (!isfinite(value)) {
		json_object_object_add(object, key, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%.6g", value);
	json_object_object_add(object, key, json_object_new_double_s(value, text));
}

static struct json_object *document_make(const struct call *call,
					 const struct torus_fabric_info *info)
{
	struct json_object *document = json_object_new_object();

	add_word(document, "measure", measures[call->measure]);
	add_word(document, "unit", kinds[call->measure].key);
	add_word(document, "better", kinds[call->measure].better);
	add_word(document, "between", betweens[call->between]);
	json_object_object_add(document, "ranks", json_object_new_uint64(call->ranks));
	json_object_object_add(document, "rounds", json_object_new_uint64(call->rounds));
	add_word(document, "beside", transports[call->ways[0].transport].name);
	if (info) {
		add_word(document, "fabric", info->name);
		add_word(document, "arch", info->arch);
	}
	json_object_object_add(document, "rows", json_object_new_array());
	add_word(document, "program", "torus-perf");
	add_word(document, "version", torus_version());
	return document;
}

static void document_row(const struct call *call, struct json_object *document, unsigned int size,
			 unsigned int way, const struct row *row)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "bytes",
			       json_object_new_uint64(call->sizes.bytes[size]));
	add_word(object, "transport", transports[call->ways[way].transport].name);
	add_word(object, "wait", poll_wait_word(&call->ways[way]));
	add_number(object, "value", row->value);
	if (!call->json)
		add_number(object, "shown", row->value / kinds[call->measure].scale);
	add_number(object, "ratio", row->ratio);
	add_number(object, "ratio_least", row->least);
	add_number(object, "ratio_most", row->most);
	add_number(object, "cpu_ns", row->programs);
	add_number(object, "switches", row->program_switches);
	add_number(object, "engine_cpu_ns", row->engine);
	add_number(object, "engine_switches", row->engine_switches);
	json_object_array_add(json_object_object_get(document, "rows"), object);
}

/* Add the members that only the text has, in its units. */
static void document_text(const struct call *call, const struct torus_fabric_info *info,
			  struct json_object *document)
{
	char shape[TORUS_DIMS_MAX * 11 + 1] = "";
	size_t used = 0;
	uint32_t d;

	for (d = 0; info && d < info->ndims; d++)
		used += snprintf(shape + used, sizeof(shape) - used, "%s%u", d ? "x" : "",
				 info->dims[d]);
	add_word(document, "what", kinds[call->measure].what);
	add_word(document, "unit", kinds[call->measure].unit);
	add_word(document, "shape", shape);
}

/**
 * table_print - print all results
 * @call: the command line
 * @shared: the samples
 * @info: the fabric, or NULL
 */
void table_print(const struct call *call, struct perf_shared *shared,
		 const struct torus_fabric_info *info)
{
	struct json_object *document = document_make(call, info);
	unsigned int size, way;
	struct row row;

	for (size = 0; size < call->sizes.count; size++) {
		for (way = 0; way < call->nways; way++) {
			row_make(call, shared, size, way, &row);
			document_row(call, document, size, way, &row);
		}
	}
	if (call->json) {
		report_print_json(document, call->pretty);
		return;
	}
	document_text(call, info, document);
	report_print(stdout, document, table_form);
	json_object_put(document);
}
