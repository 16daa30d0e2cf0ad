/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checking tables: every pair followed through them, and who may wait for whom.
 *
 * The check knows the tables, the cables and what the router does, nothing of rules or
 * policies.
 */
#ifndef TORUS_USER_ROUTE_XT_CHECK_H
#define TORUS_USER_ROUTE_XT_CHECK_H

#include "table.h"

/**
 * enum xt_end - what becomes of a packet
 * @XT_END_REACHED: it arrives
 * @XT_END_LOOP: it comes to where it has been
 * @XT_END_TURN_BACK: it is sent back by the input through which it came
 * @XT_END_DATELINE: it comes to a dateline output on VC 1
 * @XT_END_MISSING: an entry is missing
 * @XT_END_CABLE: an entry names an output without a living cable
 * @XT_END_STRANGER: an entry hands it to a processor that is not the destination's
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
 * @src: the source
 * @dst: the destination
 * @end: what becomes of the packet
 * @rule: the rule that fails, where the tables were computed; else XT_RULES
 */
struct xt_failure {
	uint32_t src;
	uint32_t dst;
	enum xt_end end;
	enum xt_rule rule;
};

/**
 * struct xt_channel - a VC of a link
 * @node: the node that sends on it
 * @dir: the link's direction
 * @vc: the VC
 */
struct xt_channel {
	uint32_t node;
	uint32_t dir;
	uint32_t vc;
};

#define XT_FAILURES	64u		/* pairs that are kept by name */
#define XT_CIRCLES	64u		/* circles of channels that are */

/**
 * struct xt_check - what a check found
 * @pairs: ordered pairs of different nodes
 * @ends: pairs by enum xt_end
 * @cycles: circles of channels that could wait for each other, no two of which have a channel in
 *          common; XT_CIRCLES at most
 * @failures: the first pairs that are not reached
 * @nfailures: their number
 * @path: the circles, one after the other; in each channel by channel, each waits for the next
 * @path_ends: by circle: entries of @path to its last one
 * @load: by node, direction and VC: packets, one a pair
 * @hops: hops of all pairs that are reached
 * @state: work
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
 * struct xt_balance - VC balance of a dimension's links
 * @links: links that carry packets
 * @sum: of their balance
 * @bins: links by balance: to 0.25 (0 too), to 0.5, to 0.75, to 1
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
