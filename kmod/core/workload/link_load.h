/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Load of the links under a pattern, with each packet on a shortest path. The busiest link limits
 * the pattern's peak.
 */
#ifndef TORUS_CORE_WORKLOAD_LINK_LOAD_H
#define TORUS_CORE_WORKLOAD_LINK_LOAD_H

#include "core/workload/workload.h"

bool torus_ring_loads_init(struct torus_ring_loads *r, u32 n);
void torus_ring_loads_free(struct torus_ring_loads *r);
void torus_ring_loads_pairs(const struct torus_geometry *g, u32 dim, struct torus_ring_loads *r);
void torus_link_load_add(const struct torus_geometry *g, u32 dim, u64 *plus, u64 *minus,
			 size_t step, u32 a, u32 b, u64 weight);
u64 torus_ring_loads_max(const struct torus_ring_loads *r);
u64 torus_link_load_uniform(const struct torus_geometry *g, u32 dim);
bool torus_line_loads_init(const struct torus_fabric *f, struct torus_line_loads *lines);
void torus_line_loads_free(const struct torus_fabric *f, struct torus_line_loads *lines);
void torus_line_loads_add(const struct torus_fabric *f, struct torus_line_loads *lines, u32 dim,
			  u32 src, u32 dst, u64 weight);
u64 torus_line_loads_max(const struct torus_fabric *f, struct torus_line_loads *lines, u32 dim);
u32 torus_link_load_shift(const struct torus_fabric *f);
u64 torus_link_load_part(u64 part, u32 shift);
u64 torus_link_load_region_gap(const struct torus_fabric *f, const struct torus_traffic *t,
			       u64 wire_twice);

#endif
