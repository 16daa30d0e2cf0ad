// SPDX-License-Identifier: GPL-2.0
/* Results of a barrier as text and JSON, and the exit status. */
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

#define SPREAD_FORM \
	"mean {mean%.1f} ticks ({us.mean%.3f} us), min {min} ({us.min%.3f} us), " \
	"max {max} ({us.max%.3f} us)\n{/}"

#define RESULT_FORM \
	"{outcome}\n" \
	"  packets   {packets.delivered} delivered" \
	"{?outcome=done}, {packets.each%.6g} each time{/}; {packets.dropped} dropped\n" \
	"{>latency_ticks}  latency   " SPREAD_FORM "{>arrival_ticks}  arrival   " SPREAD_FORM \
	"{>skew_ticks}  skew      " SPREAD_FORM \
	"  check     {early} left early, {wrong} wrong results, " \
	"conservation {?selfcheck.conservation}holds{:}FAILS{/}, " \
	"tokens {?selfcheck.tokens}hold{:}FAIL{/}\n" \
	"  hash      {delivery_hash}, of results {result_hash}\n{/}"

static const char result_form[] =
	"{arch} {shape}, {members} members {?placement=random}at random{:}in order{/}, {op}"
	"{?count} of {count} values{/} {times} times, seed {seed}\n"
	"chain     {gates_each.min} to {gates_each.max} gates a member, {chain_packets} packets\n"
	"costs     a packet in {inject_packet} + {inject_chunk} ticks a chunk, "
	"out {receive_packet} + {receive_chunk}; random delay {delay_ticks}; gate {gate_delay}\n"
	"{>gates}\ngates: " RESULT_FORM "{>software}\nsoftware: " RESULT_FORM
	"{?speedup}\nsoftware takes {speedup%.3f} times as long\n{/}";

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

/* Add the values in us to those in ticks, for the text. @unit: us per tick. */
static void text_spread(struct json_object *doc, const char *key, const struct barrier_spread *s,
			double unit)
{
	put_spread(json_object_object_get(doc, key), "us", s, unit);
}

static struct json_object *json_result(const struct barrier_plan *plan,
				       const struct barrier_result *r, bool json)
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
	if (r->outcome == BARRIER_DONE && !json) {
		text_spread(doc, "latency_ticks", &r->latency, tick_us(plan));
		text_spread(doc, "arrival_ticks", &r->arrival, tick_us(plan));
		text_spread(doc, "skew_ticks", &r->skew, tick_us(plan));
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
 * barrier_print - print the results as text or as one JSON document
 * @plan: parameters of the run
 * @results: results by enum barrier_by; only those in plan->by are valid
 * @json: print JSON
 */
void barrier_print(const struct barrier_plan *plan, const struct barrier_result *results, bool json)
{
	struct json_object *doc = json_plan(plan);
	u32 by;

	for (by = 0; by < BARRIER_BYS; by++)
		if (plan->by >> by & 1)
			json_object_object_add(doc, by_names[by],
					       json_result(plan, &results[by], json));
	if (both(plan))
		report_add_double(doc, "speedup", speedup(plan, results));
	if (!json)
		report_add_u64(doc, "chain_packets", tofu_chain_packets(plan->members));
	sim_json_answer(doc, json, result_form);
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
