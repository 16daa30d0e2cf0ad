/* SPDX-License-Identifier: GPL-2.0 */
/* All pairs of a Tofu machine by all twelve paths: rules, deadlock, dead units, loads. */
#ifndef TORUS_USER_ROUTE_TOFU_CHECK_H
#define TORUS_USER_ROUTE_TOFU_CHECK_H

#include "../proof/proof.h"
#include "walk.h"

/**
 * enum tofu_rule - what is asked of a path
 * @TOFU_REACHED: it ends at the destination, over links that there are
 * @TOFU_RELAYED: the first phase ends at its relay
 * @TOFU_MINIMAL: each phase is as short as can be
 * @TOFU_LENGTH: its length is that of the closed form
 * @TOFU_PHASED: a, b, c; then x, y, z; then a, b, c
 * @TOFU_IO: an I/O packet takes x and y links at z = 0 alone
 * @TOFU_RULES: number of rules
 */
enum tofu_rule {
	TOFU_REACHED,
	TOFU_RELAYED,
	TOFU_MINIMAL,
	TOFU_LENGTH,
	TOFU_PHASED,
	TOFU_IO,
	TOFU_RULES,
};

/**
 * struct tofu_check - what a check found
 * @pairs: ordered pairs of different nodes
 * @paths: paths followed, by both orders of the axes
 * @hops: links of all of them
 * @longest: links of the longest
 * @relays: pairs whose twelve paths have twelve relays
 * @broken: by rule: paths that do not hold it
 * @bad: the last path that broke a rule: source, destination, path, order
 * @proof: who waits for whom
 */
struct tofu_check {
	u64 pairs;
	u64 paths;
	u64 hops;
	u32 longest;
	u64 relays;
	u64 broken[TOFU_RULES];
	u32 bad[4];
	struct proof proof;
};

int tofu_check_init(struct tofu_check *check, const struct torus_geometry *g);
void tofu_check_free(struct tofu_check *check);
void tofu_check_run(struct tofu_check *check, const struct torus_geometry *g, bool one_vc);
bool tofu_check_clean(const struct tofu_check *check);
const char *tofu_rule_name(enum tofu_rule rule);

/**
 * struct tofu_survey - dead units, one after the other
 * @units: units taken out
 * @pairs: pairs of living nodes, of all sets, by both orders
 * @changed: of these, pairs whose fixed path was not clean
 * @lost: of these, pairs that no path of is clean
 * @unit: index of a node of the last unit that lost a pair
 * @from: such a pair
 * @to: likewise
 */
struct tofu_survey {
	u64 units;
	u64 pairs;
	u64 changed;
	u64 lost;
	u32 unit;
	u32 from;
	u32 to;
};

/**
 * struct tofu_loads - packets on each channel, one packet a pair over its path, or a twelfth
 *                     over each
 * @load: by node, direction and VC, in twelfths of a packet
 * @hops: of all packets, in twelfths
 * @packets: pairs
 */
struct tofu_loads {
	u64 (*load)[TOFU_DIRS][TOFU_VCS];
	u64 hops;
	u64 packets;
};

/**
 * struct tofu_share - channels of an axis and a VC together
 * @links: links of the axis
 * @sum: twelfths of packets on them
 * @most: on one of them
 */
struct tofu_share {
	u64 links;
	u64 sum;
	u64 most;
};

#endif /* TORUS_USER_ROUTE_TOFU_CHECK_H */
