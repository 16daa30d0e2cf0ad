/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets at given ticks: a workload whose packets the owner of the fabric supplies while it runs,
 * each with the tick at which its source has it to send. Only torus-sim supplies packets
 * (`--pattern timed:FILE`); the ABI has no such pattern.
 */
#ifndef TORUS_CORE_WORKLOAD_TIMED_H
#define TORUS_CORE_WORKLOAD_TIMED_H

#include "core/platform.h"

struct torus_fabric;

/* The pattern of such a workload, after those of the ABI. */
#define TORUS_PATTERN_TIMED	TORUS_PATTERN_MAX

/* Maximum tick of a packet. */
#define TORUS_TIMED_AT_MAX	(1ull << 40)

/**
 * struct torus_timed_packet - a packet that a source has to send
 * @at: tick from which on it can be sent, at most TORUS_TIMED_AT_MAX
 * @number: number of the packet at its node, from 0
 * @dst: index of the destination, not the source
 * @chunks: size
 */
struct torus_timed_packet {
	u64 at;
	u64 number;
	u32 dst;
	u32 chunks;
};

/**
 * struct torus_timed_backlog - packets of a stream
 * @sent: number of packets that were sent
 * @waiting: number of packets that can be sent, and were not
 * @waiting_chunks: sum of the sizes of @waiting
 */
struct torus_timed_backlog {
	u64 sent;
	u64 waiting;
	u64 waiting_chunks;
};

/**
 * struct torus_timed - supplier of packets, embedded in the owner's struct
 * @next: remove the packet that a stream has sent, and store the stream's following packet.
 *	Called by the thread that simulates the stream's node. Returns false if there is none.
 * @backlog: count the packets of a stream before tick @now. Called between runs.
 */
struct torus_timed {
	bool (*next)(struct torus_timed *timed, u32 stream, struct torus_timed_packet *packet);
	void (*backlog)(const struct torus_timed *timed, u32 stream, u64 now,
			struct torus_timed_backlog *backlog);
};

/**
 * torus_traffic_timed() - set the supplier of a workload of TORUS_PATTERN_TIMED
 * @f: a fabric without a workload; no run may be in progress
 * @timed: the supplier, which must outlive the workload
 *
 * torus_traffic_stop() removes the supplier.
 */
void torus_traffic_timed(struct torus_fabric *f, struct torus_timed *timed);

/**
 * torus_timed_stream() - select the stream of a packet
 * @f: a fabric with a workload of TORUS_PATTERN_TIMED
 * @node: index of the source
 * @packet: the packet
 *
 * Return: index of the stream, below the product of nodes and torus_timed_streams().
 */
u32 torus_timed_stream(struct torus_fabric *f, u32 node, const struct torus_timed_packet *packet);

/* Return the number of streams of each node. */
u32 torus_timed_streams(const struct torus_fabric *f);

/**
 * torus_timed_added() - notify a stream that the supplier has a further packet for it
 * @f: a fabric with a workload of TORUS_PATTERN_TIMED; no run may be in progress
 * @node: index of the source
 * @stream: index of the stream
 *
 * The packet's tick must not be less than the fabric's clock.
 */
void torus_timed_added(struct torus_fabric *f, u32 node, u32 stream);

#endif /* TORUS_CORE_WORKLOAD_TIMED_H */
