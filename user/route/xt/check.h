/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check of routing tables: follow the packets of each pair of nodes through the tables, and find
 * cycles of waits.
 *
 * The check uses the tables, the cables and the behaviour of the router. The check does not depend
 * on the rules and policies by which the tables were made.
 */
#ifndef TORUS_USER_ROUTE_XT_CHECK_H
#define TORUS_USER_ROUTE_XT_CHECK_H

#include "table_store.h"

/**
 * enum xt_end - ways in which a packet ends
 * @XT_END_REACHED: the packet arrives
 * @XT_END_LOOP: the packet visits a state twice
 * @XT_END_TURN_BACK: the output is the port by which the packet arrived
 * @XT_END_DATELINE: the packet is already on VC 1 and takes an output that crosses a dateline
 * @XT_END_MISSING: the packet needs an entry that is missing
 * @XT_END_CABLE: the output has no live cable
 * @XT_END_STRANGER: the packet is delivered to the processor of a wrong node
 * @XT_ENDS: number of ends
 */
enum xt_end {
	XT_END_REACHED,
	XT_END_LOOP,
	XT_END_TURN_BACK,
	XT_END_DATELINE,
	XT_END_MISSING,
	XT_END_CABLE,
	XT_END_STRANGER,
	XT_ENDS,
};

/**
 * struct xt_failure - a pair that is not reached
 * @end: the way in which the packet ends
 * @rule: the rule that failed; XT_RULES if xt_name_failures() was not called
 */
struct xt_failure {
	uint32_t src;
	uint32_t dst;
	enum xt_end end;
	enum xt_rule rule;
};

/**
 * struct xt_channel - a VC of a link
 * @node: the link's sender
 */
struct xt_channel {
	uint32_t node;
	uint32_t dir;
	uint32_t vc;
};

#define XT_FAILURES	64u		/* maximum number of pairs stored in xt_check.failures */
#define XT_CIRCLES	64u		/* maximum number of cycles stored in xt_check.path */

/**
 * struct xt_check - results of a check
 * @pairs: number of ordered pairs of different nodes
 * @ends: by enum xt_end: number of pairs
 * @cycles: number of cycles of channels that could wait for each other, at most XT_CIRCLES. No
 *    channel is in two cycles
 * @failures: the first pairs that are not reached
 * @path: channels of one cycle after the other; within a cycle each channel waits for the next
 * @path_ends: by cycle: index in @path after the last channel of this cycle
 * @load: by node, direction and VC: number of packets, one per pair that is reached
 * @hops: sum of the hops of all pairs that are reached
 * @state: scratch memory
 */
struct xt_check {
	uint64_t pairs;
	uint64_t ends[XT_ENDS];
	uint32_t cycles;
	struct xt_failure failures[XT_FAILURES];
	uint32_t nfailures;
	struct xt_channel *path;
	uint32_t path_ends[XT_CIRCLES];
	uint32_t (*load)[XT_DIRS][XT_VCS];
	uint64_t hops;
	struct xt_check_state *state;
};

int xt_check_init(struct xt_check *check, const struct xt_map *map);
void xt_check_free(struct xt_check *check);
void xt_check_run(struct xt_check *check, const struct xt_tables *tables);
bool xt_check_clean(const struct xt_check *check);
const char *xt_end_name(enum xt_end end);

#define XT_BINS	4

/**
 * struct xt_balance - VC balance of the links of a dimension
 * @links: number of links with packets
 * @sum: sum of the balances of these links
 * @bins: number of links by balance: up to 0.25, from there up to 0.5, up to 0.75, up to 1
 */
struct xt_balance {
	uint64_t links;
	double sum;
	uint64_t bins[XT_BINS];
};

struct xt_map;
struct xt_tables;

void xt_check_begin(struct xt_check *check, const struct xt_map *map);
enum xt_end xt_follow(struct xt_check *check, const struct xt_tables *tables, uint32_t at,
		      uint32_t dest, uint32_t *tail);

#endif /* TORUS_USER_ROUTE_XT_CHECK_H */
