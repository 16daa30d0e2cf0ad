// SPDX-License-Identifier: GPL-2.0
/*
 * The network's part of the experiment of Figure 10 (Blue Gene/L), in the kernel. Programs exchange
 * messages over 1, 2 and 3 hops of a fabric without other traffic. The one-way latency in ticks
 * must equal the closed form that kmod/arch/tests/test_bgl_latency.c uses.
 */
#include "device.h"
#include "arch/tests/bgl_latency.h"
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"

#define FABRIC	"latencytest"
#define LONGEST	(32 * BGL_LATENCY_PACKET)

static const __u32 shape[3] = { 8, 4, 4 };

static const struct {
	__u32 dest[3];
	unsigned int hops;
} ways[] = {
	{ { 1, 0, 0 }, 1 },
	{ { 2, 0, 0 }, 2 },
	{ { 3, 0, 0 }, 3 },
	{ { 0, 3, 0 }, 1 },
	{ { 6, 0, 0 }, 2 },
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

FIXTURE(latency)
{
	struct torus_context *from;
	struct torus_context *to[WAYS];
};

FIXTURE_SETUP(latency)
{
	unsigned int i;

	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->from, FABRIC, 0, NULL));
	for (i = 0; i < WAYS; i++)
		ASSERT_EQ(0, torus_context_attach(&self->to[i], FABRIC, ways[i].dest[0] +
						  8 * (ways[i].dest[1] + 4 * ways[i].dest[2]),
						  NULL));
}

FIXTURE_TEARDOWN(latency)
{
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		torus_context_detach(self->to[i]);
	torus_context_detach(self->from);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/*
 * Inject a message of @bytes bytes. One store of the tail publishes all its packets. Return: the
 * number of packets, or -1.
 */
static int message_send(struct torus_context *from, const __u32 dest[3], enum torus_route how,
			unsigned int bytes)
{
	static unsigned char data[LONGEST];
	struct torus_packet_buffer packets[LONGEST / BGL_LATENCY_PACKET];
	unsigned int n, at = 0;

	for (n = 0; at < bytes; n++) {
		packets[n].data = data + at;
		packets[n].bytes = bytes - at < BGL_LATENCY_PACKET ? bytes - at :
								     BGL_LATENCY_PACKET;
		if (packet_make(data + at, packets[n].bytes, dest, how, n))
			return -1;
		at += packets[n].bytes;
	}
	return torus_inject_many(from, 0, packets, n) == (int)n ? (int)n : -1;
}

/*
 * Receive a message. Return: ticks from the entry of its first packet to the arrival of its last
 * byte, or a negative errno.
 */
static long long message_receive(struct torus_context *from, struct torus_context *to, int packets)
{
	unsigned char packet[BGL_LATENCY_PACKET];
	__u64 began, arrived;
	__u32 id;
	int i, bytes;

	for (i = 0; i < packets; i++) {
		bytes = torus_receive_packet(to, TORUS_FIFO_ANY, packet, sizeof(packet), WAIT_MS);
		if (bytes < 0)
			return bytes;
		memcpy(&id, packet + 8, sizeof(id));
		if (id != (__u32)i || !packet_right(packet, bytes))
			return -EBADMSG;
	}
	if (torus_inject_began(from, 0, &began) ||
	    torus_receive_arrived(to, TORUS_FIFO_ANY, &arrived))
		return -EIO;
	/* The receiver's clock must have reached the arrival. */
	return torus_context_clock(to) < arrived ? -ETIME : (long long)(arrived - began);
}

static void check_way(struct __test_metadata *_metadata, FIXTURE_DATA(latency) *self,
		      unsigned int way, enum torus_route how)
{
	unsigned int bytes, measured = 0;
	int packets;

	for (bytes = 32; bytes <= LONGEST; bytes += bytes < 640 ? 32 : 1440) {
		packets = message_send(self->from, ways[way].dest, how, bytes);
		ASSERT_LT(0, packets);
		ASSERT_EQ(bgl_latency_ticks(ways[way].hops, bytes),
			  message_receive(self->from, self->to[way], packets))
			TH_LOG("%u bytes over %u hops", bytes, ways[way].hops);
		measured++;
	}
	TH_LOG("%u hops to %u,%u,%u: %u lengths, 32 bytes in %llu ticks, %u in %llu",
	       ways[way].hops, ways[way].dest[0], ways[way].dest[1], ways[way].dest[2], measured,
	       bgl_latency_ticks(ways[way].hops, 32), LONGEST,
	       bgl_latency_ticks(ways[way].hops, LONGEST));
}

TEST_F(latency, deterministic)
{
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		check_way(_metadata, self, i, TORUS_ROUTE_ORDERED);
}

TEST_F(latency, dynamic)
{
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		check_way(_metadata, self, i, TORUS_ROUTE_DYNAMIC);
}

/* A receiver that asks late still gets the time of arrival, not of the question. */
TEST_F(latency, late_reader)
{
	struct torus_context *to = self->to[1];
	int packets = message_send(self->from, ways[1].dest, TORUS_ROUTE_ORDERED, LONGEST);
	__u64 first, then;

	ASSERT_LT(0, packets);
	ASSERT_EQ(bgl_latency_ticks(2, LONGEST), message_receive(self->from, to, packets));
	ASSERT_EQ(0, torus_receive_arrived(to, TORUS_FIFO_ANY, &first));
	/* packets to another node advance the clock */
	packets = message_send(self->from, ways[0].dest, TORUS_ROUTE_ORDERED, LONGEST);
	ASSERT_EQ(bgl_latency_ticks(1, LONGEST),
		  message_receive(self->from, self->to[0], packets));
	ASSERT_EQ(0, torus_receive_arrived(to, TORUS_FIFO_ANY, &then));
	EXPECT_EQ(first, then);
	ASSERT_EQ(0, torus_receive_arrived(self->to[0], TORUS_FIFO_ANY, &then));
	EXPECT_LT(first, then);
	/* a FIFO without packets, and a FIFO that does not exist */
	ASSERT_EQ(0, torus_receive_arrived(to, TORUS_BGL_RECEIVE_PRIORITY, &then));
	EXPECT_EQ(0, then);
	EXPECT_EQ(-EINVAL, torus_receive_arrived(to, 7, &then));
	EXPECT_EQ(-EINVAL, torus_inject_began(to, TORUS_FIFO_ANY, &then));
	ASSERT_EQ(0, torus_inject_began(to, 0, &then));
	EXPECT_EQ(0, then);
}

TEST_HARNESS_MAIN
