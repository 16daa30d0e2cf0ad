/* SPDX-License-Identifier: GPL-2.0 */
/* Counting how pairs of nodes are reached, over one set of faults or many. */
#ifndef TORUS_USER_ROUTE_SURVEY_H
#define TORUS_USER_ROUTE_SURVEY_H

#include "depend.h"

#define ROUTE_FAULTS_MAX	16u	/* dead nodes of a survey */

/**
 * struct route_counts - how pairs are reached
 * @sets: sets of faults looked at
 * @pairs: ordered pairs of different living nodes
 * @path: by a clear deterministic path
 * @adaptive: by a dynamic packet that nothing can trap
 * @relay: through one node
 * @blocked: not at all
 * @circles: sets in which packets could wait for each other in a circle
 * @from: of a blocked pair, TORUS_ROUTE_NONE: there is none
 * @to: likewise
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
 * struct route_survey - sets of dead nodes, and what came of them
 * @map: the machine, with nothing dead
 * @faults: dead nodes in a set
 * @colinear: sets in which two share an axis line, too
 * @samples: sets drawn at random; 0: all there are
 * @seed: of the draw
 * @progress: called now and then, unless NULL
 * @counts: out
 * @bad: out: the faults of the last set with a blocked pair or a circle
 * @has_bad: out: there is one
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

void route_count_pairs(struct torus_route_map *map, struct route_depend *depend,
		       struct route_counts *counts);
int route_survey_run(struct route_survey *survey);

#endif /* TORUS_USER_ROUTE_SURVEY_H */
