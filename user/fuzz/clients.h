/* SPDX-License-Identifier: GPL-2.0 */
/* Programs at the nodes of a fuzzed fabric: FIFO groups, packets that wait, memory for engines. */
#ifndef TORUS_FUZZ_CLIENTS_H
#define TORUS_FUZZ_CLIENTS_H

#include "core/run/fabric.h"
#include "core/nic/group.h"
#include "take.h"

#define CLIENTS		6
#define PACKET_MAX	2048
#define QUEUED_MAX	32	/* packets that wait in a client at a time */
#define MEMORY_AT	(7ull << TORUS_STADD_BITS)	/* STADD of a client's first byte */
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
 * @attached: whether the client holds the group
 * @reads: whether it takes packets that arrive
 * @commands: whether the record pulled last is a command of an engine
 * @queue: packets that it wants to send
 * @count: number of packets in @queue
 * @pulled: number of packets that the core has taken
 * @accepts: packets accepted since it attached, without commands
 * @completed: packets that the core has reported as ended
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
 * client_attach() - take the client's FIFO group
 * @c: the client, not attached; @c->attached says whether it now holds the group
 */
void client_attach(struct client *c);

/* Give the FIFO group back; does nothing for a client that holds none. */
void client_detach(struct client *c);

/* The last record of the queue, to be filled; NULL if the client is not attached or is full. */
struct queued *client_queue(struct client *c);

#endif /* TORUS_FUZZ_CLIENTS_H */
