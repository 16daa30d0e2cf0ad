/* SPDX-License-Identifier: GPL-2.0 */
/* Placement of the ranks of a job on a Cray XT. */
#ifndef TORUS_PAPER_XT_RANKS_H
#define TORUS_PAPER_XT_RANKS_H

#include "xt_work.h"

u32 *paper_xt_ranks_order(const u32 *dims, u32 ranks, u64 seed);
u32 *paper_xt_ranks_scattered(const u32 *dims, u32 ranks, u64 seed);
u32 *paper_xt_ranks_box(const u32 *dims, const u32 *at, const u32 *box);

#endif
