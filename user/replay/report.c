// SPDX-License-Identifier: GPL-2.0
/* Print the results of a replay as text and JSON, and compute the exit status. */
#include <math.h>
#include <stdio.h>

#include <json-c/json.h>

#include "../report/json.h"
#include "../report/report.h"
#include "../sim/base/signals.h"
#include "../sim/base/json.h"
#include "../sim/base/message.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "report.h"
#include "deadlock.h"

#define TEXT_MAX	160
/* maximum number of ranks in the text output; JSON contains all ranks */
#define RANKS_SHOWN	16
#define US_FS		1e9
#define NUMBER_MAX	32

static const char *const outcomes[] = {
	[REPLAY_DONE] = "done", [REPLAY_INTERRUPTED] = "interrupted",
	[REPLAY_DEADLOCK] = "deadlocked", [REPLAY_STANDS] = "waiting", [REPLAY_FAILED] = "failed",
};

static const char *const times[] = {
	[REPLAY_TIME_COMPUTE] = "compute", [REPLAY_TIME_SEND] = "send",
	[REPLAY_TIME_WAIT] = "wait", [REPLAY_TIME_BARRIER] = "barrier",
};

/**
 * struct sums - sums over all ranks
 * @time: ticks by enum replay_time
 * @sent: number of messages sent
 * @bytes: bytes of the messages sent
 * @received: number of messages received
 * @latency_sum: sum of the latencies of received messages, in ticks
 * @latency_max: maximum latency of a received message, in ticks
 */
struct sums {
	u64 time[REPLAY_TIMES];
	u64 sent;
	u64 bytes;
	u64 received;
	u64 latency_sum;
	u64 latency_max;
};

static struct sums sum(const struct replay_ranks *app)
{
	struct sums sums = { .sent = 0 };
	u32 i, j;

	for (i = 0; i < app->job->size; i++) {
		const struct replay_rank_result *rank = &app->ranks[i].result;

		for (j = 0; j < REPLAY_TIMES; j++)
			sums.time[j] += rank->time[j];
		sums.sent += rank->sent;
		sums.bytes += rank->sent_bytes;
		sums.received += rank->received;
		sums.latency_sum += rank->latency_sum;
		if (rank->latency_max > sums.latency_max)
			sums.latency_max = rank->latency_max;
	}
	return sums;
}

/* Divide two numbers. Return NAN if the divisor is 0, because nothing was measured. */
static double ratio(double above, double below)
{
	return below > 0 ? above / below : NAN;
}

static const char *number_text(double value, const char *format, char *text)
{
	if (isnan(value))
		return "-";
	snprintf(text, NUMBER_MAX, format, value);
	return text;
}

static const char *shape(const struct replay_ranks *app, char *text, size_t size)
{
	const struct torus_geometry *geo = &torus_fabric_config(app->fabric)->geo;

	return parse_shape_text(geo->nshape, geo->shape, text, size);
}

/* --------------------------------------------------------------------- text */

static void text_ranks(const struct replay_ranks *app)
{
	u32 size = app->job->size;
	u32 i, j;

	printf("\n%6s %12s", "rank", "end");
	for (j = 0; j < REPLAY_TIMES; j++)
		printf(" %12s", times[j]);
	printf(" %9s %12s\n", "messages", "bytes");
	for (i = 0; i < size && i < RANKS_SHOWN; i++) {
		const struct replay_rank_result *rank = &app->ranks[i].result;

		if (rank->ended)
			printf("%6u %12llu", i, rank->end);
		else
			printf("%6u %12s", i, "-");
		for (j = 0; j < REPLAY_TIMES; j++)
			printf(" %12llu", rank->time[j]);
		printf(" %9llu %12llu\n", rank->sent, rank->sent_bytes);
	}
	if (size > RANKS_SHOWN)
		printf("%6s (%u more: --json has them all)\n", "..", size - RANKS_SHOWN);
}

static void text_stuck(const struct replay_ranks *app, const struct replay_result *result)
{
	char text[TEXT_MAX];
	u32 i;

	printf("\nDeadlock: %u ranks wait for each other, nothing is in flight.\n",
	       result->waiting);
	for (i = 0; i < result->nwaiters; i++) {
		replay_deadlock_text(app, result->waiters[i], text, sizeof(text));
		printf("  %s\n", text);
	}
	if (result->waiting > result->nwaiters)
		printf("  and %u more\n", result->waiting - result->nwaiters);
	if (!result->ncycle)
		return;
	fputs("Cycle:", stdout);
	for (i = 0; i < result->ncycle && i < REPLAY_NAMED_MAX; i++)
		printf(" %u >", result->cycle[i]);
	if (result->ncycle > REPLAY_NAMED_MAX)
		printf(" .. (%u ranks) >", result->ncycle);
	printf(" %u\n", result->cycle[0]);
}

static void text_times(const struct sums *sums)
{
	char part[NUMBER_MAX];
	u64 all = 0;
	u32 i;

	for (i = 0; i < REPLAY_TIMES; i++)
		all += sums->time[i];
	fputs("ranks    ", stdout);
	for (i = 0; i < REPLAY_TIMES; i++)
		printf(" %s %% %s%s", number_text(100 * ratio(sums->time[i], all), "%.1f", part),
		       times[i], i + 1 < REPLAY_TIMES ? "," : "\n");
}

static void text_latency(const struct sums *sums, const struct torus_fabric_counters *c)
{
	double latency = ratio(sums->latency_sum, sums->received);
	char ticks[NUMBER_MAX], us[NUMBER_MAX], most[NUMBER_MAX], packets[NUMBER_MAX];

	printf("latency   of messages %s ticks (%s us), at most %s; of packets %s\n",
	       number_text(latency, "%.1f", ticks),
	       number_text(latency * (c->tick_fs / US_FS), "%.3f", us),
	       number_text(sums->received ? (double)sums->latency_max : NAN, "%.0f", most),
	       number_text(ratio(c->latency_sum, c->delivered), "%.1f", packets));
}

/**
 * replay_text - print the results as text
 * @threads: number of threads of the simulation
 */
void replay_text(const struct replay_ranks *app, u32 threads, const struct replay_result *result)
{
	const struct torus_config *config = torus_fabric_config(app->fabric);
	const struct torus_fabric_counters *c = &result->counters;
	double tick_us = result->counters.tick_fs / US_FS;
	struct sums sums = sum(app);
	char text[PARSE_SHAPE_MAX], hops[NUMBER_MAX];

	printf("%s on %s %s, %u ranks, seed %llu, %u domains, %u threads: %s\n\n",
	       app->job->log->lexer.name, app->arch->name, shape(app, text, sizeof(text)),
	       app->job->size, config->seed, config->domains, threads,
	       outcomes[result->outcome]);
	printf("time      %llu ticks, %.3f us\n", result->end, result->end * tick_us);
	text_times(&sums);
	printf("messages  %llu sent, %llu bytes, %llu received, %llu not received\n",
	       sums.sent, sums.bytes, sums.received, result->unclaimed);
	text_latency(&sums, c);
	printf("packets   %llu injected, %llu delivered, %llu in flight, %llu sent again, %s "
	       "hops\n",
	       c->injected, c->delivered, c->in_flight, c->resends,
	       number_text(ratio(c->hops_delivered, c->delivered), "%.3f", hops));
	printf("check     conservation %s, tokens %s, Little %.2g\n",
	       result->conservation ? "holds" : "FAILS", result->tokens ? "hold" : "FAIL",
	       result->little);
	printf("hash      %016llx\n", c->hash);
	printf("cost      %.3f s of processors, %.3f s, %llu events\n", result->cpu_s,
	       result->wall_s, c->events);
	text_ranks(app);
	if (result->outcome == REPLAY_DEADLOCK)
		text_stuck(app, result);
}

/* --------------------------------------------------------------------- JSON */

static struct json_object *json_times(const u64 *time)
{
	struct json_object *doc = json_object_new_object();
	u32 i;

	for (i = 0; i < REPLAY_TIMES; i++)
		report_add_u64(doc, times[i], time[i]);
	return doc;
}

static struct json_object *json_rank(const struct replay_rank_result *rank)
{
	struct json_object *doc = json_object_new_object();

	report_add_u64(doc, "rank", rank->number);
	json_object_object_add(doc, "end", rank->ended ? json_object_new_uint64(rank->end) : NULL);
	json_object_object_add(doc, "cycles", json_times(rank->time));
	report_add_u64(doc, "messages", rank->sent);
	report_add_u64(doc, "bytes", rank->sent_bytes);
	report_add_u64(doc, "received", rank->received);
	return doc;
}

static struct json_object *json_stuck(const struct replay_ranks *app,
				      const struct replay_result *result)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct json_object *cycle = json_object_new_array();
	char text[TEXT_MAX];
	u32 i;

	report_add_u64(doc, "waiting", result->waiting);
	for (i = 0; i < result->nwaiters; i++) {
		struct json_object *one = json_object_new_object();
		u32 whom = replay_waits_for(app, result->waiters[i]);

		replay_deadlock_text(app, result->waiters[i], text, sizeof(text));
		report_add_u64(one, "rank", result->waiters[i]);
		json_object_object_add(one, "for", whom == TORUS_NONE ?
				       NULL : json_object_new_uint64(whom));
		report_add_text(one, "text", text);
		json_object_array_add(list, one);
	}
	for (i = 0; i < result->ncycle && i < REPLAY_NAMED_MAX; i++)
		json_object_array_add(cycle, json_object_new_uint64(result->cycle[i]));
	json_object_object_add(doc, "ranks", list);
	json_object_object_add(doc, "cycle", cycle);
	return doc;
}

static struct json_object *json_packets(const struct torus_fabric_counters *c)
{
	struct json_object *doc = json_object_new_object();
	u64 dropped = 0;
	u32 i;

	for (i = 0; i < TORUS_DROP_MAX; i++)
		dropped += c->dropped[i];
	report_add_u64(doc, "injected", c->injected);
	report_add_u64(doc, "delivered", c->delivered);
	report_add_u64(doc, "dropped", dropped);
	report_add_u64(doc, "retransmitted", c->resends);
	return doc;
}

static struct json_object *json_latency(double mean, u64 max)
{
	struct json_object *doc = json_object_new_object();

	report_add_double(doc, "mean", mean);
	json_object_object_add(doc, "max", isnan(mean) ? NULL : json_object_new_uint64(max));
	return doc;
}

static struct json_object *json_checks(const struct replay_result *result)
{
	struct json_object *doc = json_object_new_object();

	json_object_object_add(doc, "conservation", json_object_new_boolean(result->conservation));
	json_object_object_add(doc, "tokens", json_object_new_boolean(result->tokens));
	report_add_double(doc, "little", result->little);
	return doc;
}

static struct json_object *json_perf(const struct replay_result *result)
{
	const struct torus_fabric_counters *c = &result->counters;
	struct json_object *doc = json_object_new_object();

	report_add_u64(doc, "events", c->events);
	report_add_u64(doc, "packet_hops", c->hops_total);
	report_add_double(doc, "cpu_s", result->cpu_s);
	report_add_double(doc, "wall_s", result->wall_s);
	return doc;
}

/**
 * replay_json - print the results as JSON
 * @threads: number of threads of the simulation
 */
void replay_json(const struct replay_ranks *app, u32 threads, const struct replay_result *result)
{
	const struct torus_config *config = torus_fabric_config(app->fabric);
	const struct torus_fabric_counters *c = &result->counters;
	struct json_object *doc = json_object_new_object();
	struct json_object *ranks = json_object_new_array();
	struct sums sums = sum(app);
	char text[PARSE_SHAPE_MAX];
	u32 i;

	report_add_text(doc, "file", app->job->log->lexer.name);
	report_add_text(doc, "arch", app->arch->name);
	report_add_text(doc, "shape", shape(app, text, sizeof(text)));
	report_add_u64(doc, "ranks", app->job->size);
	report_add_u64(doc, "seed", config->seed);
	report_add_u64(doc, "threads", threads);
	/*
	 * the key "ranks" already counts the ranks of the application, so use another key for
	 * processes
	 */
	if (config->procs)
		report_add_u64(doc, "sim_ranks", config->procs->count);
	report_add_u64(doc, "domains", config->domains);
	report_add_u64(doc, "tick_fs", result->counters.tick_fs);
	report_add_text(doc, "outcome", outcomes[result->outcome]);
	report_add_u64(doc, "cycles", result->end);
	report_add_double(doc, "time_us", result->end * (result->counters.tick_fs / US_FS));
	json_object_object_add(doc, "rank_cycles", json_times(sums.time));
	report_add_u64(doc, "messages", sums.sent);
	report_add_u64(doc, "bytes", sums.bytes);
	report_add_u64(doc, "received", sums.received);
	report_add_u64(doc, "unreceived", result->unclaimed);
	json_object_object_add(doc, "message_latency_cycles",
			       json_latency(ratio(sums.latency_sum, sums.received),
					    sums.latency_max));
	json_object_object_add(doc, "packets", json_packets(c));
	report_add_u64(doc, "in_flight", c->in_flight);
	report_add_u64(doc, "hops_total", c->hops_total);
	json_object_object_add(doc, "latency_cycles",
			       json_latency(ratio(c->latency_sum, c->delivered), c->latency_max));
	json_object_object_add(doc, "selfcheck", json_checks(result));
	report_add_hash(doc, "delivery_hash", c->hash);
	json_object_object_add(doc, "perf", json_perf(result));
	if (result->outcome == REPLAY_DEADLOCK)
		json_object_object_add(doc, "deadlock", json_stuck(app, result));
	for (i = 0; i < app->job->size; i++)
		json_object_array_add(ranks, json_rank(&app->ranks[i].result));
	json_object_object_add(doc, "per_rank", ranks);
	sim_json_print(doc);
}

/**
 * replay_status - report why a replay did not end well, if so
 *
 * Return: the exit status.
 */
int replay_status(const struct replay_ranks *app, const struct replay_result *result)
{
	char text[TEXT_MAX];

	if (!result->conservation)
		return sim_error("self-check failed: the packets do not add up");
	if (!result->tokens)
		return sim_error("self-check failed: the tokens of a link do not add up");
	switch (result->outcome) {
	case REPLAY_INTERRUPTED:
		sim_message("interrupted at tick %llu", torus_fabric_clock(app->fabric));
		return 128 + sim_interrupted();
	case REPLAY_DEADLOCK:
		replay_deadlock_text(app, result->waiters[0], text, sizeof(text));
		sim_message("the application is deadlocked: %u ranks wait; %s", result->waiting,
			    text);
		return SIM_DEADLOCK;
	case REPLAY_STANDS:
		return sim_error("the application makes no progress after tick %llu with %llu "
				 "packets in flight",
				 torus_fabric_clock(app->fabric), result->counters.in_flight);
	default:
		return SIM_OK;
	}
}
