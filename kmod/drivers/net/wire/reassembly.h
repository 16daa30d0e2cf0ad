/* SPDX-License-Identifier: GPL-2.0 */
/* Reassembly: fragments become datagrams again. */
#ifndef TORUS_NET_REASSEMBLY_H
#define TORUS_NET_REASSEMBLY_H

#include "fragment.h"

#define TORUS_NET_REASSEMBLY_HEADS	256
/*
 * Maximum memory of incomplete datagrams in bytes, with the datagram that has just begun: 4 MiB.
 * An allocation is at most TORUS_NET_DATAGRAM_COST.
 */
#define TORUS_NET_REASSEMBLY_BYTES	(4u << 20)
#define TORUS_NET_DATAGRAM_COST		(64u << 10)
/* An incomplete datagram is discarded when no fragment has arrived for this time. */
#define TORUS_NET_REASSEMBLY_MS		2000u

/**
 * struct torus_net_partial - a datagram of which fragments are missing
 * @data: its memory, for @length bytes; set by torus_net_buffer_ops.alloc
 * @cost: bytes of memory that it occupies, up to TORUS_NET_DATAGRAM_COST; set with @data
 * @source: number of the node that sends it
 * @id: number of the datagram
 * @next: number of the fragment that must arrive next
 * @length: bytes of the datagram
 * @ipv6: IPv6, not IPv4
 * @broken: a fragment is lost
 * @since: when the last fragment arrived, in milliseconds
 * @hash: next datagram in the same hash chain
 * @older: datagram that began just before; NULL for the oldest
 * @younger: datagram that began just after
 */
struct torus_net_partial {
	u8 *data;
	u32 cost;
	u32 source;
	u16 id;
	u16 next;
	u16 length;
	bool ipv6;
	bool broken;
	u32 since;
	struct torus_net_partial *hash;
	struct torus_net_partial *older;
	struct torus_net_partial *younger;
};

/**
 * struct torus_net_buffer_ops - memory of datagrams
 * @alloc: allocate a datagram of @length bytes; NULL if there is no memory
 * @free: free a datagram
 */
struct torus_net_buffer_ops {
	struct torus_net_partial *(*alloc)(void *owner, u32 length);
	void (*free)(void *owner, struct torus_net_partial *partial);
};

/**
 * struct torus_net_reassembly_counts - counters of datagrams that were not completed
 * @lost: a fragment was lost, or the last one arrived after the datagram had been discarded
 * @expired: no fragment arrived for TORUS_NET_REASSEMBLY_MS
 * @evicted: discarded for a younger datagram, because of the limit of memory
 * @no_memory: there was no memory
 * @strays: fragments, not datagrams, that belong to no datagram
 */
struct torus_net_reassembly_counts {
	u64 lost;
	u64 expired;
	u64 evicted;
	u64 no_memory;
	u64 strays;
};

/**
 * struct torus_net_reassembly - incomplete datagrams of a device, one per sender
 * @ops: memory of datagrams
 * @owner: first argument of @ops
 * @size: bytes of each fragment of a datagram but the last one
 * @bytes: memory of all incomplete datagrams
 * @peak: maximum that @bytes ever was
 * @counts: counters
 * @oldest: datagram that began first
 * @youngest: datagram that began last
 * @heads: hash chains, by sender
 *
 * The caller serializes all calls.
 */
struct torus_net_reassembly {
	const struct torus_net_buffer_ops *ops;
	void *owner;
	u32 size;
	u32 bytes;
	u32 peak;
	struct torus_net_reassembly_counts counts;
	struct torus_net_partial *oldest;
	struct torus_net_partial *youngest;
	struct torus_net_partial *heads[TORUS_NET_REASSEMBLY_HEADS];
};

void torus_net_reassembly_init(struct torus_net_reassembly *r,
			       const struct torus_net_buffer_ops *ops, void *owner, u32 size);
struct torus_net_partial *torus_net_reassembly_add(struct torus_net_reassembly *r,
						   const struct torus_net_fragment *fragment,
						   const u8 *data, u32 bytes, u32 now);
void torus_net_reassembly_expire(struct torus_net_reassembly *r, u32 now);
void torus_net_reassembly_clear(struct torus_net_reassembly *r);

#endif
