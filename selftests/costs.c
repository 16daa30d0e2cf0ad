// SPDX-License-Identifier: GPL-2.0
/*
 * Duration, in virtual time, of a packet's round trip, a barrier and a broadcast along a line. The
 * results must match the formulas of torus_wait(3) exactly.
 */
#include <torus/collective.h>
#include <torus/message.h>

#include "vtime.h"
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"

#define FABRIC		"coststest"
#define NODES		8
#define PARTNER		2		/* two hops from node 0 */
#define KEY		4711
#define MESSAGE		16		/* bytes of the broadcast */
#define LOOK_TICKS	200

/* Ticks at which all programs start the same phase. */
#define PACKETS_AT	1000000ull
#define BARRIER_AT	2000000ull
#define BROADCAST_AT	3000000ull

/* Ticks at which each program finished a phase. */
struct costs_outcome {
	__u64 packets[NODES];
	__u64 barrier[NODES];
	__u64 broadcast[NODES];
};

/* Return: ticks between a packet's stamp and its arrival after @hops hops of an empty network. */
static __u64 network(__u32 hops, __u32 bytes)
{
	return 20 * hops + bytes;
}

/* Return: ticks from the call that sends a packet to the return of the call that receives it. */
static __u64 packet_ticks(__u32 hops, __u32 bytes)
{
	return INJECT_TICKS + network(hops, bytes) + 1 + RECEIVE_TICKS;
}

/* Return: ticks of a broadcast of one packet along a line, at a member @hops hops from the root. */
static __u64 broadcast_ticks(__u32 hops, __u32 bytes)
{
	__u64 there = INJECT_TICKS + network(hops, bytes) + 1;

	if (!hops)
		return INJECT_TICKS;
	/* the call polls twice before it waits */
	return (there > LOOK_TICKS ? there : LOOK_TICKS) + RECEIVE_TICKS;
}

static bool compute_until(struct torus_context *context, __u64 tick)
{
	__u64 now = torus_context_clock(context);

	return now <= tick && !torus_compute(context, tick - now);
}

/* Node 0 sends a packet to PARTNER, which sends one back. All other nodes do nothing. */
static bool there_and_back(struct torus_context *context, __u32 node)
{
	__u32 dest[3] = { node ? 0 : PARTNER, 0, 0 };
	unsigned char packet[64];

	if (node && node != PARTNER)
		return true;
	if (packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, node))
		return false;
	if (!node && torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1))
		return false;
	if (torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1) != 64)
		return false;
	if (!node)
		return true;
	return !packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, node) &&
	       !torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1);
}

static int member(__u32 node, struct costs_outcome *outcome)
{
	const struct torus_job_config config = { .key = KEY };
	struct torus_context *context;
	unsigned char data[MESSAGE] = "";
	struct torus_job *job;

	if (torus_context_attach(&context, FABRIC, node, NULL))
		return 2;
	if (!compute_until(context, PACKETS_AT) || !there_and_back(context, node))
		return 3;
	outcome->packets[node] = torus_context_clock(context);
	/* connect the ranks before the measured barrier */
	if (!compute_until(context, PACKETS_AT + 10000) ||
	    torus_job_open(&job, context, &config) || torus_job_barrier(job, -1))
		return 4;
	if (!compute_until(context, BARRIER_AT) || torus_job_barrier(job, -1))
		return 5;
	outcome->barrier[node] = torus_context_clock(context);
	if (!compute_until(context, BROADCAST_AT) ||
	    torus_broadcast(job, 0, 1, data, sizeof(data), -1))
		return 6;
	outcome->broadcast[node] = torus_context_clock(context);
	torus_job_close(job);
	torus_context_detach(context);
	return 0;
}

/* Start a program on each node of a ring. All programs run the same phases at the same ticks. */
static void run(struct __test_metadata *_metadata, __u32 nodes, struct costs_outcome *outcome)
{
	const __u32 dims[3] = { nodes, 1, 1 };
	pid_t pid[NODES];
	__u32 i;

	ASSERT_EQ(0, fabric_virtual_of(FABRIC, "bgl", dims, nodes, 2));
	for (i = 0; i < nodes; i++) {
		pid[i] = start();
		if (!pid[i])
			_exit(member(i, outcome));
	}
	for (i = 0; i < nodes; i++)
		EXPECT_EQ(0, status_of(pid[i]));
	EXPECT_EQ(0, fabric_del(FABRIC));
}

TEST(packet_and_broadcast)
{
	struct costs_outcome *outcome = shared_alloc(sizeof(*outcome));
	__u32 i;

	ASSERT_NE(NULL, outcome);
	run(_metadata, NODES, outcome);
	EXPECT_EQ(PACKETS_AT + 2 * packet_ticks(PARTNER, 64), outcome->packets[0]);
	for (i = 0; i < NODES; i++)
		EXPECT_EQ(BROADCAST_AT + broadcast_ticks(i, 64), outcome->broadcast[i]);
	munmap(outcome, sizeof(*outcome));
}

/*
 * Three ranks in a ring: all ranks send one hop in the first round, and one hop in the other
 * direction in the second. The hint bits of Blue Gene/L lead from 1 to 2 over two hops. Therefore
 * the following packet from 2 to 1 is sent one hop (20 ticks) later.
 */
TEST(barrier)
{
	struct costs_outcome *outcome = shared_alloc(sizeof(*outcome));
	__u32 i;

	ASSERT_NE(NULL, outcome);
	run(_metadata, 3, outcome);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(BARRIER_AT + 2 * packet_ticks(1, 64) + LOOK_TICKS + (i == 1 ? 20 : 0),
			  outcome->barrier[i]);
	munmap(outcome, sizeof(*outcome));
}

TEST_HARNESS_MAIN
