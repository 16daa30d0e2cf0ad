/* SPDX-License-Identifier: GPL-2.0 */
/* Hot spots: a list of nodes to which a share of all packets goes. */
#ifndef TORUS_CORE_WORKLOAD_HOT_H
#define TORUS_CORE_WORKLOAD_HOT_H

#include "core/error.h"
#include "core/state/fabric.h"

int torus_hot_check(const struct torus_fabric *f, const struct torus_traffic *t,
		    struct torus_error *err);
void torus_hot_index(const struct torus_fabric *f, struct torus_traffic *t);
u32 torus_hot_destination(const struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
			  u32 node);
bool torus_hot_sends(const struct torus_traffic *t, u32 node);
u64 torus_hot_peak_gap(const struct torus_fabric *f, const struct torus_traffic *t, u64 ask_twice,
		       u64 answer_twice);

#endif
