/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: a FIFO group of a node as a driver sees it, with registers, FIFOs, rings and interrupts.
 *
 * Three parties use a port at the same time, without locks between them:
 *
 *   the accessor        torus_port_read(), torus_port_write(), torus_port_access_failed(); from any
 *                       context, also hard interrupts. The bus lets only one accessor in at a time
 *   the fabric's thread the thread that has the fabric locked, or that runs the node's domain:
 *                       all functions with a fabric as argument, and the operations of the NIC
 *   the timer           torus_port_expired(); from any context
 *
 * Each word of a port is written by one party, or by atomic operations only. In comments,
 * "accessor" and "fabric's thread" name the party that calls a function.
 */
#ifndef TORUS_CORE_PORT_PORT_H
#define TORUS_CORE_PORT_PORT_H

#include "core/base/geometry.h"
#include "core/error.h"
#include "core/port/causes.h"
#include "core/port/count.h"
#include "core/port/errors.h"
#include "core/port/inject_fifo.h"
#include "core/port/loss_ring.h"
#include "core/port/receive_fifo.h"
#include "core/port/ring.h"
#include "core/state/arch.h"

struct torus_fabric;

/**
 * struct torus_port_ops - operations of the bus
 * @interrupt: send the interrupt of a cause. Called by the accessor, too
 * @poll: have the fabric's thread call torus_port_poll(), and then torus_nic_poll() or
 *   torus_nic_look(). Called by the accessor and by the fabric's thread
 * @offer: the accessor has put packets or descriptors into a queue, see core/port/doorbell.h.
 *   Return: true if the bus shows them later, by torus_port_show(); false if the fabric's thread
 *   may take them now. NULL: false
 * @delay: call torus_port_expired() for @cause in @microseconds, once. If a call for @cause is
 *   pending already, keep the earlier one. NULL: the port has no moderation
 * @dma_read: copy @bytes bytes from a DMA address; false: the address may not be read, and nothing
 *   was copied. Called by the fabric's thread. NULL: the port has no rings
 * @dma_write: copy @bytes bytes to a DMA address; false: the address may not be written, and
 *   nothing was copied. Called by the fabric's thread
 *
 * No operation may sleep, call a function of the port, or wait for a lock that a party above holds
 * while it calls such a function.
 */
struct torus_port_ops {
	void (*interrupt)(void *owner, u32 cause);
	void (*poll)(void *owner);
	bool (*offer)(void *owner, u32 queue, u32 tail);
	void (*delay)(void *owner, u32 cause, u32 microseconds);
	bool (*dma_read)(void *owner, u64 address, void *to, u32 bytes);
	bool (*dma_write)(void *owner, u64 address, const void *from, u32 bytes);
};

/**
 * struct torus_port - a port
 * @ops: operations of the bus
 * @owner: argument of @ops
 * @arch: the machine
 * @geo: shape and numbering of the fabric
 * @node: index of the node
 * @group: FIFO group
 * @bytes: memory of the port
 * @dead: the port is detached: registers read all ones
 * @resetting: the accessor has requested a reset, and must not touch the port until it is 0
 * @discard: reception discards packets: a reset empties the modelled FIFOs (fabric's thread)
 * @stuck: no packet is taken from injection FIFOs and rings: an injected fault (fabric's thread)
 * @full: bit i: a packet waits for space in reception FIFO i; atomic operations only
 * @by_ring: bit i: the last packet of injection FIFO i came from its ring (fabric's thread)
 * @woken: requested poll, for torus_nic_wake_by() (fabric's thread)
 * @latched: high halves of @taken and @ended as of the last read of the low halves (accessor)
 * @links: bit i: the link in direction i can send (fabric's thread)
 * @taken: packets that the core has accepted
 * @ended: packets that were delivered or lost
 * @causes: causes of interrupts
 * @errors: wrong accesses, faults
 * @losses: records of lost packets
 * @inject: injection FIFOs
 * @receive: reception FIFOs
 * @ring: rings; NULL if the machine has no such FIFO, or if there are no rings
 */
struct torus_port {
	const struct torus_port_ops *ops;
	void *owner;
	const struct torus_arch *arch;
	struct torus_geometry geo;
	u32 node;
	u32 group;
	size_t bytes;
	u32 dead;
	u32 resetting;
	bool discard;
	bool stuck;
	u32 full;
	u32 by_ring;
	u64 woken;
	u32 latched[2];
	u32 links;
	struct torus_port_count taken;
	struct torus_port_count ended;
	struct torus_port_causes causes;
	struct torus_port_errors errors;
	struct torus_port_losses losses;
	struct torus_port_inject *inject;
	struct torus_port_receive *receive;
	struct torus_port_ring *ring[TORUS_PORT_RINGS];
};

/* Flag of a packet's number, as the core reports it: the packet came from a ring. */
#define TORUS_PORT_BY_RING	(1u << 31)

/**
 * torus_port_size() - compute the memory of a port
 * @arch: the machine
 *
 * Return: size in bytes.
 */
size_t torus_port_size(const struct torus_arch *arch);

/**
 * torus_port_create() - create a port
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 * @ops: operations of the bus
 * @owner: argument of @ops
 * @port: [out] the port
 * @err: [out] reason of a failure
 *
 * The port is not attached: registers can be accessed, but no packet moves.
 *
 * Return: 0; -EOPNOTSUPP if the machine has no FIFOs for programs; -EINVAL for a node or group
 * outside the machine; -ENOMEM.
 */
int torus_port_create(struct torus_fabric *f, u32 node, u32 group, const struct torus_port_ops *ops,
		      void *owner, struct torus_port **port, struct torus_error *err);

/**
 * torus_port_attach() - attach a port to its FIFO group
 * @port: the port
 * @f: the fabric, locked
 * @err: [out] reason of a failure
 *
 * Return: 0, or an error of torus_nic_attach(), such as -EBUSY.
 */
int torus_port_attach(struct torus_port *port, struct torus_fabric *f, struct torus_error *err);

/**
 * torus_port_detach() - detach a port from its FIFO group for good, as if its card was unplugged
 * @port: the port, which may be detached already
 * @f: the fabric, locked
 *
 * From now on the port makes no DMA access and sends no interrupt. Reads of registers return all
 * ones, writes are ignored. An accessor or timer may still be in a function of the port.
 */
void torus_port_detach(struct torus_port *port, struct torus_fabric *f);

/* Free a detached port that no party uses any more. */
void torus_port_destroy(struct torus_port *port);

/**
 * torus_port_poll() - do what accessors have requested
 * @port: the port
 * @f: the fabric, locked between two runs
 *
 * Finishes a reset, reports wrong accesses to the machine, and checks the links. The caller calls
 * torus_nic_poll() or torus_nic_look() afterwards, which poll FIFOs and rings.
 */
void torus_port_poll(struct torus_port *port, struct torus_fabric *f);

/* Access memory of the driver (fabric's thread). Return: false for a fault. */
torus_inline bool torus_port_dma_read(struct torus_port *port, u64 address, void *to, u32 bytes)
{
	return !torus_load(&port->dead) && port->ops->dma_read(port->owner, address, to, bytes);
}

torus_inline bool torus_port_dma_write(struct torus_port *port, u64 address, const void *from,
				       u32 bytes)
{
	return !torus_load(&port->dead) && port->ops->dma_write(port->owner, address, from, bytes);
}

#endif
