/* SPDX-License-Identifier: GPL-2.0 */
/* The load of links that a pattern makes, each packet on its shortest path. */
#ifndef TORUS_CORE_WORKLOAD_PEAK_H
#define TORUS_CORE_WORKLOAD_PEAK_H

#include "core/workload/workload.h"

bool torus_peak_ring_init(struct torus_peak_ring *r, u32 n);
void torus_peak_ring_free(struct torus_peak_ring *r);
void torus_peak_pairs(const struct torus_geometry *g, u32 dim, struct torus_peak_ring *r);
void torus_peak_add(const struct torus_geometry *g, u32 dim, u64 *plus, u64 *minus, size_t step,
		    u32 a, u32 b, u64 weight);
u64 torus_peak_most(const struct torus_peak_ring *r);
u64 torus_peak_random_hops(const struct torus_geometry *g, u32 dim);
bool torus_peak_lines_init(const struct torus_fabric *f, struct torus_peak_lines *lines);
void torus_peak_lines_free(const struct torus_fabric *f, struct torus_peak_lines *lines);
void torus_peak_lines_add(const struct torus_fabric *f, struct torus_peak_lines *lines, u32 dim,
			  u32 src, u32 dst, u64 weight);
u64 torus_peak_lines_most(const struct torus_fabric *f, struct torus_peak_lines *lines, u32 dim);
u32 torus_peak_shift(const struct torus_fabric *f);
u64 torus_peak_part(u64 part, u32 shift);
u64 torus_peak_region_gap(const struct torus_fabric *f, const struct torus_traffic *t,
			  u64 wire_twice);

#endif
