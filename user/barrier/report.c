// SPDX-License-Identifier: GPL-2.0
/* Results of a barrier as text and JSON, and the exit status. */
#include <stdio.h>

#include <json-c/json.h>

#include "../report/json.h"
#include "../report/report.h"
#include "../sim/base/signals.h"
#include "../sim/base/json.h"
#include "../sim/base/message.h"
#include "../tofu/chain.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "arch/tofu/tofu.h"
#include "report.h"

#define US_FS		1e9

static const char *const by_names[BARRIER_BYS] = {
	[BARRIER_GATES] = "gates", [BARRIER_SOFTWARE] = "software",
};

static const char *const outcomes[] = {
	[BARRIER_DONE] = "done", [BARRIER_INTERRUPTED] = "interrupted",
	[BARRIER_STANDS] = "waiting", [BARRIER_FAILED] = "failed",
};

static double tick_us(const struct barrier_plan *plan)
{
	return plan->config.arch->tick_fs(&plan->config) / US_FS;
}

static bool both(const struct barrier_plan *plan)
{
	return plan->by == (1u << BARRIER_GATES | 1u << BARRIER_SOFTWARE);
}

/* Ratio of the mean latencies of software and gates; 0 if one was not measured. */
static double speedup(const struct barrier_plan *plan, const struct barrier_result *results)
{
	double mean = results[BARRIER_GATES].latency.mean;

	return both(plan) && mean > 0 ? results[BARRIER_SOFTWARE].latency.mean / mean : 0;
}

/* Lowest and highest number of gates of a member. */
static void gates_each(u32 members, u32 *least, u32 *most)
{
	u32 i, gates;

	*least = ~0u;
	*most = 0;
	for (i = 0; i < members; i++) {
		gates = tofu_chain_gates(members, i);
		*least = gates < *least ? gates : *least;
		*most = gates > *most ? gates : *most;
	}
}

/* ------------------------------------------------------------------------ text */

static void text_spread(const struct barrier_plan *plan, const char *what,
			const struct barrier_spread *s)
{
	double us = tick_us(plan);

	printf("  %-9s mean %.1f ticks (%.3f us), min %llu (%.3f us), max %llu (%.3f us)\n", what,
	       s->mean, s->mean * us, s->min, s->min * us, s->max, s->max * us);
}

static void text_result(const struct barrier_plan *plan, enum barrier_by by,
			const struct barrier_result *r)
{
	printf("\n%s: %s\n", by_names[by], outcomes[r->outcome]);
	printf("  packets   %llu delivered", r->packets);
	if (r->outcome == BARRIER_DONE)
		printf(", %.6g each time", (double)r->packets / plan->times);
	printf("; %llu dropped\n", r->dropped);
	if (r->outcome == BARRIER_DONE) {
		text_spread(plan, "latency", &r->latency);
		text_spread(plan, "arrival", &r->arrival);
		text_spread(plan, "skew", &r->skew);
	}
	printf("  check     %llu left early, %llu wrong results, conservation %s, tokens %s\n",
	       r->early, r->wrong, r->conserved ? "holds" : "FAILS", r->tokens ? "hold" : "FAIL");
	printf("  hash      %016llx, of results %016llx\n", r->deliveries, r->hash);
}

/**
 * barrier_text - print the results as text
 * @plan: parameters of the run
 * @results: results by enum barrier_by; only those in plan->by are valid
 */
void barrier_text(const struct barrier_plan *plan, const struct barrier_result *results)
{
	const struct torus_geometry *geo = &plan->config.geo;
	const u64 *p = plan->config.params;
	char shape[PARSE_SHAPE_MAX];
	u32 by, least, most;

	gates_each(plan->members, &least, &most);
	printf("%s %s, %u members %s, %s", plan->config.arch->name,
	       parse_shape_text(geo->nshape, geo->shape, shape, sizeof(shape)), plan->members,
	       plan->random ? "at random" : "in order", barrier_op_names[plan->op]);
	if (plan->count)
		printf(" of %u values", plan->count);
	printf(" %u times, seed %llu\n", plan->times, plan->config.seed);
	printf("chain     %u to %u gates a member, %u packets\n", least, most,
	       tofu_chain_packets(plan->members));
	printf("costs     a packet in %llu + %llu ticks a chunk, out %llu + %llu; random delay "
	       "%llu; gate %llu\n", p[TORUS_P_INJECT_PACKET], p[TORUS_P_INJECT_CHUNK],
	       p[TORUS_P_RECEIVE_PACKET], p[TORUS_P_RECEIVE_CHUNK], plan->delay,
	       p[TOFU_P_GATE_DELAY]);
	for (by = 0; by < BARRIER_BYS; by++)
		if (plan->by >> by & 1)
			text_result(plan, by, &results[by]);
	if (speedup(plan, results) > 0)
		printf("\nsoftware takes %.3f times as long\n", speedup(plan, results));
}

/* ------------------------------------------------------------------------ JSON */

static void put_spread(struct json_object *doc, const char *key, const struct barrier_spread *s,
		       double unit)
{
	struct json_object *spread = json_object_new_object();

	report_add_double(spread, "mean", s->mean * unit);
	if (unit == 1) {
		report_add_u64(spread, "min", s->min);
		report_add_u64(spread, "max", s->max);
	} else {
		report_add_double(spread, "min", s->min * unit);
		report_add_double(spread, "max", s->max * unit);
	}
	json_object_object_add(doc, key, spread);
}

static struct json_object *json_result(const struct barrier_plan *plan,
				       const struct barrier_result *r)
{
	struct json_object *doc = json_object_new_object(), *packets = json_object_new_object();
	struct json_object *check = json_object_new_object();

	report_add_text(doc, "outcome", outcomes[r->outcome]);
	report_add_u64(packets, "sent", r->sent);
	report_add_u64(packets, "delivered", r->packets);
	report_add_u64(packets, "dropped", r->dropped);
	report_add_double(packets, "each", (double)r->packets / plan->times);
	json_object_object_add(doc, "packets", packets);
	if (r->outcome == BARRIER_DONE) {
		put_spread(doc, "latency_ticks", &r->latency, 1);
		put_spread(doc, "latency_us", &r->latency, tick_us(plan));
		put_spread(doc, "arrival_ticks", &r->arrival, 1);
		put_spread(doc, "skew_ticks", &r->skew, 1);
	}
	report_add_u64(doc, "ended", r->ended);
	report_add_u64(doc, "early", r->early);
	report_add_u64(doc, "wrong", r->wrong);
	report_add_hash(doc, "result_hash", r->hash);
	report_add_u64(doc, "clock", r->clock);
	report_add_bool(check, "conservation", r->conserved);
	report_add_bool(check, "tokens", r->tokens);
	json_object_object_add(doc, "selfcheck", check);
	report_add_hash(doc, "delivery_hash", r->deliveries);
	return doc;
}

static struct json_object *json_plan(const struct barrier_plan *plan)
{
	const struct torus_geometry *geo = &plan->config.geo;
	struct json_object *doc = json_object_new_object(), *gates = json_object_new_object();
	const u64 *p = plan->config.params;
	char shape[PARSE_SHAPE_MAX];
	u32 least, most;

	gates_each(plan->members, &least, &most);
	report_add_text(doc, "arch", plan->config.arch->name);
	report_add_text(doc, "shape",
			parse_shape_text(geo->nshape, geo->shape, shape, sizeof(shape)));
	report_add_u64(doc, "nodes", geo->nodes);
	report_add_u64(doc, "members", plan->members);
	report_add_text(doc, "placement", plan->random ? "random" : "order");
	report_add_text(doc, "op", barrier_op_names[plan->op]);
	report_add_u64(doc, "count", plan->count);
	report_add_u64(doc, "times", plan->times);
	report_add_u64(doc, "seed", plan->config.seed);
	report_add_u64(doc, "threads", plan->threads);
	report_add_u64(doc, "domains", plan->config.domains);
	report_add_u64(doc, "tick_fs", plan->config.arch->tick_fs(&plan->config));
	report_add_u64(gates, "min", least);
	report_add_u64(gates, "max", most);
	json_object_object_add(doc, "gates_each", gates);
	report_add_u64(doc, "inject_packet", p[TORUS_P_INJECT_PACKET]);
	report_add_u64(doc, "inject_chunk", p[TORUS_P_INJECT_CHUNK]);
	report_add_u64(doc, "receive_packet", p[TORUS_P_RECEIVE_PACKET]);
	report_add_u64(doc, "receive_chunk", p[TORUS_P_RECEIVE_CHUNK]);
	report_add_u64(doc, "delay_ticks", plan->delay);
	report_add_u64(doc, "gate_delay", p[TOFU_P_GATE_DELAY]);
	return doc;
}

/**
 * barrier_json - print the results as one JSON document
 * @plan: parameters of the run
 * @results: results by enum barrier_by; only those in plan->by are valid
 */
void barrier_json(const struct barrier_plan *plan, const struct barrier_result *results)
{
	struct json_object *doc = json_plan(plan);
	u32 by;

	for (by = 0; by < BARRIER_BYS; by++)
		if (plan->by >> by & 1)
			json_object_object_add(doc, by_names[by], json_result(plan, &results[by]));
	if (both(plan))
		report_add_double(doc, "speedup", speedup(plan, results));
	sim_json_print(doc);
}

/* ----------------------------------------------------------------- exit status */

static int status_of(const struct barrier_plan *plan, enum barrier_by by,
		     const struct barrier_result *r)
{
	const char *name = by_names[by];

	if (r->outcome == BARRIER_INTERRUPTED) {
		sim_message("%s: interrupted at tick %llu, after %u of %u operations",
			    name,
			    r->clock, r->operations, plan->times);
		return 128 + sim_interrupted();
	}
	if (r->outcome == BARRIER_FAILED && r->refused)
		return sim_error("%s: an operation of a member was rejected with code %u",
				 name, r->refused);
	if (r->outcome == BARRIER_FAILED)
		return sim_error("%s: out of memory at tick %llu", name, r->clock);
	if (r->outcome == BARRIER_STANDS)
		return sim_error("%s: %u of %u members wait for a packet that does not arrive "
				 "(%llu dropped)", name, plan->members - r->ended, plan->members,
				 r->dropped);
	if (r->early)
		return sim_error("%s: %llu times a member left before the last member had entered",
				 name,
				 r->early);
	if (r->wrong)
		return sim_error("%s: %llu results are wrong", name, r->wrong);
	if (r->dropped || r->packets != r->sent ||
	    r->packets != (u64)tofu_chain_packets(plan->members) * plan->times)
		return sim_error("%s: %llu packets sent, %llu delivered, %llu dropped: the chain "
				 "needs %u per operation", name, r->sent, r->packets, r->dropped,
				 tofu_chain_packets(plan->members));
	if (!r->conserved || !r->tokens)
		return sim_error("%s: a self-check failed", name);
	return SIM_OK;
}

/**
 * barrier_status - report a failure of a run or of its self-checks
 * @plan: parameters of the run
 * @results: results by enum barrier_by; only those in plan->by are valid
 *
 * Return: SIM_OK; SIM_FAILED after an error message; 128 plus the signal's number after an
 * interrupt.
 */
int barrier_status(const struct barrier_plan *plan, const struct barrier_result *results)
{
	int status = SIM_OK;
	u32 by;

	for (by = 0; by < BARRIER_BYS && !status; by++)
		if (plan->by >> by & 1)
			status = status_of(plan, by, &results[by]);
	return status;
}
