// SPDX-License-Identifier: GPL-2.0
/* The result of a workload, as text for people and as JSON for programs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../common/escape.h"
#include "../words/words.h"
#include "report.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* By torus_result.done. */
static const char *const outcomes[] = { "interrupted", "done", "deadlocked", "failed" };

/**
 * report_vc_name - the name of a virtual channel
 * @context: names it
 * @vc: its number
 * @text: room for it
 * @size: bytes of @text
 *
 * Return: its name.
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
 * report_double - a number for JSON, short
 * @value: the number
 *
 * Return: the JSON number; NULL, which is null in JSON, if it was not measured (NAN).
 */
struct json_object *report_double(double value)
{
	char text[32];

	if (!isfinite(value))
		return NULL;
	snprintf(text, sizeof(text), "%.9g", value);
	/* So that a reader with types finds a float each time. */
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	return json_object_new_double_s(value, text);
}

/**
 * report_put - print a number for people; - if it was not measured (NAN)
 * @out: where to
 * @width: characters at least
 * @digits: digits behind the point
 * @value: the number
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
	return context->pattern ? context->pattern : word_pattern_name(context->traffic.pattern);
}

static const char *report_outcome(const struct torus_result *result)
{
	/* nodes wait for replies that were lost */
	if (result->done == 2 && !result->in_flight)
		return "failed";
	return result->done < ARRAY_SIZE(outcomes) ?
	       outcomes[result->done] : "unknown";
}

/**
 * report_vcs - virtual channels of a machine
 * @context: names them
 *
 * Return: how many.
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
 * Chunks that a buffer of the VC holds, mean over the links and the ends of the batches, which a
 * closed loop has none of.
 */
static double report_vc_occupancy(const struct report_context *context,
				  const struct torus_result *result, unsigned int vc)
{
	return result->links && context->traffic.cycles ?
	       result->vc_occupancy[vc] / 256.0 / result->links : NAN;
}

static const char *shape_text(const struct report_context *context, char *text, size_t size)
{
	return context->nshape ? word_shape_text(context->nshape, context->shape, text, size) :
				 word_shape_text(context->ndims, context->dims, text, size);
}

static void json_question(struct json_object *doc, const struct report_context *context,
			  const struct torus_result *result, const struct report_figures *figures)
{
	const struct torus_traffic *traffic = &context->traffic;
	struct json_object *mesh = json_object_new_array();
	char text[WORD_SHAPE_MAX];
	unsigned int d;

	for (d = 0; d < context->ndims; d++) {
		if (!(context->mesh & (1u << d)))
			continue;
		word_dim_name(d, text, sizeof(text));
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

/* A whole number that packets have; null without a packet. */
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
	char name[WORD_DIM_MAX];
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
		report_add_double(by_dim, word_dim_name(d, name, sizeof(name)),
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

/* Requests and replies apart, and both together. */
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
 * report_json - a result as one JSON document
 * @context: what was asked for
 * @result: what was measured
 *
 * Return: the document; json_object_put() it.
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

static void text_question(FILE *out, const struct report_context *context)
{
	const struct torus_traffic *traffic = &context->traffic;
	char text[WORD_SHAPE_MAX];
	unsigned int d;

	fprintf(out, "%s %s", context->arch, shape_text(context, text, sizeof(text)));
	if (context->mesh)
		fputs(" mesh ", out);
	for (d = 0; d < context->ndims; d++)
		if (context->mesh & (1u << d))
			fputs(word_dim_name(d, text, sizeof(text)), out);
	fputs(", ", out);
	torus_escape_put(out, report_pattern(context));
	if (traffic->load)
		fprintf(out, " at load %.6g", ldexp(traffic->load, -32));
	else
		fprintf(out, ", %" PRIu64 " packets %s", (uint64_t)traffic->packets,
			word_pattern_each(traffic->pattern));
	if (traffic->pacing)
		fprintf(out, " paced at %.6g of the peak", ldexp(traffic->pacing, -32));
	fprintf(out, ", %" PRIu32, traffic->size_min);
	if (traffic->size_max != traffic->size_min)
		fprintf(out, " to %" PRIu32, traffic->size_max);
	fputs(" bytes", out);
	if (traffic->reply)
		fprintf(out, ", replies of %" PRIu64, (uint64_t)traffic->reply);
	if (traffic->outstanding)
		fprintf(out, ", %" PRIu64 " outstanding", (uint64_t)traffic->outstanding);
	if (traffic->packet_class)
		fprintf(out, " of class %" PRIu64, (uint64_t)traffic->packet_class);
	fprintf(out, ", seed %" PRIu64 ", %" PRIu32 " domain%s, %" PRIu32 " thread%s\n",
		context->seed, context->domains, context->domains == 1 ? "" : "s",
		context->threads, context->threads == 1 ? "" : "s");
}

static double text_ns(const struct torus_result *result, double ticks)
{
	return ticks * result->tick_fs / 1e6;
}

/* A name before a number and a unit behind it. */
static void text_number(FILE *out, const char *name, double value, int digits, const char *unit)
{
	fputs(name, out);
	report_put(out, 0, digits, value);
	fputs(unit, out);
}

/* A number that packets have; NAN without a packet. */
static double of_packets(uint64_t packets, double value)
{
	return packets ? value : NAN;
}

static void text_latency(FILE *out, const struct torus_result *result,
			 const struct report_figures *figures)
{
	uint64_t packets = result->win_delivered;

	text_number(out, "latency    mean ", figures->latency_mean_ticks, 1, "");
	text_number(out, ", p50 ", of_packets(packets, result->win_latency_p50), 0, "");
	text_number(out, ", p99 ", of_packets(packets, result->win_latency_p99), 0, "");
	text_number(out, ", max ", of_packets(packets, result->win_latency_max), 0, " ticks");
	text_number(out, "; mean ", text_ns(result, figures->latency_mean_ticks), 1, " ns\n");
}

static void text_replies(FILE *out, const struct torus_result *result)
{
	uint64_t requests = result->win_requests, replies = result->win_replies;

	fprintf(out, "requests   %" PRIu64, requests);
	text_number(out, ", latency mean ", mean(result->win_request_latency_sum, requests), 1, "");
	text_number(out, ", max ", of_packets(requests, result->win_request_latency_max), 0,
		    " ticks");
	fprintf(out, "; replies %" PRIu64, replies);
	text_number(out, ", mean ", mean(result->win_reply_latency_sum, replies), 1, "");
	text_number(out, ", max ", of_packets(replies, result->win_reply_latency_max), 0, "");
	text_number(out, "; there and back mean ", mean(result->win_trip_sum, replies), 1, "");
	text_number(out, ", max ", of_packets(replies, result->win_trip_max), 0, "\n");
}

static void text_links(FILE *out, const struct report_context *context,
		       const struct report_figures *figures)
{
	char name[WORD_DIM_MAX];
	unsigned int d;

	text_number(out, "links      ", 100 * figures->utilization, 2, " % busy (");
	for (d = 0; d < context->ndims; d++) {
		fprintf(out, "%s%s", d ? ", " : "", word_dim_name(d, name, sizeof(name)));
		text_number(out, " ", 100 * figures->dim_utilization[d], 2, "");
	}
	text_number(out, "), ", 100 * figures->payload_utilization, 2, " % payload");
	text_number(out, ", ", figures->percent_of_peak, 2, " % of peak\n");
	if (figures->window_ticks > 0)
		fprintf(out, "accepted   %.6g packets, %.6g bytes, %.6g flits a node and tick\n",
			figures->accepted_packets, figures->accepted_bytes,
			figures->accepted_flits);
	else
		fputs("accepted   - packets, - bytes, - flits a node and tick\n", out);
}

static void text_checks(FILE *out, const struct torus_result *result,
			const struct report_figures *figures)
{
	fprintf(out, "state      %s, %s%s\n", report_outcome(result),
		figures->saturated ? "saturated, " : "",
		figures->steady ? "steady" : "not steady");
	fprintf(out, "checks     conservation %s, tokens %s",
		result->conservation ? "ok" : "BROKEN", result->tokens ? "ok" : "BROKEN");
	text_number(out, ", Little's law off by ", 100 * figures->little, 3, " %\n");
	fprintf(out, "hash       %016" PRIx64 "\n", (uint64_t)result->hash);
}

/**
 * report_text - a result for people
 * @out: where to
 * @context: what was asked for
 * @result: what was measured
 */
void report_text(FILE *out, const struct report_context *context,
		 const struct torus_result *result)
{
	unsigned int vcs = report_vcs(context);
	struct report_figures figures;
	unsigned int vc;
	char name[16];

	report_figures(context, result, &figures);
	text_question(out, context);
	fprintf(out, "window     %.0f ticks (%.3f us) from tick %" PRIu64 "\n",
		figures.window_ticks, text_ns(result, figures.window_ticks) / 1000,
		(uint64_t)result->window_start);
	fprintf(out,
		"packets    %" PRIu64 " injected, %" PRIu64 " delivered, %" PRIu64 " dropped, %"
		PRIu64 " sent again, %" PRIu64 " in flight, %" PRIu64 " waiting\n",
		(uint64_t)result->injected, (uint64_t)result->delivered,
		(uint64_t)result->dropped, (uint64_t)result->retransmitted,
		(uint64_t)result->in_flight, (uint64_t)result->backlog);
	if (result->deposits)
		fprintf(out, "deposits   %" PRIu64 " copies left on the way of broadcasts\n",
			(uint64_t)result->deposits);
	text_latency(out, result, &figures);
	if (context->traffic.reply)
		text_replies(out, result);
	text_number(out, "hops       mean ", figures.hops_mean, 3, "");
	text_number(out, ", max ", of_packets(result->win_delivered, result->win_hops_max), 0,
		    "\n");
	text_links(out, context, &figures);
	fputs("VCs       ", out);
	for (vc = 0; vc < vcs; vc++) {
		fprintf(out, " %s", report_vc_name(context, vc, name, sizeof(name)));
		text_number(out, " ", 100 * report_vc_share(result, vc), 2, " %");
	}
	fputc('\n', out);
	text_checks(out, result, &figures);
	if (!context->perf)
		return;
	fprintf(out, "cost       %.2f CPU-s, %.2f s, %.1f MiB", context->perf->cpu_s,
		context->perf->wall_s, context->perf->rss_bytes / 1048576.0);
	text_number(out, ", ", hops_per_cpu_s(context->perf) / 1e6, 2,
		    " M packet-hops a CPU-s\n");
}
