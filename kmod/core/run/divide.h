/* SPDX-License-Identifier: GPL-2.0 */
/* Which domain each node is in. */
#ifndef TORUS_CORE_DIVIDE_H
#define TORUS_CORE_DIVIDE_H

#include "core/state/domain.h"

/**
 * struct torus_box - a box of nodes, and the blocks that it is cut into
 * @at: the least coordinates
 * @dims: its lengths
 * @nodes: how many it has
 * @first: the first of its blocks
 * @domains: how many; 1: it is that block
 */
struct torus_box {
	u32 at[TORUS_DIMS_MAX];
	u32 dims[TORUS_DIMS_MAX];
	u32 nodes;
	u32 first;
	u32 domains;
};

void torus_divide_boxes(const struct torus_config *cfg,
			void (*enter)(void *to, const struct torus_box *block), void *to);
u32 torus_divide_domain(const struct torus_config *cfg, u32 block);
int torus_divide(struct torus_fabric *f);
void torus_divide_free(struct torus_fabric *f);

#endif /* TORUS_CORE_DIVIDE_H */
