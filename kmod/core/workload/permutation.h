/* SPDX-License-Identifier: GPL-2.0 */
/* Permutations of the nodes as traffic patterns. */
#ifndef TORUS_CORE_WORKLOAD_PERMUTATION_H
#define TORUS_CORE_WORKLOAD_PERMUTATION_H

#include "core/state/domain.h"

u32 torus_permute(u64 key, u32 n, u32 x);

bool torus_permutation_is(u32 pattern);
int torus_permutation_check(const struct torus_fabric *f, u32 pattern, struct torus_error *err);
u32 torus_permutation(const struct torus_fabric *f, u32 pattern, u32 node);
u64 torus_permutation_most(const struct torus_fabric *f, u32 pattern);

#endif
