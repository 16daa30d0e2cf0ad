// SPDX-License-Identifier: GPL-2.0
/*
 * Critical interrupts: when a modelled FIFO crosses the watermark of a register, the kernel wakes
 * the program that is attached to the group, and sends a netlink event.
 */
#include "device.h"
#include <pthread.h>
#include <sys/epoll.h>
#include "../user/lib/context/context.h"
#include "../user/netlink/event.h"
#include "../user/netlink/reg.h"
#include "kselftest_harness.h"

#define FABRIC		"interrupttest"
#define WATERMARKS	0x0d	/* register of group 0; 0x0e for group 1 */
#define THRESHOLD_INPUT	0x16
#define ERROR_MASK	0x30

/* Register fields of five bits: reception, priority reception, I0, I1, I2, IP. */
#define FIELD(i, chunks)	((__u32)(chunks) << (27 - 5 * (i)))
#define RECEIVE			0
#define INJECT(i)		(2 + (i))

static const __u32 shape[3] = { 4, 2, 2 };
static const __u32 there[3] = { 1, 0, 0 };

FIXTURE(interrupts)
{
	struct torus_context *from;
	struct torus_context *to;
};

FIXTURE_SETUP(interrupts)
{
	const struct torus_attach_config short_ring = { .receive_chunks = 8, .group = 1 };

	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->from, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->to, FABRIC, 1, &short_ring));
}

FIXTURE_TEARDOWN(interrupts)
{
	torus_context_detach(self->from);
	torus_context_detach(self->to);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

struct write {
	__u32 node;
	__u32 offset;
	__u32 value;
};

static int ask_write(struct torus_nl *nl, const void *arg)
{
	const struct write *w = arg;

	return torus_nl_reg_write(nl, FABRIC, w->node, w->offset, w->value);
}

static int reg_write(__u32 node, __u32 offset, __u32 value)
{
	const struct write w = { node, offset, value };
	char words[256] = "";
	int ret = nl_with(ask_write, &w, words, sizeof(words));

	if (ret)
		fprintf(stderr, "# register: %s\n", words);
	return ret;
}

static int watermarks(__u32 node, __u32 group, __u32 value)
{
	return reg_write(node, WATERMARKS + group, value);
}

static int events_of(struct torus_context *context, short events, int timeout_ms)
{
	struct pollfd fd = { .fd = torus_context_fd(context), .events = events };
	int ret = poll(&fd, 1, timeout_ms);

	return ret > 0 ? fd.revents : ret;
}

static void make(unsigned char packet[256], __u32 id)
{
	struct torus_bgl_header header;

	packet_make(packet, 256, there, TORUS_ROUTE_ORDERED, id);
	torus_bgl_header_parse(packet, &header);
	header.group = 1;
	torus_bgl_header_build(packet, &header);
}

static int send_to(struct torus_context *from, unsigned int fifo, __u32 id)
{
	unsigned char packet[256];

	make(packet, id);
	return torus_inject_packet(from, fifo, packet, sizeof(packet), WAIT_MS);
}

/* Wait until the modelled reception FIFO holds @chunks chunks. */
static bool holds(struct torus_context *to, __u32 chunks)
{
	double until = now_s() + WAIT_MS / 1000;

	while (__atomic_load_n(&to->receive[0].status->fifo_chunks, __ATOMIC_RELAXED) != chunks) {
		if (now_s() > until)
			return false;
		usleep(1000);
	}
	return true;
}

/* A FIFO that rises above its watermark because nothing is read raises one interrupt. */
TEST_F(interrupts, reception_above)
{
	struct torus_interrupts got;
	unsigned char packet[256];
	int i, round;

	EXPECT_NE(0, torus_context_info(self->to)->features & TORUS_FEATURE_INTERRUPT);
	ASSERT_EQ(0, watermarks(1, 1, FIELD(RECEIVE, 16)));
	for (round = 0; round < 3; round++) {
		/* one packet in the ring, two in the FIFO: 16 chunks are not above 16 */
		for (i = 0; i < 3; i++)
			ASSERT_EQ(0, send_to(self->from, 0, i));
		ASSERT_TRUE(holds(self->to, 16));
		EXPECT_EQ(0, events_of(self->to, POLLPRI, 20));
		EXPECT_EQ(0, torus_interrupts_take(self->to, &got));
		ASSERT_EQ(0, send_to(self->from, 0, i));
		EXPECT_EQ(POLLPRI, events_of(self->to, POLLPRI, WAIT_MS));
		/* the event stays pending until the program acknowledges it */
		EXPECT_EQ(POLLPRI, events_of(self->to, POLLPRI, 0));
		EXPECT_EQ(1, torus_interrupts_take(self->to, &got));
		EXPECT_EQ(1, got.count);
		EXPECT_EQ(1, got.receive);
		EXPECT_EQ(0, got.inject);
		EXPECT_EQ(0, events_of(self->to, POLLPRI, 0));
		/* above the watermark, further packets raise no interrupt */
		ASSERT_EQ(0, send_to(self->from, 0, ++i));
		ASSERT_TRUE(holds(self->to, 32));
		EXPECT_EQ(0, events_of(self->to, POLLPRI, 20));
		for (i = 0; i < 5; i++)
			ASSERT_EQ(256, torus_receive_packet(self->to, TORUS_FIFO_ANY, packet,
							    sizeof(packet), WAIT_MS));
		ASSERT_TRUE(holds(self->to, 0));
		EXPECT_EQ(0, events_of(self->to, POLLPRI, 0));
	}
	/* the sender's context got no interrupt */
	EXPECT_EQ(0, events_of(self->from, POLLPRI, 0));
}

#define MESSAGE	30	/* packets; more than rings and FIFOs on the path can hold */

/*
 * A sender gets an interrupt when its FIFO runs low, but not while the ring still refills the FIFO.
 */
TEST_F(interrupts, injection_below)
{
	struct epoll_event ask = { .events = EPOLLPRI | EPOLLET }, event;
	static unsigned char bytes[MESSAGE][256];
	struct torus_packet_buffer packets[MESSAGE];
	struct torus_interrupts got;
	unsigned char packet[256];
	int fd = epoll_create1(0);
	int i, round;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, epoll_ctl(fd, EPOLL_CTL_ADD, torus_context_fd(self->from), &ask));
	ASSERT_EQ(0, watermarks(0, 0, FIELD(INJECT(1), 12)));
	for (i = 0; i < MESSAGE; i++) {
		make(bytes[i], i);
		packets[i] = (struct torus_packet_buffer){ bytes[i], sizeof(bytes[i]) };
	}
	for (round = 0; round < 20; round++) {
		/*
		 * Publish all packets at once: the path has no space for them before the reader
		 * reads.
		 */
		ASSERT_EQ(MESSAGE, torus_inject_many(self->from, 1, packets, MESSAGE));
		ASSERT_TRUE(holds(self->to, 32));
		EXPECT_EQ(0, torus_interrupts_take(self->from, &got));
		for (i = 0; i < MESSAGE; i++)
			ASSERT_EQ(256, torus_receive_packet(self->to, TORUS_FIFO_ANY, packet,
							    sizeof(packet), WAIT_MS));
		ASSERT_EQ(1, epoll_wait(fd, &event, 1, WAIT_MS));
		EXPECT_EQ(EPOLLPRI, event.events);
		EXPECT_EQ(1, torus_interrupts_take(self->from, &got));
		EXPECT_EQ(1, got.count);
		EXPECT_EQ(1 << 1, got.inject);
		EXPECT_EQ(0, got.receive);
	}
	close(fd);
}

/* The watermarks at boot raise no interrupt. */
TEST_F(interrupts, none_unasked)
{
	unsigned char packet[256];
	int i;

	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, send_to(self->from, 0, i));
		ASSERT_EQ(256, torus_receive_packet(self->to, TORUS_FIFO_ANY, packet,
						    sizeof(packet), WAIT_MS));
	}
	EXPECT_EQ(0, events_of(self->from, POLLPRI, 0));
	EXPECT_EQ(0, events_of(self->to, POLLPRI, 0));
}

/* A library wait is not ended by an interrupt that the program did not ask for. */
TEST_F(interrupts, library_waits_on)
{
	struct torus_interrupts got;
	unsigned char packet[256];
	int i;

	ASSERT_EQ(0, watermarks(1, 1, FIELD(RECEIVE, 1)));
	torus_wait_tune(self->to, 0, 0);
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, send_to(self->from, 0, i));
		ASSERT_EQ(256, torus_receive_packet(self->to, TORUS_FIFO_ANY, packet,
						    sizeof(packet), WAIT_MS));
	}
	EXPECT_EQ(-ETIMEDOUT, torus_receive_wait(self->to, TORUS_FIFO_ANY, 20));
	EXPECT_EQ(1, torus_interrupts_take(self->to, &got));
	EXPECT_EQ(20, got.count);
}

#define MANY	3000

/* Events that a listener has received. */
struct heard {
	struct torus_nl *nl;
	__u64 interrupts;
	__u32 events;
	bool wrong;
};

static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	struct heard *heard = arg;
	struct torus_nl_event event;
	const char *times;

	if (torus_nl_event_parse(reply, &event) || strcmp(event.fabric, FABRIC) ||
	    event.event != TORUS_EVENT_WATERMARK)
		return 0;
	heard->events++;
	heard->wrong |= event.link.node != 1 || event.group != 1 ||
			!(event.present & TORUS_NL_HAS(TORUS_A_GROUP)) ||
			!says(event.text, "reception FIFO 0 group 1 watermark");
	times = strchr(event.text, ',');
	heard->interrupts += times ? strtoul(times + 1, NULL, 10) : 1;
	return heard->interrupts >= MANY;
}

static void *listen_to(void *arg)
{
	struct heard *heard = arg;

	return torus_nl_receive(heard->nl, on_event, heard) == 1 ? heard : NULL;
}

/* Listeners learn of every interrupt, but several interrupts share one event. */
TEST_F(interrupts, events)
{
	struct heard heard = { .nl = torus_nl_new() };
	unsigned char packet[256];
	pthread_t listener;
	double from, took;
	void *result;
	int i;

	ASSERT_NE(NULL, heard.nl);
	ASSERT_EQ(0, torus_nl_connect(heard.nl));
	ASSERT_EQ(1, torus_nl_listen(heard.nl));
	ASSERT_EQ(0, watermarks(1, 1, FIELD(RECEIVE, 1)));
	from = now_s();
	ASSERT_EQ(0, pthread_create(&listener, NULL, listen_to, &heard));
	for (i = 0; i < MANY; i++) {
		ASSERT_EQ(0, send_to(self->from, 0, i));
		ASSERT_EQ(256, torus_receive_packet(self->to, TORUS_FIFO_ANY, packet,
						    sizeof(packet), WAIT_MS));
	}
	pthread_join(listener, &result);
	took = now_s() - from;
	EXPECT_NE(NULL, result);
	EXPECT_EQ(MANY, heard.interrupts);
	EXPECT_FALSE(heard.wrong);
	/* eight events per quarter of a second at most */
	EXPECT_GE(8 * (4 * took + 2), heard.events);
	torus_nl_free(heard.nl);
	TH_LOG("%u interrupts in %u events", MANY, heard.events);
}

static int on_error(const struct torus_nl_reply *reply, void *arg)
{
	struct heard *heard = arg;
	struct torus_nl_event event;

	if (torus_nl_event_parse(reply, &event) || strcmp(event.fabric, FABRIC) ||
	    event.event != TORUS_EVENT_ERROR)
		return 0;
	/* the sender also raises an event, because it retransmits */
	if (event.link.node != 1)
		return 0;
	heard->events++;
	heard->wrong |= !(event.present & TORUS_NL_HAS(TORUS_A_DIR)) ||
			event.link.dir != 0 || !says(event.text, "error input");
	return 1;
}

static void *listen_for_error(void *arg)
{
	struct heard *heard = arg;

	return torus_nl_receive(heard->nl, on_error, heard) == 1 ? heard : NULL;
}

/* A receiver whose errors reach their threshold raises an error event. */
TEST_F(interrupts, error_event)
{
	struct heard heard = { .nl = torus_nl_new() };
	unsigned char packet[256];
	pthread_t listener;
	void *result;
	int i;

	ASSERT_NE(NULL, heard.nl);
	ASSERT_EQ(0, torus_nl_connect(heard.nl));
	ASSERT_EQ(1, torus_nl_listen(heard.nl));
	ASSERT_EQ(0, reg_write(1, ERROR_MASK, 0));
	ASSERT_EQ(0, reg_write(1, THRESHOLD_INPUT, 3));
	ASSERT_EQ(0, pthread_create(&listener, NULL, listen_for_error, &heard));
	ASSERT_EQ(0, system("torusctl link set " FABRIC " 0 x+ corrupt 3"));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, send_to(self->from, 0, i));
		ASSERT_EQ(256, torus_receive_packet(self->to, TORUS_FIFO_ANY, packet,
						    sizeof(packet), WAIT_MS));
	}
	pthread_join(listener, &result);
	EXPECT_NE(NULL, result);
	EXPECT_EQ(1, heard.events);
	EXPECT_FALSE(heard.wrong);
	/* programs get no interrupt for link errors */
	EXPECT_EQ(0, events_of(self->to, POLLPRI, 0));
	torus_nl_free(heard.nl);
}

TEST_HARNESS_MAIN
