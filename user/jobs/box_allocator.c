// SPDX-License-Identifier: GPL-2.0
/*
 * Find the first free position of a box of groups. Prefix sums (the number of allocated groups
 * between the machine's corner and each group) make the check of a position fast.
 */
#include <errno.h>
#include <stdlib.h>

#include "box_allocator.h"
#include "../route/tofu/view_shapes.h"

static u32 all_groups(const struct torus_geometry *g)
{
	return g->dims[0] * g->dims[1] * g->dims[2];
}

static size_t sums_size(const struct torus_geometry *g)
{
	return (2 * (size_t)g->dims[0] + 1) * (2 * g->dims[1] + 1) * (2 * g->dims[2] + 1);
}

/**
 * jobs_grid_init() - set up a grid with all groups free
 * @grid: [out] freed with jobs_grid_free(), also after an error
 * @g: the machine; must outlive @grid
 *
 * Return: 0, -ENOMEM.
 */
int jobs_grid_init(struct jobs_grid *grid, const struct torus_geometry *g)
{
	*grid = (struct jobs_grid){ .g = g, .free = all_groups(g) };
	grid->taken = calloc(all_groups(g), 1);
	grid->sums = calloc(sums_size(g), sizeof(*grid->sums));
	return grid->taken && grid->sums ? 0 : -ENOMEM;
}

/**
 * jobs_grid_free() - free the memory of a grid
 */
void jobs_grid_free(struct jobs_grid *grid)
{
	free(grid->taken);
	free(grid->sums);
}

/**
 * jobs_grid_copy() - copy the allocated groups of a grid
 * @grid: [in, out] a grid of the same machine
 * @from: grid to copy
 */
void jobs_grid_copy(struct jobs_grid *grid, const struct jobs_grid *from)
{
	memcpy(grid->taken, from->taken, all_groups(from->g));
	grid->free = from->free;
	grid->stale = true;
}

/**
 * jobs_grid_set() - allocate or free groups
 * @place: the groups; if the job has no box, only the number of groups counts
 * @taken: 1: allocate, 0: free
 */
void jobs_grid_set(struct jobs_grid *grid, const struct jobs_place *place, u8 taken)
{
	const u32 *dims = grid->g->dims;
	u32 x, y, z;

	if (!place->box[0]) {
		grid->free += taken ? -place->groups : place->groups;
		return;
	}
	grid->stale = true;
	for (z = 0; z < place->box[2]; z++)
		for (y = 0; y < place->box[1]; y++)
			for (x = 0; x < place->box[0]; x++) {
				u32 group = (place->at[0] + x) % dims[0] + dims[0] *
					    ((place->at[1] + y) % dims[1] + dims[1] *
					     ((place->at[2] + z) % dims[2]));

				/*
				 * A reserved box may contain allocated groups, which must not be
				 * counted twice.
				 */
				grid->free += grid->taken[group];
				grid->taken[group] = taken;
				grid->free -= taken;
			}
}

static u32 *sum_at(const struct jobs_grid *grid, u32 x, u32 y, u32 z)
{
	const u32 *dims = grid->g->dims;

	return &grid->sums[x + (2 * (size_t)dims[0] + 1) * (y + (2 * (size_t)dims[1] + 1) * z)];
}

static void add_up(struct jobs_grid *grid)
{
	const u32 *dims = grid->g->dims;
	u32 x, y, z;

	for (z = 0; z < 2 * dims[2]; z++)
		for (y = 0; y < 2 * dims[1]; y++) {
			const u8 *row = &grid->taken[dims[0] * (y % dims[1] + dims[1] *
								(z % dims[2]))];
			u32 *before = sum_at(grid, 0, y, z + 1), *below = sum_at(grid, 0, y + 1, z);
			u32 *both = sum_at(grid, 0, y, z), *here = sum_at(grid, 0, y + 1, z + 1);
			u32 line = 0;

			for (x = 0; x < 2 * dims[0]; x++) {
				line += row[x < dims[0] ? x : x - dims[0]];
				here[x + 1] = line + before[x + 1] + below[x + 1] - both[x + 1];
			}
		}
	grid->stale = false;
}

static bool is_free(const struct jobs_grid *grid, const u32 *at, const u32 *box)
{
	u32 x = at[0], y = at[1], z = at[2], X = x + box[0], Y = y + box[1], Z = z + box[2];

	return *sum_at(grid, X, Y, Z) - *sum_at(grid, x, Y, Z) - *sum_at(grid, X, y, Z) -
	       *sum_at(grid, X, Y, z) + *sum_at(grid, x, y, Z) + *sum_at(grid, x, Y, z) +
	       *sum_at(grid, X, y, z) - *sum_at(grid, x, y, z) == 0;
}

static bool find_box(struct jobs_grid *grid, const u32 *box, struct jobs_place *place)
{
	struct tofu_shape shape = { .groups = { box[0], box[1], box[2] } };
	u32 most[JOBS_BOX], axis, *at = place->at;

	place->groups = box[0] * box[1] * box[2];
	if (place->groups > grid->free)
		return false;
	if (grid->stale)
		add_up(grid);
	for (axis = 0; axis < JOBS_BOX; axis++)
		most[axis] = tofu_shape_origins(grid->g, &shape, axis);
	memcpy(place->box, box, sizeof(place->box));
	for (at[2] = 0; at[2] < most[2]; at[2]++)
		for (at[1] = 0; at[1] < most[1]; at[1]++)
			for (at[0] = 0; at[0] < most[0]; at[0]++)
				if (is_free(grid, at, box))
					return true;
	return false;
}

/**
 * jobs_grid_find() - find the first free position for a job
 * @kind: view that the job requests
 * @shapes: boxes that the job may use
 * @place: [out] the position
 *
 * Return: false if there is none.
 */
bool jobs_grid_find(struct jobs_grid *grid, const struct jobs_kind *kind,
		    enum jobs_shapes shapes, struct jobs_place *place)
{
	u32 i, count = shapes == JOBS_ONE ? 1 : kind->count;

	if (shapes == JOBS_OFF) {
		*place = (struct jobs_place){ .groups = kind->nodes / TOFU_GROUP };
		return place->groups <= grid->free;
	}
	for (i = 0; i < count; i++)
		if (find_box(grid, kind->box[i], place))
			return true;
	return false;
}
