// SPDX-License-Identifier: GPL-2.0
/*
 * The members' nodes and values, and the expected results. The results are computed in another
 * way than in gates: integers one by one, and doubles as multiples of 2^-60, whose sum fits into
 * 128 bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/base/message.h"
#include "core/base/random.h"
#include "plan.h"

/*
 * A random double is a signed 53-bit integer, shifted left by up to DOUBLE_PLACES bits, times
 * 2^-DOUBLE_UNIT.
 */
#define DOUBLE_PLACES	40
#define DOUBLE_UNIT	60

/*
 * Ticks of a processor per packet, for injecting and for receiving. With this value, 8 bytes take
 * 502 + 125 + 8 + 502 ticks to the next node. This is the 0.91 us that the maker of Tofu
 * published later; the paper does not have a value.
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
 * Bits of a value that only this member clears (BAND) or sets (BOR). About half of all bits
 * belong to some member, so a result without a member's value is wrong.
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

/* Convert a random number to a double, in units of 2^-DOUBLE_UNIT. */
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
 * barrier_costs - set the default costs of a processor for a packet
 * @config: [in, out] configuration of the machine
 */
void barrier_costs(struct torus_config *config)
{
	config->params[TORUS_P_INJECT_PACKET] = COST_TICKS;
	config->params[TORUS_P_RECEIVE_PACKET] = COST_TICKS;
}

/**
 * barrier_values - the values that a member contributes to an operation
 * @plan: the plan
 * @member: number of the member
 * @operation: number of the operation
 * @values: [out] plan->count integers, or the bits of plan->count doubles
 *
 * The values depend on the seed, the member and the operation, not on the node.
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
		/* a small range, so that several members have the same value */
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
			/* the member with the lowest number wins among equal values */
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

/* Place the members on the first nodes, or on random nodes (by a partial shuffle). */
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
 * barrier_plan_make - place the members, and compute the expected results
 * @plan: [in, out] parameters of the run; the caller calls barrier_plan_free(), also after a
 *	failure
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int barrier_plan_make(struct barrier_plan *plan)
{
	u32 operation;

	plan->want = calloc((size_t)plan->times * plan->count + 1, sizeof(*plan->want));
	if (!place(plan) || !plan->want)
		return sim_error("out of memory for %u members and %u operations", plan->members,
				 plan->times);
	for (operation = 0; operation < plan->times; operation++)
		expect(plan, operation);
	return SIM_OK;
}

/**
 * barrier_plan_free - free the arrays of a plan
 * @plan: the plan
 */
void barrier_plan_free(struct barrier_plan *plan)
{
	free(plan->node);
	free(plan->want);
}
