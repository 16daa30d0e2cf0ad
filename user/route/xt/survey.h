/* SPDX-License-Identifier: GPL-2.0 */
/* Sets of cables taken out of a machine, and what its tables make of them. */
#ifndef TORUS_USER_ROUTE_XT_SURVEY_H
#define TORUS_USER_ROUTE_XT_SURVEY_H

#include "check.h"

#define XT_CABLES_MAX	16u	/* of a set */

/**
 * struct xt_survey - sets of cables, and what came of them
 * @route: the machine; cables of its map are broken and mended again
 * @automatic: datelines are put anew for each set
 * @cables: cables of a set
 * @samples: sets drawn at random; 0: all there are
 * @seed: of the draw
 * @progress: called now and then, unless NULL
 * @sets: out: sets looked at
 * @clean: out: of them, without a finding
 * @moved: out: of them, with datelines elsewhere than without a cable out
 * @pairs: out: ordered pairs, all sets together
 * @ends: out: pairs by enum xt_end
 * @cycles: out: sets in which packets could wait in a circle
 * @made: out: goals, and those that needed the search
 * @failures: out: the first pairs that are not reached
 * @sets_of: out: number of the set of each of them
 * @nfailures: out: their number
 * @bad: out: the cables of the first set with a finding
 * @has_bad: out: there is one
 * @path: out: the circle of the first set that has one
 * @npath: out: its length
 * @most_bytes: out: of the largest tables
 */
struct xt_survey {
	struct xt_route *route;
	bool automatic;
	uint32_t cables;
	uint64_t samples;
	uint64_t seed;
	void (*progress)(const struct xt_survey *survey);
	uint64_t sets;
	uint64_t clean;
	uint64_t moved;
	uint64_t pairs;
	uint64_t ends[XT_ENDS];
	uint64_t cycles;
	struct xt_made made;
	struct xt_failure failures[XT_FAILURES];
	uint64_t sets_of[XT_FAILURES];
	uint32_t nfailures;
	struct xt_link bad[XT_CABLES_MAX];
	bool has_bad;
	struct xt_channel *path;
	uint32_t npath;
	uint64_t most_bytes;
};

int xt_survey_run(struct xt_survey *survey);
void xt_survey_free(struct xt_survey *survey);
uint32_t xt_survey_cables(const struct xt_map *map);

/* explain.c */

/**
 * struct xt_hop - a hop of a way
 * @node: where the packet is
 * @in: by which input it came
 * @port: by which output it leaves
 * @vc: on which VC, behind the output
 * @crosses: the output crosses a dateline
 * @rule: why there, XT_RULES: not known
 * @avoids: the cable that the rule goes around; its node is XT_NONE where there is none
 */
struct xt_hop {
	uint32_t node;
	uint32_t in;
	uint32_t port;
	uint32_t vc;
	bool crosses;
	enum xt_rule rule;
	struct xt_link avoids;
};

/* whatif.c */

/**
 * struct xt_whatif - two machines' tables beside each other
 * @pairs: ordered pairs
 * @longer: reached by both, by the second over more hops
 * @moved: reached by both, over other links
 * @lost: reached by the first alone
 * @gained: reached by the second alone
 * @busiest: by machine: the link that most pairs use
 * @packets: by machine: those pairs
 */
struct xt_whatif {
	uint64_t pairs;
	uint64_t longer;
	uint64_t moved;
	uint64_t lost;
	uint64_t gained;
	struct xt_link busiest[2];
	uint64_t packets[2];
};

#endif /* TORUS_USER_ROUTE_XT_SURVEY_H */
