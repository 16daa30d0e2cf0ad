/* SPDX-License-Identifier: GPL-2.0 */
/* Packets on their way from clients into injection FIFOs. */
#ifndef TORUS_CORE_NIC_INJECT_H
#define TORUS_CORE_NIC_INJECT_H

#include "core/nic/group.h"

/**
 * torus_nic_wake() - look at a client's rings when a tick comes
 * @f: the fabric; held, or in an operation of a client of the same node
 * @node: number of the node
 * @at: the tick, later than torus_nic_clock()
 *
 * For clients whose next packet is a matter of time: @pull is called at @at for
 * every injection FIFO that has room then.  Whose FIFOs are all full is asked when
 * one has room again, not before: nothing that @pull could give would go in.
 *
 * A tick that is further away than TORUS_WHEEL_FAR is not waited for at once: @pull is called
 * before, and asks again.
 */
void torus_nic_wake(struct torus_fabric *f, u32 node, u64 at);

/**
 * torus_nic_wake_by() - look at a client's rings when a tick comes, if not before
 * @f: as of torus_nic_wake()
 * @node: as of torus_nic_wake()
 * @at: as of torus_nic_wake()
 * @asked: 0 at first: the tick that it was asked for, and 1
 *
 * Nothing is asked for anew while what was asked for comes by then: that look finds out what comes
 * next.  So who asks again and again takes no memory.
 */
void torus_nic_wake_by(struct torus_fabric *f, u32 node, u64 at, u64 *asked);

/* Chunks that an injection FIFO of a node now holds. */
u32 torus_nic_inject_chunks(struct torus_fabric *f, u32 node, u32 group, u32 fifo);

void torus_nic_refill(struct torus_domain *d, u32 node);

/* Inject packets of clients while there is space. Return: true if one was taken, or rejected. */
bool torus_nic_take(struct torus_domain *d, struct torus_nic *nic);

#endif
