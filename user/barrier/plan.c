// SPDX-License-Identifier: GPL-2.0
/*
 * Members' nodes and values, and the results, which are computed here another way than gates
 * do: integers one by one, doubles as whole multiples of 2^-60 whose sum fits into 128 bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/base/message.h"
#include "core/base/random.h"
#include "plan.h"

/* A double is 53 bits with a sign, so many places further up, times 2^-DOUBLE_UNIT. */
#define DOUBLE_PLACES	40
#define DOUBLE_UNIT	60

/*
 * What a processor needs for a packet, each way: with them 8 bytes to the next node take the
 * 0.91 us that Tofu's maker published later: 502 + 125 + 8 + 502 ticks.  Not in the paper.
 */
#define COST_TICKS	502u

#define OP_NAME(op, name)	[TOFU_OP_##op] = #name,

const char *const barrier_op_names[TOFU_OPS] = { BARRIER_EACH_OP(OP_NAME) };

static u64 draw(const struct barrier_plan *plan, u32 member, u32 operation, u32 value)
{
	u64 key = torus_mix(plan->config.seed ^ torus_mix((u64)member << 32 | operation));

	return torus_mix(key + value);
}

/*
 * Bits of a value that this member alone clears (BAND) or sets (BOR): about half of all bits
 * are some member's, so that a member who is forgotten is seen.
 */
static u64 owned(const struct barrier_plan *plan, u32 member, u32 operation, u32 value)
{
	u64 bits = 0;
	u32 bit;

	for (bit = 0; bit < 64; bit++)
		if (draw(plan, ~0u, operation, value * 64 + bit) % (2ull * plan->members) == member)
			bits |= 1ull << bit;
	return bits;
}

/* A member's double, in units of 2^-DOUBLE_UNIT. */
static __int128 whole(u64 random)
{
	return (__int128)((s64)random >> 11) * ((__int128)1 << (random % (DOUBLE_PLACES + 1)));
}

static u64 bits_of(__int128 units)
{
	double value = ldexp((double)units, -DOUBLE_UNIT);
	u64 bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/**
 * barrier_costs - what a processor needs for a packet, unless told otherwise
 * @config: of the machine; gets it
 */
void barrier_costs(struct torus_config *config)
{
	config->params[TORUS_P_INJECT_PACKET] = COST_TICKS;
	config->params[TORUS_P_RECEIVE_PACKET] = COST_TICKS;
}

/**
 * barrier_values - what a member brings to an operation
 * @plan: made
 * @member: its number
 * @operation: number of the operation
 * @values: gets plan->count integers, or the bits of as many doubles
 *
 * A function of the seed, the member and the operation, not of the node.
 */
void barrier_values(const struct barrier_plan *plan, u32 member, u32 operation, u64 *values)
{
	u32 i;

	for (i = 0; i < plan->count; i++) {
		u64 random = draw(plan, member, operation, i);

		values[i] = random;
		if (plan->op == TOFU_OP_BAND)
			values[i] = ~owned(plan, member, operation, i);
		if (plan->op == TOFU_OP_BOR)
			values[i] = owned(plan, member, operation, i);
		/* members with equal values */
		if (plan->op == TOFU_OP_MAXLOC)
			values[i] = i % 2 ? member : random % 16;
		if (plan->op == TOFU_OP_BFPSUM)
			values[i] = bits_of(whole(random));
	}
}

static void fold(const struct barrier_plan *plan, u64 *want, const u64 *values, bool first)
{
	u32 i;

	for (i = 0; i < plan->count; i++) {
		bool more;

		switch (plan->op) {
		case TOFU_OP_BAND:
			want[i] = first ? values[i] : want[i] & values[i];
			break;
		case TOFU_OP_BOR:
			want[i] = first ? values[i] : want[i] | values[i];
			break;
		case TOFU_OP_BXOR:
			want[i] = first ? values[i] : want[i] ^ values[i];
			break;
		case TOFU_OP_MAX:
			want[i] = first || values[i] > want[i] ? values[i] : want[i];
			break;
		case TOFU_OP_MAXLOC:
			/* members come by their numbers, so the first of equal ones stays */
			more = first || values[i & ~1u] > want[i & ~1u];
			if (i % 2 && more)
				memcpy(&want[i - 1], &values[i - 1], 2 * sizeof(*want));
			break;
		default:
			want[i] = first ? values[i] : want[i] + values[i];
			break;
		}
	}
}

static void sum_doubles(const struct barrier_plan *plan, u32 operation, u64 *want)
{
	u32 i, member;

	for (i = 0; i < plan->count; i++) {
		__int128 sum = 0;

		for (member = 0; member < plan->members; member++)
			sum += whole(draw(plan, member, operation, i));
		want[i] = bits_of(sum);
	}
}

static void expect(const struct barrier_plan *plan, u32 operation)
{
	u64 *want = &plan->want[(size_t)operation * plan->count];
	u64 values[TOFU_WORDS_MAX];
	u32 member;

	if (plan->op == TOFU_OP_BFPSUM) {
		sum_doubles(plan, operation, want);
		return;
	}
	for (member = 0; plan->count && member < plan->members; member++) {
		barrier_values(plan, member, operation, values);
		fold(plan, want, values, !member);
	}
}

/* The first nodes, or the first of a shuffle of all. */
static bool place(struct barrier_plan *plan)
{
	u32 nodes = plan->config.geo.nodes, i;
	u64 rng = torus_mix(plan->config.seed ^ 0x62617272u) | 1;

	plan->node = calloc(nodes, sizeof(*plan->node));
	for (i = 0; plan->node && i < nodes; i++)
		plan->node[i] = i;
	for (i = 0; plan->node && plan->random && i < plan->members; i++) {
		u32 other = i + torus_random_below(&rng, nodes - i), node = plan->node[other];

		plan->node[other] = plan->node[i];
		plan->node[i] = node;
	}
	return plan->node;
}

/**
 * barrier_plan_make - place the members, and say what must come out
 * @plan: what was asked for; barrier_plan_free() it in any case
 *
 * Return: SIM_OK, or SIM_FAILED after telling why not.
 */
int barrier_plan_make(struct barrier_plan *plan)
{
	u32 operation;

	plan->want = calloc((size_t)plan->times * plan->count + 1, sizeof(*plan->want));
	if (!place(plan) || !plan->want)
		return sim_error("no memory for %u members and %u operations", plan->members,
				 plan->times);
	for (operation = 0; operation < plan->times; operation++)
		expect(plan, operation);
	return SIM_OK;
}

/**
 * barrier_plan_free - give back what barrier_plan_make() has made
 * @plan: the plan
 */
void barrier_plan_free(struct barrier_plan *plan)
{
	free(plan->node);
	free(plan->want);
}
