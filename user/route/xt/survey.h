/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Survey of sets of broken cables. Also the results for single paths and for the comparison of two
 * tables.
 */
#ifndef TORUS_USER_ROUTE_XT_SURVEY_H
#define TORUS_USER_ROUTE_XT_SURVEY_H

#include "check.h"

#define XT_CABLES_MAX	16u	/* maximum number of broken cables in a set */

/**
 * struct xt_survey - parameters and results of a survey
 * @route: the machine; the survey breaks cables of its map and restores them
 * @automatic: true: select the datelines again for each set
 * @cables: number of broken cables in a set
 * @samples: number of random sets; 0: survey all sets
 * @seed: seed of the random sets
 * @progress: called after several sets; may be NULL
 * @sets: [out] number of sets surveyed
 * @clean: [out] number of sets without errors
 * @moved: [out] number of sets whose datelines differ from those of the machine before the cables
 *    of the set are broken
 * @pairs: [out] ordered pairs, summed over all sets
 * @ends: [out] by enum xt_end: number of pairs
 * @cycles: [out] number of sets in which packets could wait for each other in a cycle
 * @made: [out] statistics of the tables, summed over all sets
 * @failures: [out] the first pairs that are not reached
 * @sets_of: [out] by entry of @failures: number of its set of cables
 * @nfailures: [out] number of entries in @failures
 * @bad: [out] cables of the first set with an error
 * @has_bad: [out] true if @bad is valid
 * @path: [out] the first cycle of the first set that has one
 * @npath: [out] number of channels in @path
 * @most_bytes: [out] size of the largest tables
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

/**
 * struct xt_hop - a hop of a path, filled in by explain.c
 * @node: node where the packet is
 * @in: input by which the packet arrived
 * @port: output by which the packet leaves
 * @vc: VC of the packet on the output's link
 * @crosses: true if the output crosses a dateline
 * @rule: rule that selected the output; XT_RULES if unknown
 * @avoids: cable that the rule detours around; its node is XT_NONE if there is none
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

/**
 * struct xt_whatif - comparison of two sets of tables by whatif.c
 * @pairs: number of ordered pairs of different nodes
 * @longer: pairs that both sets reach, the second with more hops
 * @moved: pairs that both sets reach, over different links
 * @lost: pairs that only the first set reaches
 * @gained: pairs that only the second set reaches
 * @busiest: by set of tables: the link that most pairs use
 * @packets: by set of tables: number of pairs that use that link
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
