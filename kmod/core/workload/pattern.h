/* SPDX-License-Identifier: GPL-2.0 */
/* Patterns: the destinations of packets, and the resulting peak. */
#ifndef TORUS_CORE_WORKLOAD_PATTERN_H
#define TORUS_CORE_WORKLOAD_PATTERN_H

#include "core/workload/workload.h"

int torus_pattern_check(struct torus_fabric *f, const struct torus_traffic *t,
			struct torus_error *err);
u32 torus_pattern_destination(struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
			      u32 node, u64 number);
u64 torus_pattern_packets(struct torus_fabric *f, const struct torus_traffic *t, u32 node);
bool torus_pattern_sends(struct torus_fabric *f, const struct torus_traffic *t, u32 node);
u64 torus_pattern_peak_gap(struct torus_fabric *f, const struct torus_traffic *t);

#endif
