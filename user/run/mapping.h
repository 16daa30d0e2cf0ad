/* SPDX-License-Identifier: GPL-2.0 */
/* The places of ranks, in order of rank: nodes of the fabric, of a box or of a list. */
#ifndef TORUS_RUN_MAPPING_H
#define TORUS_RUN_MAPPING_H

#include "fabric_info.h"

#define RUN_GROUP_ALL	(~0u)	/* every FIFO group of a node */
#define RUN_GROUP_NONE	(~1u)	/* --group was not given */

/**
 * struct run_place - where a rank may be
 * @node: number of the node
 * @group: FIFO group
 */
struct run_place {
	uint32_t node;
	uint32_t group;
};

/**
 * struct run_places - places, in order of rank
 * @at: the places
 * @count: their number
 * @exact: each is meant for its rank, and no other may stand in for it
 * @axes: of the view of a job that has been placed, 0: none
 * @view: lengths of these
 */
struct run_places {
	struct run_place *at;
	size_t count;
	bool exact;
	uint32_t axes;
	uint32_t view[TORUS_DIMS_MAX];
};

/**
 * struct run_where - where the ranks shall be, as it was typed
 * @job: name of a job that has been placed, or NULL
 * @nodes: lists of nodes, or none
 * @nnodes: their number
 * @box: AT+SHAPE, or NULL
 * @map: order of the dimensions, name of a file, or NULL
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
