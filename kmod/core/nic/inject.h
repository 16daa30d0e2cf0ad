/* SPDX-License-Identifier: GPL-2.0 */
/* Take packets from clients into injection FIFOs. */
#ifndef TORUS_CORE_NIC_INJECT_H
#define TORUS_CORE_NIC_INJECT_H

#include "core/nic/group.h"

/**
 * torus_nic_wake() - poll a client's rings at a future tick
 * @f: the fabric; locked, or in an operation of a client of the same node
 * @node: index of the node
 * @at: tick of the poll, later than torus_nic_clock()
 *
 * For clients whose next packet is due at a known tick. At @at, @pull is called for each injection
 * FIFO that has free space. If all FIFOs of the client are full, @pull is called when one has space
 * again, and not before.
 *
 * A tick more than TORUS_WHEEL_FAR away causes an early poll, in which the client must ask again.
 */
void torus_nic_wake(struct torus_fabric *f, u32 node, u64 at);

/**
 * torus_nic_wake_by() - poll a client's rings at a future tick, or earlier
 * @f: same as in torus_nic_wake()
 * @node: same as in torus_nic_wake()
 * @at: same as in torus_nic_wake()
 * @asked: [in, out] requested tick plus 1; initially 0
 *
 * If an earlier request is pending for a tick up to @at, do nothing: that poll will find the next
 * packet. Therefore repeated requests take no memory.
 */
void torus_nic_wake_by(struct torus_fabric *f, u32 node, u64 at, u64 *asked);

/* Number of chunks in an injection FIFO of a node. */
u32 torus_nic_inject_chunks(struct torus_fabric *f, u32 node, u32 group, u32 fifo);

void torus_nic_refill(struct torus_domain *d, u32 node);

/*
 * Inject packets of a client while injection FIFOs have space, up to a limit. Return: true if a
 * packet or command was accepted or rejected.
 */
bool torus_nic_take(struct torus_domain *d, struct torus_nic *nic);

#endif
