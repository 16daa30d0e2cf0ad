/* SPDX-License-Identifier: GPL-2.0 */
/* torus_net: the network interface of a node. */
#ifndef TORUS_NET_NET_H
#define TORUS_NET_NET_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>
#include <linux/workqueue.h>

#include "wire/header.h"
#include "wire/numbering.h"
#include "wire/reassembly.h"

/* Value of all registers of a node that is gone. */
#define TORUS_NET_ALL_ONES	(~0u)
/* Packets enter by this FIFO: a normal one on each machine. */
#define TORUS_NET_FIFO		0

/**
 * struct torus_net_transmit - datagrams that are being sent
 * @lock: protects all members, and orders the polls' stores to the register ENABLE; also acquired
 *	in soft interrupts
 * @pending: datagrams; the first fragments of the first one may have been sent
 * @dest: coordinates of the node that the first datagram is for
 * @index: number of the next fragment of the first datagram
 * @id: number of the first datagram
 * @space: chunks of the injection FIFO that are known to be free
 * @packets: packets that were written
 */
struct torus_net_transmit {
	spinlock_t lock;	/* see above */
	struct sk_buff_head pending;
	u32 dest[TORUS_DIMS_MAX];
	u16 index;
	u16 id;
	u32 space;
	u64 packets;
};

/**
 * struct torus_net_receive - packets that arrive; only the NAPI poll changes it, except @expire
 * @packet: the packet that is being read
 * @fragments: incomplete datagrams
 * @expire: the periodic check requests that incomplete datagrams are expired; the poll clears it
 * @packets: packets that were read
 * @malformed: packets that no interface sends
 * @down: packets that were discarded because the interface is down
 */
struct torus_net_receive {
	__le32 *packet;
	struct torus_net_reassembly fragments;
	bool expire;
	u64 packets;
	u64 malformed;
	u64 down;
};

/**
 * struct torus_net - the network interface of a node
 * @dev: the interface
 * @td: the node
 * @machine: the machine
 * @numbering: numbers of the fabric's nodes
 * @node: number of the node
 * @last: highest number of a node
 * @group: FIFO group, at both ends of a packet
 * @chunk_bytes: bytes of a chunk
 * @fifo_chunks: capacity of a FIFO in chunks
 * @packet_bytes: bytes of the longest packet that may arrive
 * @fragment_bytes: bytes of a fragment
 * @irq: interrupts: a packet has arrived, space is free
 * @interrupts: number of interrupts
 * @napi: reads packets, and continues to send
 * @check: checks the links once a second
 * @tx: datagrams that are being sent
 * @rx: packets that arrive
 */
struct torus_net {
	struct net_device *dev;
	struct torus_device *td;
	const struct torus_net_machine *machine;
	struct torus_net_numbering numbering;
	u32 node;
	u32 last;
	u32 group;
	u32 chunk_bytes;
	u32 fifo_chunks;
	u32 packet_bytes;
	u32 fragment_bytes;
	int irq[2];
	atomic64_t interrupts;
	struct napi_struct napi;
	struct delayed_work check;
	struct torus_net_transmit tx;
	struct torus_net_receive rx;
};

#endif
