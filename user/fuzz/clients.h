/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs at the nodes of a fuzzed fabric: their FIFO groups, waiting packets, and memory for
 * engines.
 */
#ifndef TORUS_FUZZ_CLIENTS_H
#define TORUS_FUZZ_CLIENTS_H

#include "core/run/fabric.h"
#include "core/nic/group.h"
#include "take.h"

#define CLIENTS		6
#define PACKET_MAX	2048
#define QUEUED_MAX	32	/* maximum packets that wait in a client */
/* STADD of a client's first byte of memory */
#define MEMORY_AT	(7ull << TORUS_STADD_BITS)
#define MEMORY_BYTES	4096

struct queued {
	u32 fifo;
	u32 chunks;
	u8 bytes[PACKET_MAX];
};

/**
 * struct client - a program at a node
 * @f: the fabric
 * @node: index of the node
 * @group: FIFO group of the node
 * @attached: the client is attached to the group
 * @reads: the client accepts arriving packets
 * @commands: the last packet taken from @queue is a command for an engine
 * @queue: packets to send
 * @count: number of packets in @queue, including those that the core has taken
 * @pulled: number of packets of @queue that the core has taken
 * @accepts: number of packets accepted since the client attached, not counting commands
 * @completed: packets that the core has reported as completed
 */
struct client {
	struct torus_fabric *f;
	u32 node;
	u32 group;
	bool attached;
	bool reads;
	bool commands;
	struct queued queue[QUEUED_MAX];
	u32 count;
	u32 pulled;
	u64 accepts;
	u64 completed;
};

/**
 * client_attach() - attach to the client's FIFO group
 * @c: a client that is not attached; sets @c->attached on success
 */
void client_attach(struct client *c);

/* Detach from the FIFO group; no effect if the client is not attached. */
void client_detach(struct client *c);

/*
 * Append an empty packet to the queue. Return: the packet, or NULL if the client is not attached or
 * its queue is full.
 */
struct queued *client_queue(struct client *c);

#endif /* TORUS_FUZZ_CLIENTS_H */
