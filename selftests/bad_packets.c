// SPDX-License-Identifier: GPL-2.0
/* Invalid packets and indices are rejected with a specific code, and the FIFO continues to work. */
#include "device.h"
#include "../user/lib/context/context.h"
#include "../user/lib/context/wait.h"
#include "kselftest_harness.h"

#define FABRIC	"refusetest"

static const __u32 shape[3] = { 4, 4, 4 };
static const __u32 here[3] = { 0, 0, 0 };
static const __u32 there[3] = { 1, 0, 0 };

FIXTURE(refuse)
{
	struct torus_context *from;
	struct torus_context *to;
	__u64 refused;		/* expected value of the fabric's counter of rejected packets */
};

FIXTURE_SETUP(refuse)
{
	const struct torus_attach_config small = { .inject_chunks = 32 };

	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->from, FABRIC, 0, &small));
	ASSERT_EQ(0, torus_context_attach(&self->to, FABRIC, 1, NULL));
}

FIXTURE_TEARDOWN(refuse)
{
	struct torus_fabric_counters counters;

	EXPECT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(self->refused, counters.refused);
	torus_context_detach(self->from);
	torus_context_detach(self->to);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static bool taken(struct torus_context *context)
{
	double until = now_s() + WAIT_MS / 1000;
	int idle;

	while (!(idle = torus_inject_idle(context)) && now_s() < until)
		sched_yield();
	return idle == 1;
}

/* Inject @chunks chunks as they are. Return: the code with which they are rejected, or ~0. */
static __u32 code_of(struct torus_context *context, unsigned int fifo, const void *packet,
		     unsigned int chunks)
{
	struct torus_refusal refusal = {};

	if (torus_inject_raw(context, fifo, packet, chunks) || !taken(context) ||
	    torus_inject_refused(context, &refusal) < 0)
		return ~0u;
	return refusal.packets == 1 ? refusal.code : ~0u;
}

/* Return: true if a valid packet through @fifo still arrives. */
static bool goes_on(struct torus_context *from, struct torus_context *to, unsigned int fifo)
{
	unsigned char packet[256], got[256];

	return !packet_make(packet, sizeof(packet), there, TORUS_ROUTE_ORDERED, 77) &&
	       !torus_inject_packet(from, fifo, packet, sizeof(packet), WAIT_MS) &&
	       torus_receive_packet(to, TORUS_FIFO_ANY, got, sizeof(got), WAIT_MS) ==
	       sizeof(got) && packet_right(got, sizeof(got));
}

static void header(unsigned char *packet, struct torus_bgl_header *h, const __u32 dest[3])
{
	memset(packet, 0, 256);
	torus_bgl_header_init(h, TORUS_ROUTE_DYNAMIC, dest, 0, 64);
}

#define REFUSED(code_, chunks) \
	do { \
		unsigned char raw[256] = {}; \
		torus_bgl_header_build(raw, &h); \
		EXPECT_EQ(code_, code_of(self->from, 0, raw, chunks)); \
		EXPECT_TRUE(goes_on(self->from, self->to, 0)); \
		self->refused++; \
	} while (0)

TEST_F(refuse, both_hints_of_a_dimension)
{
	struct torus_bgl_header h;
	unsigned char packet[256];

	header(packet, &h, there);
	h.hints = TORUS_BGL_HINT_XP | TORUS_BGL_HINT_XM;
	REFUSED(TORUS_REFUSE_HINTS, 2);
	h.hints = TORUS_BGL_HINT_XP | TORUS_BGL_HINT_ZP | TORUS_BGL_HINT_ZM;
	REFUSED(TORUS_REFUSE_HINTS, 2);
}

TEST_F(refuse, destination_outside)
{
	struct torus_bgl_header h;
	unsigned char packet[256];

	header(packet, &h, there);
	h.dest[1] = 4;
	REFUSED(TORUS_REFUSE_DESTINATION, 2);
	h.dest[1] = 255;
	REFUSED(TORUS_REFUSE_DESTINATION, 2);
}

TEST_F(refuse, vc_and_dynamic)
{
	struct torus_bgl_header h;
	unsigned char packet[256];

	header(packet, &h, there);
	h.dynamic = false;
	h.vc = TORUS_BGL_D0;
	REFUSED(TORUS_REFUSE_VC, 2);
	h.dynamic = true;
	h.vc = TORUS_BGL_BN;
	REFUSED(TORUS_REFUSE_VC, 2);
}

TEST_F(refuse, to_itself_without_a_hint)
{
	struct torus_bgl_header h;
	unsigned char packet[256];

	header(packet, &h, here);
	REFUSED(TORUS_REFUSE_SELF, 2);
}

TEST_F(refuse, priority_without_the_right)
{
	struct torus_bgl_header h;
	unsigned char packet[256];

	header(packet, &h, there);
	torus_bgl_header_init(&h, TORUS_ROUTE_PRIORITY, there, 0, 64);
	REFUSED(TORUS_REFUSE_PRIORITY, 2);
	torus_bgl_header_build(packet, &h);
	EXPECT_EQ(TORUS_REFUSE_PRIORITY,
		  code_of(self->from, TORUS_BGL_INJECT_PRIORITY, packet, 2));
	self->refused++;
}

TEST_F(refuse, chunks_past_the_tail)
{
	struct torus_bgl_header h;
	unsigned char packet[256];

	header(packet, &h, there);
	h.chunks = 8;
	REFUSED(TORUS_REFUSE_SIZE, 2);
	REFUSED(TORUS_REFUSE_SIZE, 7);
}

/* Valid packets before the invalid one arrive. The chunk of the invalid packet is discarded. */
TEST_F(refuse, chunks_past_the_tail_behind_good_ones)
{
	unsigned char chunks[5 * 32], got[64];
	struct torus_refusal refusal;
	struct torus_bgl_header h;

	memset(chunks, 0, sizeof(chunks));
	ASSERT_EQ(0, packet_make(chunks, 64, there, TORUS_ROUTE_ORDERED, 1));
	ASSERT_EQ(0, packet_make(chunks + 64, 64, there, TORUS_ROUTE_ORDERED, 2));
	torus_bgl_header_init(&h, TORUS_ROUTE_ORDERED, there, 0, 64);
	torus_bgl_header_build(chunks + 128, &h);
	ASSERT_EQ(0, torus_inject_raw(self->from, 1, chunks, 5));
	EXPECT_EQ(64, torus_receive_packet(self->to, TORUS_FIFO_ANY, got, 64, WAIT_MS));
	EXPECT_EQ(64, torus_receive_packet(self->to, TORUS_FIFO_ANY, got, 64, WAIT_MS));
	EXPECT_TRUE(packet_right(got, 64));
	ASSERT_TRUE(taken(self->from));
	EXPECT_LE(0, torus_inject_refused(self->from, &refusal));
	EXPECT_EQ(1, refusal.packets);
	EXPECT_EQ(1, refusal.fifo);
	EXPECT_EQ(TORUS_REFUSE_SIZE, refusal.code);
	EXPECT_EQ(4, refusal.index);
	EXPECT_TRUE(goes_on(self->from, self->to, 1));
	self->refused++;
}

/* A tail further ahead than the ring's length discards all chunks before it. */
TEST_F(refuse, tail_beyond_the_ring)
{
	struct torus_inject_fifo *fifo = &self->from->inject[2];
	const __u32 jumps[] = { 33, 1000, 0x80000000u, 0xffffffffu };
	struct torus_refusal refusal;
	double until;
	unsigned int i;

	for (i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		__u32 tail = fifo->tail + jumps[i];

		__atomic_store_n(&fifo->control->tail, tail, __ATOMIC_RELEASE);
		ASSERT_EQ(0, self->from->ops->doorbell(self->from));
		until = now_s() + WAIT_MS / 1000;
		while (__atomic_load_n(&fifo->status->head, __ATOMIC_ACQUIRE) != tail &&
		       now_s() < until)
			sched_yield();
		ASSERT_EQ(tail, fifo->status->head);
		EXPECT_EQ(TORUS_REFUSE_TAIL, fifo->status->refuse_code);
		EXPECT_EQ(fifo->tail, fifo->status->refuse_index);
		/*
		 * Update the library's indices: the test has stored the tail without the library.
		 */
		fifo->tail = tail;
		fifo->published = tail;
		fifo->head = tail;
		EXPECT_LE(0, torus_inject_refused(self->from, &refusal));
		EXPECT_EQ(TORUS_REFUSE_TAIL, refusal.code);
		EXPECT_TRUE(goes_on(self->from, self->to, 2));
		self->refused++;
	}
}

/* The kernel ignores a reader's head that is outside the ring. */
TEST_F(refuse, head_outside)
{
	struct torus_receive_fifo *fifo = &self->to->receive[TORUS_BGL_RECEIVE_PRIORITY];
	unsigned char packet[64], got[64];
	unsigned int i;

	/* The direction of travel, x+, determines the reception FIFO. */
	fifo = &self->to->receive[0];
	ASSERT_EQ(0, packet_make(packet, 64, there, TORUS_ROUTE_ORDERED, 5));
	for (i = 0; i < 4000; i++) {
		__atomic_store_n(&fifo->control->head, fifo->published + 0x1000000u + i,
				 __ATOMIC_RELEASE);
		ASSERT_EQ(0, torus_inject_packet(self->from, 0, packet, 64, WAIT_MS));
		__atomic_store_n(&fifo->control->head, fifo->published, __ATOMIC_RELEASE);
		/*
		 * The head has moved: ring the doorbell, because an engine that saw the other value
		 * may sleep.
		 */
		ASSERT_EQ(0, torus_doorbell_check(self->to, TORUS_STATUS_HEAD));
		ASSERT_EQ(64, torus_receive_packet(self->to, 0, got, 64, WAIT_MS));
		ASSERT_TRUE(packet_right(got, 64));
	}
}

TEST_HARNESS_MAIN
