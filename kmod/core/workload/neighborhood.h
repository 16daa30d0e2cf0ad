/* SPDX-License-Identifier: GPL-2.0 */
/* The peaks of the patterns neighbor and stencil, and the reach of a stencil. */
#ifndef TORUS_CORE_WORKLOAD_NEIGHBORHOOD_H
#define TORUS_CORE_WORKLOAD_NEIGHBORHOOD_H

#include "core/platform.h"

struct torus_fabric;
struct torus_geometry;

u32 torus_neighborhood_width(const struct torus_geometry *g, u32 dim);
u64 torus_neighborhood_peak_gap(const struct torus_fabric *f, u32 pattern, u64 ask_twice,
				u64 answer_twice);

#endif
