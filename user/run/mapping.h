/* SPDX-License-Identifier: GPL-2.0 */
/* Map ranks to places: all nodes, a box, a list of nodes, or the places in a file. */
#ifndef TORUS_RUN_MAPPING_H
#define TORUS_RUN_MAPPING_H

#include "fabric_info.h"

#define RUN_GROUP_ALL	(~0u)	/* value for all FIFO groups of a node */
#define RUN_GROUP_NONE	(~1u)	/* value if the option --group was not given */

/**
 * struct run_place - a place for a rank
 * @node: number of the node
 * @group: FIFO group
 */
struct run_place {
	uint32_t node;
	uint32_t group;
};

/**
 * struct run_places - places in the order of ranks
 * @at: array of places
 * @count: number of entries in @at
 * @exact: true if each place is for a particular rank, so that places that are not free must not be
 *    skipped
 * @axes: number of axes of the job's torus view; 0: the job has no view
 * @view: lengths of the view's axes
 */
struct run_places {
	struct run_place *at;
	size_t count;
	bool exact;
	uint32_t axes;
	uint32_t view[TORUS_DIMS_MAX];
};

/**
 * struct run_where - options that select places, as typed
 * @job: name of a job that torusctl has placed, or NULL
 * @nodes: array of lists of nodes
 * @nnodes: number of entries in @nodes
 * @box: box in the form AT+SHAPE, or NULL
 * @map: order of dimensions, name of a file, or NULL
 * @group: FIFO group, RUN_GROUP_ALL or RUN_GROUP_NONE
 */
struct run_where {
	const char *job;
	const char **nodes;
	size_t nnodes;
	const char *box;
	const char *map;
	uint32_t group;
};

bool run_places_find(struct run_places *places, const struct run_fabric_info *machine,
		     const struct run_where *where, struct parse_error *why);
bool run_places_add(struct run_places *places, uint32_t node, uint32_t group);

#endif /* TORUS_RUN_MAPPING_H */
