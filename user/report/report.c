// SPDX-License-Identifier: GPL-2.0
/* Print the result of a workload as text for people and as JSON for programs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../parse/pattern.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "json.h"
#include "ratios.h"
#include "print.h"
#include "report.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Names of torus_result.done. */
static const char *const outcomes[] = { "interrupted", "done", "deadlocked", "failed" };

/**
 * report_vc_name - get the name of a virtual channel
 * @context: contains the names of the VCs
 * @vc: number of the VC
 * @text: buffer for the name
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *report_vc_name(const struct report_context *context, unsigned int vc, char *text,
			   size_t size)
{
	const char *word = context->vcs;
	unsigned int i;

	for (i = 0; word && *word && i < vc; i++) {
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	if (word && *word) {
		snprintf(text, size, "%.*s", (int)strcspn(word, " "), word);
		return text;
	}
	snprintf(text, size, "vc%u", vc);
	return text;
}

/**
 * report_double - make a JSON number with few digits
 *
 * Return: the JSON number; NULL, which is null in JSON, for NAN (not measured).
 */
struct json_object *report_double(double value)
{
	char text[32];

	if (!isfinite(value))
		return NULL;
	snprintf(text, sizeof(text), "%.9g", value);
	/*
	 * The number always has a point or an exponent, so that readers with typed numbers find a
	 * float.
	 */
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	return json_object_new_double_s(value, text);
}

/**
 * report_put - print a number as text, or "-" for NAN (not measured)
 * @width: minimum number of characters
 * @digits: digits after the point
 */
void report_put(FILE *out, int width, int digits, double value)
{
	if (isfinite(value))
		fprintf(out, "%*.*f", width, digits, value);
	else
		fprintf(out, "%*s", width, "-");
}

static const char *report_pattern(const struct report_context *context)
{
	return context->pattern ? context->pattern : parse_pattern_name(context->traffic.pattern);
}

static const char *report_outcome(const struct torus_result *result)
{
	/* a deadlock without packets in flight: replies for which nodes wait were lost */
	if (result->done == 2 && !result->in_flight)
		return "failed";
	return result->done < ARRAY_SIZE(outcomes) ?
	       outcomes[result->done] : "unknown";
}

/**
 * report_vcs - count the virtual channels of a machine
 * @context: contains the names of the VCs
 */
unsigned int report_vcs(const struct report_context *context)
{
	const char *word = context->vcs;
	unsigned int vcs = 0;

	while (word && *word && vcs < TORUS_VCS_MAX) {
		vcs++;
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	return vcs;
}

static double report_vc_share(const struct torus_result *result, unsigned int vc)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < TORUS_VCS_MAX; i++)
		sum += result->vc_packets[i];
	return sum > 0 ? result->vc_packets[vc] / sum : NAN;
}

/*
 * Return the mean number of chunks in a buffer of the VC, over all links and over the ends of all
 * batches. A closed loop has no batches.
 */
static double report_vc_occupancy(const struct report_context *context,
				  const struct torus_result *result, unsigned int vc)
{
	return result->links && context->traffic.cycles ?
	       result->vc_occupancy[vc] / 256.0 / result->links : NAN;
}

static const char *shape_text(const struct report_context *context, char *text, size_t size)
{
	return context->nshape ? parse_shape_text(context->nshape, context->shape, text, size) :
				 parse_shape_text(context->ndims, context->dims, text, size);
}

static void json_question(struct json_object *doc, const struct report_context *context,
			  const struct torus_result *result, const struct report_figures *figures)
{
	const struct torus_traffic *traffic = &context->traffic;
	struct json_object *mesh = json_object_new_array();
	char text[PARSE_SHAPE_MAX];
	unsigned int d;

	for (d = 0; d < context->ndims; d++) {
		if (!(context->mesh & (1u << d)))
			continue;
		parse_dim_name(d, text, sizeof(text));
		json_object_array_add(mesh, json_object_new_string(text));
	}
	report_add_text(doc, "arch", context->arch);
	report_add_text(doc, "shape", shape_text(context, text, sizeof(text)));
	json_object_object_add(doc, "mesh", mesh);
	report_add_text(doc, "pattern", report_pattern(context));
	report_add_double(doc, "size_bytes", ((double)traffic->size_min + traffic->size_max) / 2);
	report_add_u64(doc, "size_min_bytes", traffic->size_min);
	report_add_u64(doc, "size_max_bytes", traffic->size_max);
	report_add_double(doc, "load", ldexp(traffic->load, -32));
	report_add_u64(doc, "packets_each", traffic->packets);
	report_add_double(doc, "pacing", ldexp(traffic->pacing, -32));
	if (traffic->packet_class)
		report_add_u64(doc, "class", traffic->packet_class);
	if (traffic->burst > 1)
		report_add_u64(doc, "burst", traffic->burst);
	report_add_u64(doc, "seed", context->seed);
	report_add_u64(doc, "threads", context->threads);
	if (context->ranks)
		report_add_u64(doc, "ranks", context->ranks);
	report_add_u64(doc, "domains", context->domains);
	report_add_u64(doc, "warmup", traffic->warmup);
	report_add_u64(doc, "cycles", (uint64_t)figures->window_ticks);
	report_add_u64(doc, "clock", result->clock);
	report_add_u64(doc, "tick_fs", result->tick_fs);
	report_add_u64(doc, "nodes", result->nodes);
	report_add_u64(doc, "links", result->links);
	report_add_u64(doc, "memory_bytes", result->memory);
}

static void json_packets(struct json_object *doc, const struct torus_result *result)
{
	struct json_object *packets = json_object_new_object();
	struct json_object *window = json_object_new_object();

	report_add_u64(packets, "injected", result->injected);
	report_add_u64(packets, "delivered", result->delivered);
	report_add_u64(packets, "deposited", result->deposits);
	report_add_u64(packets, "dropped", result->dropped);
	report_add_u64(packets, "retransmitted", result->retransmitted);
	json_object_object_add(doc, "packets", packets);
	report_add_u64(window, "start", result->window_start);
	report_add_u64(window, "end", result->window_end);
	report_add_u64(window, "generated", result->win_generated);
	report_add_u64(window, "injected", result->win_injected);
	report_add_u64(window, "delivered", result->win_delivered);
	json_object_object_add(doc, "window", window);
	report_add_u64(doc, "in_flight", result->in_flight);
	report_add_u64(doc, "backlog", result->backlog);
	report_add_u64(doc, "hops_total", result->hops_total);
	report_add_u64(doc, "events", result->events);
}

/* Add an integer that is measured only if there were packets; otherwise add null. */
static void add_of_packets(struct json_object *object, const char *key, uint64_t packets,
			   uint64_t value)
{
	if (packets)
		report_add_u64(object, key, value);
	else
		json_object_object_add(object, key, NULL);
}

static void json_figures(struct json_object *doc, const struct report_context *context,
			 const struct torus_result *result, const struct report_figures *figures)
{
	struct json_object *latency = json_object_new_object();
	struct json_object *hops = json_object_new_object();
	struct json_object *links = json_object_new_object();
	struct json_object *by_dim = json_object_new_object();
	struct json_object *accepted = json_object_new_object();
	char name[PARSE_DIM_MAX];
	unsigned int d;

	report_add_double(latency, "mean", figures->latency_mean_ticks);
	add_of_packets(latency, "p50", result->win_delivered, result->win_latency_p50);
	add_of_packets(latency, "p99", result->win_delivered, result->win_latency_p99);
	add_of_packets(latency, "max", result->win_delivered, result->win_latency_max);
	json_object_object_add(doc, "latency_cycles", latency);
	report_add_double(hops, "mean", figures->hops_mean);
	add_of_packets(hops, "max", result->win_delivered, result->win_hops_max);
	json_object_object_add(doc, "hops", hops);
	report_add_double(links, "mean", figures->utilization);
	for (d = 0; d < context->ndims; d++)
		report_add_double(by_dim, parse_dim_name(d, name, sizeof(name)),
				  figures->dim_utilization[d]);
	json_object_object_add(links, "per_dimension", by_dim);
	json_object_object_add(doc, "link_utilization", links);
	report_add_double(doc, "payload_utilization", figures->payload_utilization);
	report_add_double(doc, "percent_of_peak", figures->percent_of_peak);
	report_add_double(accepted, "packets", figures->accepted_packets);
	report_add_double(accepted, "bytes", figures->accepted_bytes);
	report_add_double(accepted, "flits", figures->accepted_flits);
	json_object_object_add(doc, "accepted_per_node_cycle", accepted);
}

static double mean(uint64_t sum, uint64_t packets)
{
	return packets ? (double)sum / packets : NAN;
}

static struct json_object *json_class(uint64_t packets, uint64_t latency_sum, uint64_t latency_max)
{
	struct json_object *one = json_object_new_object();

	report_add_u64(one, "packets", packets);
	report_add_double(one, "mean", mean(latency_sum, packets));
	add_of_packets(one, "max", packets, latency_max);
	return one;
}

/* Add the statistics of requests, the statistics of replies, and those of round trips. */
static void json_replies(struct json_object *doc, const struct report_context *context,
			 const struct torus_result *result)
{
	struct json_object *object = json_object_new_object();

	report_add_u64(object, "reply_bytes", context->traffic.reply);
	report_add_u64(object, "outstanding", context->traffic.outstanding);
	json_object_object_add(object, "request_cycles",
			       json_class(result->win_requests, result->win_request_latency_sum,
					  result->win_request_latency_max));
	json_object_object_add(object, "reply_cycles",
			       json_class(result->win_replies, result->win_reply_latency_sum,
					  result->win_reply_latency_max));
	json_object_object_add(object, "round_trip_cycles",
			       json_class(result->win_replies, result->win_trip_sum,
					  result->win_trip_max));
	json_object_object_add(doc, "replies", object);
}

static void json_vcs(struct json_object *doc, const struct report_context *context,
		     const struct torus_result *result)
{
	unsigned int vcs = report_vcs(context);
	struct json_object *list = json_object_new_array();
	unsigned int vc;
	char name[16];

	for (vc = 0; vc < vcs; vc++) {
		struct json_object *one = json_object_new_object();

		report_add_text(one, "name", report_vc_name(context, vc, name, sizeof(name)));
		report_add_double(one, "share", report_vc_share(result, vc));
		report_add_double(one, "occupancy_chunks",
				  report_vc_occupancy(context, result, vc));
		json_object_array_add(list, one);
	}
	json_object_object_add(doc, "vc", list);
}

static void json_checks(struct json_object *doc, const struct torus_result *result,
			const struct report_figures *figures)
{
	struct json_object *checks = json_object_new_object();

	report_add_bool(checks, "conservation", result->conservation);
	report_add_bool(checks, "tokens", result->tokens);
	report_add_double(checks, "little", figures->little);
	json_object_object_add(doc, "selfcheck", checks);
	report_add_hash(doc, "delivery_hash", result->hash);
}

static double hops_per_cpu_s(const struct report_perf *perf)
{
	return perf->cpu_s > 0 ? perf->packet_hops / perf->cpu_s : NAN;
}

static void json_perf(struct json_object *doc, const struct report_perf *perf, uint64_t events)
{
	struct json_object *object = json_object_new_object();

	report_add_u64(object, "events", events);
	report_add_u64(object, "packet_hops", perf->packet_hops);
	report_add_double(object, "cpu_s", perf->cpu_s);
	report_add_double(object, "wall_s", perf->wall_s);
	report_add_u64(object, "rss_bytes", perf->rss_bytes);
	report_add_double(object, "packet_hops_per_cpu_s", hops_per_cpu_s(perf));
	json_object_object_add(doc, "perf", object);
}

/**
 * report_json - convert a result to a JSON document
 * @context: options of the run
 * @result: measurements of the core
 *
 * Return: the document, freed by json_object_put().
 */
struct json_object *report_json(const struct report_context *context,
				const struct torus_result *result)
{
	struct json_object *doc = json_object_new_object();
	struct report_figures figures;

	report_figures(context, result, &figures);
	json_question(doc, context, result, &figures);
	report_add_text(doc, "outcome", report_outcome(result));
	json_packets(doc, result);
	report_add_bool(doc, "saturated", figures.saturated);
	report_add_bool(doc, "steady", figures.steady);
	json_figures(doc, context, result, &figures);
	if (context->traffic.reply)
		json_replies(doc, context, result);
	json_vcs(doc, context, result);
	json_checks(doc, result, &figures);
	if (context->perf)
		json_perf(doc, context->perf, result->events);
	return doc;
}

static const char result_form[] =
	"{arch} {shape}{?mesh} mesh {#mesh}{.}{/}{/}, {pattern}"
	"{?load} at load {load%.6g}{:}, {packets_each} packets {each}{/}"
	"{?pacing} paced at {pacing%.6g} of the peak{/}, {size_min_bytes}{?size_to} to {size_to}{/}"
	" bytes{?replies}, replies of {replies.reply_bytes}{/}"
	"{?outstanding}, {outstanding} outstanding{/}{?class} of class {class}{/}, seed {seed}, "
	"{domains} domain{!domains=1}s{/}, {threads} thread{!threads=1}s{/}\n"
	"window     {cycles} ticks ({window_us%.3f} us) from tick {window.start}\n"
	"packets    {packets.injected} injected, {packets.delivered} delivered, "
	"{packets.dropped} dropped, {packets.retransmitted} sent again, {in_flight} in flight, "
	"{backlog} waiting\n"
	"{?packets.deposited}deposits   {packets.deposited} copies left on the way of broadcasts\n"
	"{/}{>latency_cycles}latency    mean {mean%.1f}, p50 {p50}, p99 {p99}, max {max} ticks; "
	"mean {latency_ns%.1f} ns\n{/}"
	"{>replies}{>request_cycles}requests   {packets}, latency mean {mean%.1f}, "
	"max {max} ticks; {/}{>reply_cycles}replies {packets}, mean {mean%.1f}, max {max}; {/}"
	"{>round_trip_cycles}there and back mean {mean%.1f}, max {max}\n{/}{/}"
	"hops       mean {hops.mean%.3f}, max {hops.max}\n"
	"links      {link_utilization.mean*100%.2f} % busy "
	"({#link_utilization.per_dimension}{,}, {/}{@} {.*100%.2f}{/}), "
	"{payload_utilization*100%.2f} % payload, {percent_of_peak%.2f} % of peak\n"
	"{>accepted_per_node_cycle}accepted   {packets%.6g} packets, {bytes%.6g} bytes, "
	"{flits%.6g} flits a node and tick\n{/}"
	"VCs       {#vc} {name} {share*100%.2f} %{/}\n"
	"state      {outcome}, {?saturated}saturated, {/}{?steady}steady{:}not steady{/}\n"
	"checks     conservation {?selfcheck.conservation}ok{:}BROKEN{/}, "
	"tokens {?selfcheck.tokens}ok{:}BROKEN{/}, "
	"Little's law off by {selfcheck.little*100%.3f} %\n"
	"hash       {delivery_hash}\n"
	"{>perf}cost       {cpu_s%.2f} CPU-s, {wall_s%.2f} s, {rss_bytes/1048576%.1f} MiB, "
	"{packet_hops_per_cpu_s/1e6%.2f} M packet-hops a CPU-s\n{/}";

static double in_ns(const struct torus_result *result, double ticks)
{
	return ticks * result->tick_fs / 1e6;
}

/**
 * report_text - print a result as text
 * @context: options of the run
 * @result: measurements of the core
 */
void report_text(FILE *out, const struct report_context *context,
		 const struct torus_result *result)
{
	struct json_object *doc = report_json(context, result);
	const struct torus_traffic *traffic = &context->traffic;
	struct report_figures figures;

	report_figures(context, result, &figures);
	report_add_text(doc, "each", parse_pattern_each(traffic->pattern));
	if (traffic->size_max != traffic->size_min)
		report_add_u64(doc, "size_to", traffic->size_max);
	report_add_u64(doc, "outstanding", traffic->outstanding);
	report_add_double(doc, "window_us", in_ns(result, figures.window_ticks) / 1000);
	report_add_double(doc, "latency_ns", in_ns(result, figures.latency_mean_ticks));
	report_print(out, doc, result_form);
	json_object_put(doc);
}
