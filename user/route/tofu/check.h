/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check of all pairs of nodes of a Tofu machine over all twelve paths: rules, deadlock, dead units,
 * loads.
 */
#ifndef TORUS_USER_ROUTE_TOFU_CHECK_H
#define TORUS_USER_ROUTE_TOFU_CHECK_H

#include "../deadlock/cdg.h"
#include "walk.h"

/**
 * enum tofu_rule - rules that each path must meet
 * @TOFU_REACHED: the path ends at the destination, over existing links
 * @TOFU_RELAYED: the first phase ends at the path's relay
 * @TOFU_MINIMAL: each phase is as short as possible
 * @TOFU_LENGTH: the number of hops equals tofu_path_hops()
 * @TOFU_PHASED: the phases move in a, b, c; then in x, y, z; then in a, b, c
 * @TOFU_IO: an I/O packet takes x and y links only at z = 0
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
 * struct tofu_check - results of a check
 * @pairs: number of ordered pairs of different nodes
 * @paths: number of paths followed, in both orders of the axes
 * @hops: sum of the hops of all paths
 * @longest: hops of the longest path
 * @relays: number of pairs whose twelve paths use twelve different relays
 * @broken: by rule: number of paths that break the rule
 * @bad: the last path that broke a rule: source, destination, path, order
 * @cdg: graph of channels that wait for each other
 */
struct tofu_check {
	u64 pairs;
	u64 paths;
	u64 hops;
	u32 longest;
	u64 relays;
	u64 broken[TOFU_RULES];
	u32 bad[4];
	struct cdg cdg;
};

int tofu_check_init(struct tofu_check *check, const struct torus_geometry *g);
void tofu_check_free(struct tofu_check *check);
void tofu_check_run(struct tofu_check *check, const struct torus_geometry *g, bool one_vc);
bool tofu_check_clean(const struct tofu_check *check);
const char *tofu_rule_name(enum tofu_rule rule);

/**
 * struct tofu_survey - results with each unit dead in turn
 * @units: number of units
 * @pairs: number of pairs of living nodes, summed over all units and both orders of the axes
 * @changed: number of @pairs whose fixed path has a dead node
 * @lost: number of @pairs for which each path has a dead node
 * @unit: index of a node in the last unit whose failure disconnected a pair
 * @from: source of the last such pair
 * @to: destination of the last such pair
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
 * struct tofu_loads - load of each channel. Each pair of nodes sends one packet over the path that
 * a policy selects, or a twelfth of a packet over each of its paths
 * @load: by node, direction and VC, in twelfths of a packet
 * @hops: sum over all packets, in twelfths of a hop
 * @packets: number of packets, one per pair
 */
struct tofu_loads {
	u64 (*load)[TOFU_DIRS][TOFU_VCS];
	u64 hops;
	u64 packets;
};

/**
 * struct tofu_share - load of the channels of one axis and VC
 * @links: number of links along the axis
 * @sum: sum of the links' loads, in twelfths of a packet
 * @most: load of the busiest link, in twelfths of a packet
 */
struct tofu_share {
	u64 links;
	u64 sum;
	u64 most;
};

#endif /* TORUS_USER_ROUTE_TOFU_CHECK_H */
