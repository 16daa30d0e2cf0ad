/* SPDX-License-Identifier: GPL-2.0 */
/* Count how pairs of nodes are reached, over one set of faults or many. */
#ifndef TORUS_ROUTE_COVERAGE_H
#define TORUS_ROUTE_COVERAGE_H

#include "dependency_graph.h"

#define ROUTE_FAULTS_MAX	16u	/* maximum number of dead nodes in a set of faults */

/**
 * struct route_counts - number of pairs by the way in which they are reached
 * @sets: number of fault sets surveyed
 * @pairs: number of ordered pairs of different living nodes
 * @path: pairs with a clear deterministic path
 * @adaptive: pairs that only dynamic packets reach; no such packet can get stuck
 * @relay: pairs reached only through a relay
 * @blocked: pairs that are not reached
 * @circles: fault sets in which packets could wait for each other in a cycle
 * @from: source of the last blocked pair; TORUS_ROUTE_NONE if there is none
 * @to: destination of the last blocked pair
 */
struct route_counts {
	uint64_t sets;
	uint64_t pairs;
	uint64_t path;
	uint64_t adaptive;
	uint64_t relay;
	uint64_t blocked;
	uint64_t circles;
	uint32_t from;
	uint32_t to;
};

/**
 * struct route_survey - parameters and results of a survey
 * @map: the machine, without faults
 * @faults: number of dead nodes in a set
 * @colinear: include sets with two dead nodes that differ in one coordinate only
 * @samples: number of random sets; 0: survey all sets, see route_survey_run()
 * @seed: seed of the random sets
 * @progress: called after every PROGRESS_EVERY sets and at the end; may be NULL
 * @counts: [out] sums over all sets
 * @bad: [out] dead nodes of the last set with a blocked pair or a cycle
 * @has_bad: [out] true if @bad is valid
 */
struct route_survey {
	struct torus_route_map *map;
	uint32_t faults;
	bool colinear;
	uint64_t samples;
	uint64_t seed;
	void (*progress)(const struct route_survey *survey);
	struct route_counts counts;
	uint32_t bad[ROUTE_FAULTS_MAX];
	bool has_bad;
};

void route_count_pairs(struct torus_route_map *map, struct route_cdg *depend,
		       struct route_counts *counts);
int route_survey_run(struct route_survey *survey);

#endif /* TORUS_ROUTE_COVERAGE_H */
