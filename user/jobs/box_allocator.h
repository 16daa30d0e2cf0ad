/* SPDX-License-Identifier: GPL-2.0 */
/* Groups that are taken, and places for boxes among those that are not. */
#ifndef TORUS_JOBS_BOX_ALLOCATOR_H
#define TORUS_JOBS_BOX_ALLOCATOR_H

#include "jobs.h"

/**
 * struct jobs_place - a box at its place
 * @at: its first group
 * @box: its lengths; the first is 0 where there is no box, but @groups anywhere
 * @groups: groups in it
 */
struct jobs_place {
	u32 at[JOBS_BOX];
	u32 box[JOBS_BOX];
	u32 groups;
};

/**
 * struct jobs_grid - groups taken
 * @g: the machine
 * @taken: by group
 * @sums: taken groups in the box from the corner to each group, the machine twice along each
 *        axis, so that boxes may go over its end
 * @free: groups that are not taken
 * @stale: @sums is of earlier
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
