/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Doorbells: packets and descriptors that the accessor offers to the fabric's thread.
 *
 * A queue is an injection FIFO or a ring. The accessor fills it up to its tail, and the fabric's
 * thread takes from it what is shown. Usually a doorbell shows all. A bus that knows the simulated
 * time of its driver shows each packet at the tick at which the driver has written it.
 */
#ifndef TORUS_CORE_PORT_DOORBELL_H
#define TORUS_CORE_PORT_DOORBELL_H

#include "core/base/geometry.h"
#include "core/state/arch.h"
#include <linux/torus_port.h>

struct torus_fabric;
struct torus_port;

/* Number of a queue: injection FIFO i is queue i. */
#define TORUS_PORT_QUEUE_RING(i)	(TORUS_INJECT_MAX + (i))
#define TORUS_PORT_QUEUES		TORUS_PORT_QUEUE_RING(TORUS_PORT_RINGS)

/* Offer what is in a queue before @tail, and request a poll (accessor). */
void torus_port_offer(struct torus_port *port, u32 queue, u32 tail);

/**
 * torus_port_show() - let the fabric's thread take what is in a queue before an index
 * @port: the port
 * @queue: number of the queue
 * @tail: the index, as torus_port_ops.offer got it
 *
 * Called by the bus with the fabric locked between two runs, after torus_port_ops.offer has
 * returned true, and not after a reset that was requested later.
 */
void torus_port_show(struct torus_port *port, u32 queue, u32 tail);

/**
 * torus_port_wake() - have the next run take the packets that are shown
 * @port: the port, attached
 * @f: the fabric, locked between two runs
 *
 * For a fabric whose clients are not polled. The packets enter in the fabric's current tick, or
 * when an injection FIFO of the node has space.
 */
void torus_port_wake(struct torus_port *port, struct torus_fabric *f);

#endif
