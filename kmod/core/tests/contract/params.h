/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of the contract's machines. */
#include "core/link/link.h"
#include "core/state/domain.h"

struct plain {
	struct torus_link_timing timing;
	void *cold;
};

struct plain_pass {
	u32 random;
};

void plain_node_init(struct torus_fabric *f, u32 node);
