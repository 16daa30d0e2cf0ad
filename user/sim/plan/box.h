/* SPDX-License-Identifier: GPL-2.0 */
/* The blocks of a fabric, and the links between them. */
#ifndef TORUS_SIM_PLAN_BOX_H
#define TORUS_SIM_PLAN_BOX_H

#include "core/run/divide.h"

/**
 * struct plan_boxes - how a fabric is cut
 * @block: lengths of the largest block
 * @part_nodes: nodes of the part that has most
 * @rank_nodes: of the rank that has most
 * @links: between two nodes each, both ways one
 * @part_links: of those, between two parts
 * @rank_links: of those, between two ranks
 * @own_links: between the rank that has most of them and others
 * @pair_links: between the two ranks that have most of them
 * @neighbors: ranks that the one with most of them has links to
 */
struct plan_boxes {
	u32 block[TORUS_DIMS_MAX];
	u64 part_nodes;
	u64 rank_nodes;
	u64 links;
	u64 part_links;
	u64 rank_links;
	u64 own_links;
	u64 pair_links;
	u32 neighbors;
};

void plan_boxes_cut(struct plan_boxes *boxes, const struct torus_config *config);
u64 plan_boxes_between(const struct torus_geometry *geo, const struct torus_box *from,
		       const struct torus_box *to);

#endif /* TORUS_SIM_PLAN_BOX_H */
