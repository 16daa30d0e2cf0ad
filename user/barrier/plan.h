/* SPDX-License-Identifier: GPL-2.0 */
/* The plan of a run: the node of each member, its values, and the results that must come out. */
#ifndef TORUS_BARRIER_PLAN_H
#define TORUS_BARRIER_PLAN_H

#include <stdbool.h>

#include "arch/tofu/reduce.h"
#include "core/state/config.h"

/* Who works the chain: the network's gates, or the members' processors. */
enum barrier_by { BARRIER_GATES, BARRIER_SOFTWARE, BARRIER_BYS };

/**
 * struct barrier_plan - what was asked for
 * @config: the machine; its costs of packets are a processor's
 * @members: of the chain, one a node
 * @random: members stand at random nodes, else on the first ones
 * @op: enum tofu_op
 * @count: values of a member
 * @times: operations, one after the other
 * @delay: ticks, mean of the random delay of each piece of a processor's work; 0: none
 * @threads: that simulate
 * @by: bit b: enum barrier_by
 * @node: of each member
 * @want: @times * @count values: what each operation must come to
 */
struct barrier_plan {
	struct torus_config config;
	u32 members;
	bool random;
	u32 op;
	u32 count;
	u32 times;
	u64 delay;
	u32 threads;
	u32 by;
	u32 *node;
	u64 *want;
};

/* The operations in the order of enum tofu_op, and their names. */
#define BARRIER_EACH_OP(X) \
	X(BARRIER, barrier) X(BAND, band) X(BOR, bor) X(BXOR, bxor) \
	X(MAX, max) X(MAXLOC, maxloc) X(SUM, sum) X(BFPSUM, bfpsum)

extern const char *const barrier_op_names[TOFU_OPS];

void barrier_costs(struct torus_config *config);
int barrier_plan_make(struct barrier_plan *plan);
void barrier_plan_free(struct barrier_plan *plan);
void barrier_values(const struct barrier_plan *plan, u32 member, u32 operation, u64 *values);

#endif /* TORUS_BARRIER_PLAN_H */
