/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members that leave a chain of barrier gates: their process ends, or frees the gates.
 *
 * A gate that has left does not fire again. Each gate that depends on it, directly or through
 * other gates, can end only operations for which the first gate has done its part. Each gate
 * counts the completed operations. When a gate leaves, its count becomes the limit of all gates
 * that depend on it. An operation beyond the limit ends at once with TOFU_GATE_LEFT, at every
 * member. An operation within the limit ends normally, because its packets are in flight or
 * have arrived.
 *
 * A member that dies during an operation has not counted it, so no other member that is still
 * in the operation can complete it. A member that dies between two operations fails the next one
 * and all later ones, but none before.
 *
 * The record spreads from gate to gate under the fabric's lock and sends no packet. So it
 * happens in one tick, allocates no memory, and does not depend on failed links or nodes. It
 * follows an edge only if the gates at both ends name each other, so no other program can break
 * a chain by naming its gates.
 */
#ifndef TORUS_ARCH_TOFU_LEFT_H
#define TORUS_ARCH_TOFU_LEFT_H

#include "core/env.h"

struct torus_fabric;

void tofu_left_give(struct torus_fabric *f, u64 vbg);
void tofu_left_check(struct torus_fabric *f, u64 vbg);

#endif
