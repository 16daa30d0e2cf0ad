// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a node's FIFOs, checksums by which two runs of a program are compared, and poll() for
 * free space in one ring.
 */
#include "device.h"
#include <pthread.h>
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"

#define FABRIC	"fifostest"

static const __u32 shape[3] = { 4, 2, 2 };
static const __u32 there[3] = { 1, 0, 0 };

FIXTURE(fifos)
{
	struct torus_context *from;
	struct torus_context *to;
};

static const struct torus_attach_config small = { .inject_chunks = 8, .receive_chunks = 8 };

FIXTURE_SETUP(fifos)
{
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->from, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->to, FABRIC, 1, NULL));
}

FIXTURE_TEARDOWN(fifos)
{
	torus_context_detach(self->from);
	torus_context_detach(self->to);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* CRC-32 as zlib's crc32(), one bit at a time. */
static __u32 crc32(__u32 crc, const unsigned char *bytes, size_t n)
{
	size_t i;
	int bit;

	crc = ~crc;
	for (i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

struct one_fifo {
	__u32 node;
	__u32 group;
	bool receive;
	__u32 fifo;
	struct torus_fifo_counters found;
};

static int ask_fifos(struct torus_nl *nl, const void *arg)
{
	struct one_fifo *ask = (struct one_fifo *)arg;
	struct torus_fifo_counters *list;
	size_t count, i;
	int ret = torus_nl_node_fifos(nl, FABRIC, ask->node, &list, &count);

	for (i = 0; !ret && i < count; i++)
		if (list[i].group == ask->group && list[i].receive == ask->receive &&
		    list[i].fifo == ask->fifo)
			break;
	if (!ret && i == count)
		ret = -ENOENT;
	if (!ret)
		ask->found = list[i];
	free(list);
	return ret;
}

static struct torus_fifo_counters counters_of(__u32 node, bool receive, __u32 fifo)
{
	struct one_fifo ask = { .node = node, .receive = receive, .fifo = fifo };

	if (nl_with(ask_fifos, &ask, NULL, 0))
		ask.found.packets = ~0ull;
	return ask.found;
}

/*
 * Send @count packets through FIFO @fifo and receive them all. Return: the expected checksum,
 * continued from @crc.
 */
static __u32 program(struct __test_metadata *_metadata, struct torus_context *from,
		     struct torus_context *to, unsigned int fifo, __u32 count, __u32 crc)
{
	unsigned char packet[256], got[256];
	__u32 id;

	for (id = 0; id < count; id++) {
		size_t bytes = 32 + id % 8 * 32;

		packet_make(packet, bytes, there, id & 1 ? TORUS_ROUTE_DYNAMIC :
							   TORUS_ROUTE_ORDERED, id);
		/*
		 * Skip the machine's header, like the FIFO's checksum: CSum_Skip leaves out the
		 * first 8 bytes.
		 */
		crc = crc32(crc, packet + 8, bytes - 8);
		EXPECT_EQ(0, torus_inject_packet(from, fifo, packet, bytes, WAIT_MS));
		if (id % 10 == 9 || id + 1 == count) {
			__u32 i;

			for (i = id / 10 * 10; i <= id; i++)
				EXPECT_LT(0, torus_receive_packet(to, TORUS_FIFO_ANY, got,
								  sizeof(got), WAIT_MS));
		}
	}
	return crc;
}

TEST_F(fifos, checksum)
{
	__u32 want, again;

	want = program(_metadata, self->from, self->to, 1, 100, 0);
	EXPECT_EQ(want, counters_of(0, false, 1).checksum);
	EXPECT_EQ(100, counters_of(0, false, 1).packets);
	EXPECT_EQ(0, counters_of(0, false, 0).checksum);
	EXPECT_EQ(0, counters_of(0, false, 0).packets);
	/* a second program continues the checksum of the first */
	torus_context_detach(self->from);
	EXPECT_EQ(want, counters_of(0, false, 1).checksum);
	ASSERT_EQ(0, torus_context_attach(&self->from, FABRIC, 0, NULL));
	again = program(_metadata, self->from, self->to, 1, 30, want);
	EXPECT_EQ(again, counters_of(0, false, 1).checksum);
}

static int ask_reset(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_reset(nl, FABRIC);
}

/*
 * Two runs of a program send the same data. The second run has link errors, which do not change the
 * checksum.
 */
TEST_F(fifos, two_runs)
{
	__u32 first, second, want;

	want = program(_metadata, self->from, self->to, 0, 200, 0);
	first = counters_of(0, false, 0).checksum;
	EXPECT_EQ(want, first);
	ASSERT_EQ(0, nl_with(ask_reset, NULL, NULL, 0));
	EXPECT_EQ(0, counters_of(0, false, 0).checksum);
	EXPECT_EQ(0, counters_of(0, false, 0).packets);
	ASSERT_EQ(0, system("torusctl link set " FABRIC " 0 x+ ber 1e-4"));
	program(_metadata, self->from, self->to, 0, 200, 0);
	second = counters_of(0, false, 0).checksum;
	EXPECT_EQ(first, second);
	program(_metadata, self->from, self->to, 0, 1, 0);
	EXPECT_NE(first, counters_of(0, false, 0).checksum);
}

/* Fill the reception FIFO of a context that does not read, and then its sender's injection FIFO. */
TEST_F(fifos, counters)
{
	const __u32 dest[3] = { 3, 0, 0 };
	struct torus_context *from, *to;
	unsigned char packet[256];
	struct torus_fifo_counters c;
	unsigned int sent = 0;

	ASSERT_EQ(0, torus_context_attach(&from, FABRIC, 2, &small));
	ASSERT_EQ(0, torus_context_attach(&to, FABRIC, 3, &small));
	packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, 9);
	while (!torus_inject_packet(from, 2, packet, sizeof(packet), 500))
		sent++;
	c = counters_of(3, true, 0);
	EXPECT_EQ(1, c.packets);
	EXPECT_EQ(32, c.chunks);
	EXPECT_EQ(32, c.high_water);
	c = counters_of(2, false, 2);
	EXPECT_EQ(32, c.chunks);
	EXPECT_EQ(32, c.high_water);
	EXPECT_EQ(sent - 1, c.packets);	/* one more packet is in the ring */
	torus_context_detach(to);
	torus_context_detach(from);
	/* an unused node has no FIFO counters */
	EXPECT_EQ(~0ull, counters_of(9, false, 0).packets);
}

static int events_of(struct torus_context *context, short events, int timeout_ms)
{
	struct pollfd fd = { .fd = torus_context_fd(context), .events = events };
	int ret = poll(&fd, 1, timeout_ms);

	return ret > 0 ? fd.revents : ret;
}

/* Receive a packet 100 ms later, when its sender sleeps in poll(). */
static void *read_late(void *to)
{
	unsigned char got[256];

	usleep(100000);
	return torus_receive_packet(to, TORUS_FIFO_ANY, got, sizeof(got), WAIT_MS) ==
	       sizeof(got) ? to : NULL;
}

/* poll() reports POLLOUT only if a ring has space that the program has asked for. */
TEST_F(fifos, room_in_one_ring)
{
	const __u32 dest[3] = { 3, 0, 0 };
	struct torus_context *from, *to;
	unsigned char packet[256];
	unsigned int sent = 0;
	pthread_t reader;
	void *result;

	ASSERT_EQ(0, torus_context_attach(&from, FABRIC, 2, &small));
	packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, 9);
	ASSERT_EQ(0, torus_context_attach(&to, FABRIC, 3, &small));
	EXPECT_NE(0, torus_context_info(from)->features & TORUS_FEATURE_WANT);
	while (!torus_inject_packet(from, 0, packet, sizeof(packet), 500))
		sent++;
	/* the other rings have space */
	EXPECT_EQ(POLLOUT, events_of(from, POLLOUT, 0));
	ASSERT_EQ(0, torus_inject_want(from, 0, 8));
	EXPECT_EQ(0, events_of(from, POLLOUT, 50));
	/* one ring with enough space is sufficient, also the priority ring */
	ASSERT_EQ(0, torus_inject_want(from, 3, 1));
	EXPECT_EQ(POLLOUT, events_of(from, POLLOUT, 0));
	ASSERT_EQ(0, torus_inject_want(from, 3, 0));
	/* a request for more than the ring's length waits until the ring is empty */
	from->inject[0].control->want = 0xffffffff;
	EXPECT_EQ(0, events_of(from, POLLOUT, 0));
	from->inject[1].control->want = 0xffffffff;
	EXPECT_EQ(POLLOUT, events_of(from, POLLOUT, 0));
	from->inject[1].control->want = 0;
	ASSERT_EQ(0, torus_inject_want(from, 0, 8));

	/* the receiver reads while poll() sleeps */
	ASSERT_EQ(0, pthread_create(&reader, NULL, read_late, to));
	EXPECT_EQ(POLLOUT, events_of(from, POLLOUT, WAIT_MS));
	EXPECT_EQ(8, torus_inject_room(from, 0));
	ASSERT_EQ(0, torus_inject_want(from, 0, 0));
	pthread_join(reader, &result);
	EXPECT_NE(NULL, result);
	torus_context_detach(from);
	torus_context_detach(to);
	TH_LOG("%u packets in flight", sent);
}

/*
 * The kernel discards chunks that are no valid packet, and wakes a sender that waits for their
 * space.
 */
TEST_F(fifos, room_by_refusal)
{
	static const unsigned char nothing[8 * 32] = { 0 };
	struct torus_context *from;
	unsigned char chunks[8 * 32];
	struct torus_bgl_header header;
	int i;

	ASSERT_EQ(0, torus_context_attach(&from, FABRIC, 2, &small));
	torus_bgl_header_init(&header, TORUS_ROUTE_ORDERED, there, 0, 256);
	memcpy(chunks, nothing, sizeof(chunks));
	ASSERT_EQ(0, torus_bgl_header_build(chunks, &header));
	ASSERT_EQ(0, torus_inject_want(from, 0, 8));
	for (i = 0; i < 50; i++) {
		/* seven chunks of a packet of eight */
		ASSERT_EQ(0, torus_inject_raw(from, 0, chunks, 7));
		ASSERT_EQ(POLLOUT, events_of(from, POLLOUT, WAIT_MS));
		ASSERT_EQ(8, torus_inject_room(from, 0));
	}
	torus_context_detach(from);
}

TEST_HARNESS_MAIN
