/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members that leave a chain of barrier gates: their process ends, or frees the gates.
 *
 * A gate that has left does not fire again. Each gate that depends on it, directly or through other
 * gates, can complete only those operations for which the gate that left has fired. Each gate
 * counts the completed operations. When a gate leaves, its count becomes the limit of all gates
 * that depend on it. An operation beyond the limit ends at once with TOFU_GATE_LEFT, at every
 * member. An operation within the limit ends normally, because its packets are in flight or have
 * arrived.
 *
 * A member that dies during an operation has not counted the operation, so the other members cannot
 * complete it. If a member dies between two operations, all later operations fail, but no earlier
 * operation.
 *
 * The record spreads from gate to gate under the fabric's lock and sends no packet. So it
 * happens in one tick, allocates no memory, and does not depend on failed links or nodes. It
 * follows an edge only if the gates at both ends name each other, so no other program can break
 * a chain by naming its gates.
 */
#ifndef TORUS_ARCH_TOFU_LEFT_H
#define TORUS_ARCH_TOFU_LEFT_H

#include "core/platform.h"

struct torus_fabric;

void tofu_left_give(struct torus_fabric *f, u64 vbg);
void tofu_left_check(struct torus_fabric *f, u64 vbg);

#endif
