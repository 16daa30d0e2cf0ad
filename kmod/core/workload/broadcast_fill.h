/* SPDX-License-Identifier: GPL-2.0 */
/* Broadcast fills: broadcasts over a line or a plane that keep the root's links busy. */
#ifndef TORUS_CORE_WORKLOAD_BROADCAST_FILL_H
#define TORUS_CORE_WORKLOAD_BROADCAST_FILL_H

#include "core/workload/workload.h"

torus_inline bool torus_fill_is(u32 pattern)
{
	return pattern == TORUS_PATTERN_LINEFILL || pattern == TORUS_PATTERN_PLANEFILL;
}

/* Return the number of colours of a fill. A node's source has one stream per colour. */
torus_inline u32 torus_fill_colours(u32 pattern)
{
	return pattern == TORUS_PATTERN_LINEFILL ? 2 : 4;
}

int torus_fill_check(struct torus_fabric *f, const struct torus_traffic *t,
		     struct torus_error *err);
u32 torus_fill_turn(const struct torus_geometry *g, const struct torus_traffic *t, u32 node,
		    u32 colour, u32 *dir);
u64 torus_fill_limit(struct torus_fabric *f, const struct torus_traffic *t, u32 node,
		     u32 colour);
u64 torus_fill_deliveries(struct torus_fabric *f, const struct torus_traffic *t);
void torus_fill_received(struct torus_domain *d, u32 node, const struct torus_packet *p);

#endif
