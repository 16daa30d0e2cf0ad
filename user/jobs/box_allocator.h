/* SPDX-License-Identifier: GPL-2.0 */
/* Allocated groups, and positions for boxes among the free groups. */
#ifndef TORUS_JOBS_BOX_ALLOCATOR_H
#define TORUS_JOBS_BOX_ALLOCATOR_H

#include "jobs.h"

/**
 * struct jobs_place - position of a box
 * @at: first group
 * @box: lengths of the box; the first is 0 if the job has no box, but any @groups groups
 * @groups: number of groups
 */
struct jobs_place {
	u32 at[JOBS_BOX];
	u32 box[JOBS_BOX];
	u32 groups;
};

/**
 * struct jobs_grid - allocated groups
 * @taken: by group: 1 if allocated
 * @sums: number of allocated groups in the box from the corner to each group. The machine is
 *    repeated along each axis, so that boxes may wrap around
 * @free: number of free groups
 * @stale: @sums must be computed again
 */
struct jobs_grid {
	const struct torus_geometry *g;
	u8 *taken;
	u32 *sums;
	u32 free;
	bool stale;
};

int jobs_grid_init(struct jobs_grid *grid, const struct torus_geometry *g);
void jobs_grid_free(struct jobs_grid *grid);
void jobs_grid_copy(struct jobs_grid *grid, const struct jobs_grid *from);
void jobs_grid_set(struct jobs_grid *grid, const struct jobs_place *place, u8 taken);
bool jobs_grid_find(struct jobs_grid *grid, const struct jobs_kind *kind,
		    enum jobs_shapes shapes, struct jobs_place *place);

#endif /* TORUS_JOBS_BOX_ALLOCATOR_H */
