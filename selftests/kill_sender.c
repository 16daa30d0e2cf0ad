// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that are killed while they send: packets already injected arrive, and other programs are
 * not disturbed.
 */
#include "device.h"
#include <signal.h>
#include <torus/message.h>
#include "kselftest_harness.h"

#define FABRIC	"killtest"
#define KEY	0x6b696c6cu
#define ROUNDS	20
#define VICTIMS	3

static const __u32 shape[3] = { 3, 2, 2 };

struct kill_shared {
	int over;
	int attached;
	int victims;
	__u32 sent;
	__u64 messages[2];
};

FIXTURE(kill)
{
	struct kill_shared *shared;
};

FIXTURE_SETUP(kill)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	/*
	 * The victims never read their reception FIFOs. A time limit keeps these from blocking the
	 * neighbours indefinitely while the victims run.
	 */
	ASSERT_EQ(0, fabric_add(FABRIC, shape, "rx_stall", 1000000));
}

FIXTURE_TEARDOWN(kill)
{
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static void must(const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "# %s: %s\n", what, torus_error_text());
	_exit(1);
}

static unsigned char byte_of(__u32 rank, __u64 message, size_t i)
{
	return (unsigned char)(rank * 31 + message * 7 + i * 3 + (i >> 8));
}

/* Exchange messages with the other rank and check each one, until shared->over is set. */
static void talk(struct kill_shared *shared, __u32 rank)
{
	static const struct torus_member members[2] = { { 0, 0 }, { 1, 0 } };
	const struct torus_job_config config = {
		.key = KEY, .route = TORUS_ROUTE_DYNAMIC, .members = members, .count = 2,
	};
	static unsigned char out[3000], in[3000];
	struct torus_message_info info;
	struct torus_context *context;
	struct torus_job *job;
	__u64 message;
	__u32 over;
	size_t i;

	must("attach", torus_context_attach(&context, FABRIC, rank, NULL));
	/* Packets to a node without an attached program are dropped. */
	__atomic_add_fetch(&shared->attached, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&shared->attached, __ATOMIC_ACQUIRE) < 2)
		usleep(1000);
	must("job", torus_job_open(&job, context, &config));
	for (message = 0;; message++) {
		over = rank ? 0 : __atomic_load_n(&shared->over, __ATOMIC_RELAXED);
		for (i = 0; i < sizeof(out); i++)
			out[i] = byte_of(rank, message, i);
		must("send", torus_message_send(job, 1 - rank, over, out, sizeof(out)));
		must("receive", torus_message_receive(job, 1 - rank, TORUS_MESSAGE_ANY, in,
						      sizeof(in), &info, WAIT_MS));
		for (i = 0; i < sizeof(in); i++) {
			if (in[i] != byte_of(1 - rank, message, i))
				_exit(2);
		}
		if (rank ? info.tag : over)
			break;
		__atomic_add_fetch(&shared->messages[rank], 1, __ATOMIC_RELAXED);
	}
	must("flush", torus_message_flush(job, WAIT_MS));
	torus_job_close(job);
	torus_context_detach(context);
	_exit(0);
}

/* Send to the pair and to the other victims as fast as possible. */
static void victim(struct kill_shared *shared, __u32 node)
{
	struct torus_context *context;
	unsigned char packet[256];
	__u32 dest[3], id;

	must("attach", torus_context_attach(&context, FABRIC, node, NULL));
	for (id = 0;; id++) {
		__u32 to = id % (2 + VICTIMS);

		if (to == node)
			continue;
		must("coords", torus_node_coords(context, to, dest));
		packet_make(packet, 64 + id % 7 * 32, dest, id % 2, id);
		must("inject", torus_inject_packet(context, TORUS_FIFO_ANY, packet,
						   64 + id % 7 * 32, -1));
		if (id == 50)
			__atomic_add_fetch(&shared->victims, 1, __ATOMIC_RELEASE);
	}
}

static bool reached(int *counter, int value)
{
	double until = now_s() + WAIT_MS / 1000;

	while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < value) {
		if (now_s() > until)
			return false;
		usleep(500);
	}
	return true;
}

TEST_F(kill, while_others_go_on)
{
	pid_t pair[2], victims[VICTIMS];
	__u64 before;
	int round, i;

	for (i = 0; i < 2; i++) {
		pair[i] = start();
		if (!pair[i])
			talk(self->shared, i);
	}
	ASSERT_TRUE(reached(&self->shared->attached, 2));
	for (round = 0; round < ROUNDS; round++) {
		before = __atomic_load_n(&self->shared->messages[0], __ATOMIC_RELAXED);
		__atomic_store_n(&self->shared->victims, 0, __ATOMIC_RELEASE);
		for (i = 0; i < VICTIMS; i++) {
			victims[i] = start();
			if (!victims[i])
				victim(self->shared, 2 + i);
		}
		EXPECT_TRUE(reached(&self->shared->victims, VICTIMS));
		usleep(round * 300);
		for (i = 0; i < VICTIMS; i++)
			kill(victims[i], SIGKILL);
		for (i = 0; i < VICTIMS; i++)
			EXPECT_EQ(256 + SIGKILL, status_of(victims[i]));
		/* The pair must still exchange messages. */
		while (__atomic_load_n(&self->shared->messages[0], __ATOMIC_RELAXED) ==
		       before && !waitpid(pair[0], NULL, WNOHANG))
			usleep(500);
	}
	__atomic_store_n(&self->shared->over, 1, __ATOMIC_RELAXED);
	EXPECT_EQ(0, status_of(pair[0]));
	EXPECT_EQ(0, status_of(pair[1]));
	TH_LOG("%llu messages meanwhile", self->shared->messages[0]);
}

/* A program is killed directly after its last injection: all injected packets must arrive. */
TEST_F(kill, what_was_sent_arrives)
{
	struct torus_context *context;
	unsigned char packet[256];
	const __u32 dest[3] = { 1, 1, 0 };
	__u32 id, received, sent;
	int round, ret;
	pid_t pid;

	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 4, NULL));
	for (round = 0; round < ROUNDS; round++) {
		self->shared->sent = 0;
		pid = start();
		if (!pid) {
			must("attach", torus_context_attach(&context, FABRIC, 0, NULL));
			for (id = 0; id < 60; id++) {
				packet_make(packet, 256, dest, TORUS_ROUTE_ORDERED, id);
				must("inject", torus_inject_packet(context, 0, packet, 256, -1));
				__atomic_store_n(&self->shared->sent, id + 1, __ATOMIC_RELAXED);
			}
			kill(getpid(), SIGKILL);
		}
		ASSERT_EQ(256 + SIGKILL, status_of(pid));
		sent = __atomic_load_n(&self->shared->sent, __ATOMIC_RELAXED);
		ASSERT_EQ(60, sent);
		for (received = 0; received < sent; received++) {
			ret = torus_receive_packet(context, TORUS_FIFO_ANY, packet, 256, WAIT_MS);
			ASSERT_EQ(256, ret);
			ASSERT_TRUE(packet_right(packet, 256));
			memcpy(&id, packet + 8, sizeof(id));
			ASSERT_EQ(received, id);
		}
	}
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, 256));
	torus_context_detach(context);
}

/* The next program can attach to the group of a killed program without a second attempt. */
TEST_F(kill, and_started_again)
{
	const __u32 dest[3] = { 1, 1, 0 };
	struct torus_context *context;
	unsigned char packet[256];
	int round;
	pid_t pid;

	for (round = 0; round < ROUNDS; round++) {
		pid = start();
		if (!pid) {
			must("attach", torus_context_attach(&context, FABRIC, 0, NULL));
			packet_make(packet, 256, dest, TORUS_ROUTE_ORDERED, 1);
			while (!torus_inject_try(context, 0, packet, 256))
				;
			kill(getpid(), SIGKILL);
		}
		ASSERT_EQ(256 + SIGKILL, status_of(pid));
		ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
		/* The next program never receives its predecessor's packets, and gets new rings. */
		EXPECT_EQ(1, torus_inject_idle(context));
		EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, 256));
		torus_context_detach(context);
	}
}

TEST_HARNESS_MAIN
