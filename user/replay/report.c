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

static const char *shape(const struct replay_ranks *app, char *text, size_t size)
{
	const struct torus_geometry *geo = &torus_fabric_config(app->fabric)->geo;

	return parse_shape_text(geo->nshape, geo->shape, text, size);
}

/*
 * Text of the results. Unlike JSON, its record has only the first RANKS_SHOWN ranks; text_json()
 * adds further members.
 */
static const char result_form[] =
	"{file%m} on {arch} {shape}, {ranks} ranks, seed {seed}, {domains} domains, "
	"{threads} threads: {outcome}\n\n"
	"time      {cycles} ticks, {time_us%.3f} us\n"
	"ranks    {#rank_percent}{,},{/} {.%.1f} % {@}{/}\n"
	"messages  {messages} sent, {bytes} bytes, {received} received, {unreceived} not received\n"
	"latency   of messages {message_latency_cycles.mean%.1f} ticks ({message_latency_us%.3f} "
	"us), at most {message_latency_cycles.max}; of packets {latency_cycles.mean%.1f}\n"
	"packets   {packets.injected} injected, {packets.delivered} delivered, {in_flight} in "
	"flight, {packets.retransmitted} sent again, {hops_mean%.3f} hops\n"
	"check     conservation {?selfcheck.conservation}holds{:}FAILS{/}, "
	"tokens {?selfcheck.tokens}hold{:}FAIL{/}, Little {selfcheck.little%.2g}\n"
	"hash      {delivery_hash}\n"
	"cost      {perf.cpu_s%.3f} s of processors, {perf.wall_s%.3f} s, {perf.events} events\n"
	"\n  rank          end      compute         send         wait      barrier  messages"
	"        bytes\n"
	"{#per_rank}{rank%6u} {end%12u}{#cycles} {.%12u}{/} {messages%9u} {bytes%12u}\n{/}"
	"{?more}    .. ({more} more: --json has them all)\n{/}"
	"{>deadlock}\nDeadlock: {waiting} ranks wait for each other, nothing is in flight.\n"
	"{#ranks}  {text%m}\n{/}{?others}  and {others} more\n{/}"
	"{?cycle}Cycle:{#cycle} {.} >{/}{?long} .. ({long} ranks) >{/} {cycle_start}\n{/}{/}";

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

/* Add the members that only the text has. */
static void text_json(const struct replay_ranks *app, const struct replay_result *result,
		      const struct sums *sums, struct json_object *doc)
{
	const struct torus_fabric_counters *c = &result->counters;
	double latency = ratio(sums->latency_sum, sums->received);
	struct json_object *percent = json_object_new_object();
	u64 all = 0;
	u32 i;

	for (i = 0; i < REPLAY_TIMES; i++)
		all += sums->time[i];
	for (i = 0; i < REPLAY_TIMES; i++)
		report_add_double(percent, times[i], 100 * ratio(sums->time[i], all));
	json_object_object_add(doc, "rank_percent", percent);
	report_add_double(doc, "message_latency_us", latency * (c->tick_fs / US_FS));
	report_add_double(doc, "hops_mean", ratio(c->hops_delivered, c->delivered));
	if (app->job->size > RANKS_SHOWN)
		report_add_u64(doc, "more", app->job->size - RANKS_SHOWN);
	report_add_u64(doc, "others", result->waiting - result->nwaiters);
	if (result->ncycle > REPLAY_NAMED_MAX)
		report_add_u64(doc, "long", result->ncycle);
	report_add_u64(doc, "cycle_start", result->cycle[0]);
}

/**
 * replay_print - print the results as text or as JSON
 * @threads: number of threads of the simulation
 * @json: print JSON
 */
void replay_print(const struct replay_ranks *app, u32 threads, const struct replay_result *result,
		  bool json)
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
	for (i = 0; i < app->job->size && (json || i < RANKS_SHOWN); i++)
		json_object_array_add(ranks, json_rank(&app->ranks[i].result));
	json_object_object_add(doc, "per_rank", ranks);
	if (!json)
		text_json(app, result, &sums, doc);
	sim_json_answer(doc, json, result_form);
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
