/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members that leave a chain of barrier gates: their process ends, or gives the gates back.
 *
 * A gate that has left fires no more, so each gate that waits for it, for one that waits for it,
 * and so on, can end only operations for which the first one has done its part.  Each gate counts
 * the operations that are over.  When a gate leaves, its count becomes the limit of all gates
 * that it leads to: an operation beyond that ends with TOFU_GATE_LEFT at once, at whatever member.
 * One within the limit ends as if nobody had left, for its packets are under way or have arrived.
 * A member that dies in the midst of an operation has not counted it: no other member that has not
 * ended it yet can do so.  One that dies between two operations fails none before the next one.
 *
 * This goes from gate to gate while the fabric is held, and sends no packet: it happens in one
 * tick, takes no memory, and does not depend on links or nodes that are out.  It follows an edge
 * only if both its gates name each other, so that nobody can break a chain by naming its gates.
 */
#ifndef TORUS_ARCH_TOFU_LEFT_H
#define TORUS_ARCH_TOFU_LEFT_H

#include "core/env.h"

struct torus_fabric;

void tofu_left_give(struct torus_fabric *f, u64 vbg);
void tofu_left_check(struct torus_fabric *f, u64 vbg);

#endif
