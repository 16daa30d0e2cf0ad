/* SPDX-License-Identifier: GPL-2.0 */
/* The hot-spot pattern: a fraction of all packets goes to a list of nodes. */
#ifndef TORUS_CORE_WORKLOAD_HOTSPOT_H
#define TORUS_CORE_WORKLOAD_HOTSPOT_H

#include "core/error.h"
#include "core/state/fabric.h"

int torus_hotspot_check(const struct torus_fabric *f, const struct torus_traffic *t,
			struct torus_error *err);
void torus_hotspot_index(const struct torus_fabric *f, struct torus_traffic *t);
u32 torus_hotspot_destination(const struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
			      u32 node);
bool torus_hotspot_sends(const struct torus_traffic *t, u32 node);
u64 torus_hotspot_peak_gap(const struct torus_fabric *f, const struct torus_traffic *t,
			   u64 ask_twice, u64 answer_twice);

#endif
