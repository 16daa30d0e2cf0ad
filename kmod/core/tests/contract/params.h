/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters and node state of the machines that test the contract of a router file. */
#include "core/link/link.h"
#include "core/state/domain.h"

struct plain_params {
	struct torus_link_timing timing;
	void *cold;
};

struct plain_pass {
	u32 random;
};

void plain_node_init(struct torus_fabric *f, u32 node);
