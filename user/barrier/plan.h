/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of a run: the node and values of each member, and the expected results. */
#ifndef TORUS_BARRIER_PLAN_H
#define TORUS_BARRIER_PLAN_H

#include <stdbool.h>

#include "arch/tofu/reduce.h"
#include "core/state/config.h"

/*
 * The implementation of the chain: gates of the network, or software of the members' processors.
 */
enum barrier_by { BARRIER_GATES, BARRIER_SOFTWARE, BARRIER_BYS };

/**
 * struct barrier_plan - parameters of a run
 * @config: the machine; its costs of packets are those of a processor
 * @members: number of members, at most one per node
 * @random: members are on random nodes, else on the first ones
 * @op: enum tofu_op
 * @count: number of values per member
 * @times: number of operations, one after the other
 * @delay: mean random delay of each piece of a processor's work, in ticks; 0: none; in software,
 *    calls and returns have none
 * @threads: number of threads that simulate
 * @by: bit mask of enum barrier_by
 * @node: node of each member
 * @want: expected results: @count values for each of @times operations
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
