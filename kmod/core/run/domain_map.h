/* SPDX-License-Identifier: GPL-2.0 */
/* Assignment of nodes to domains. */
#ifndef TORUS_CORE_RUN_DOMAIN_MAP_H
#define TORUS_CORE_RUN_DOMAIN_MAP_H

#include "core/state/domain.h"

/**
 * struct torus_box - a box of nodes, and the blocks into which it is cut
 * @at: lowest coordinate in each dimension
 * @dims: length in each dimension
 * @nodes: number of nodes
 * @first: number of the box's first block
 * @domains: number of blocks in the box; 1: the box is a block
 */
struct torus_box {
	u32 at[TORUS_DIMS_MAX];
	u32 dims[TORUS_DIMS_MAX];
	u32 nodes;
	u32 first;
	u32 domains;
};

void torus_domain_map_boxes(const struct torus_config *cfg,
			    void (*enter)(void *to, const struct torus_box *block), void *to);
u32 torus_domain_map_block(const struct torus_config *cfg, u32 block);
int torus_domain_map(struct torus_fabric *f);
void torus_domain_map_free(struct torus_fabric *f);

#endif /* TORUS_CORE_RUN_DOMAIN_MAP_H */
