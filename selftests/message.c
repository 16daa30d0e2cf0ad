// SPDX-License-Identifier: GPL-2.0
/*
 * The message layer over the kernel module: small rings, links with bit errors, errors that links
 * do not detect, and a neighbour that writes random data into its shared pages.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <torus/bgl.h>
#include <torus/message.h>
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"
#include "says.h"

#define FABRIC		"messagetest"
#define KEY		0x7045e5u
#define CORRUPT_LINKS	"torusctl link set " FABRIC " all 'all' ber 1e-5"
#define SCRIBBLE_S	10
#define WAIT_MS		100000

static __u64 mix(__u64 z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void fill(unsigned char *bytes, __u64 seed, __u32 length)
{
	__u32 i;

	for (i = 0; i < length; i++)
		bytes[i] = mix(seed ^ i / 8) >> i % 8 * 8;
}

static bool right(const unsigned char *bytes, __u64 seed, __u32 length)
{
	__u32 i;

	for (i = 0; i < length; i++)
		if (bytes[i] != (unsigned char)(mix(seed ^ i / 8) >> i % 8 * 8))
			return false;
	return true;
}

/* Return: the length of message @id from @source. */
static __u32 length_of(__u32 source, __u32 id)
{
	__u64 random = mix((__u64)source << 32 | id);

	return random % (1u << (random >> 32) % 15);
}

/**
 * struct message_shared - state shared by the processes of a test
 * @attached: number of attached processes
 * @over: set when the time of the test is up
 * @counts: message counts of each rank
 */
struct message_shared {
	int attached;
	int over;
	struct torus_job_counts counts[2];
};

/**
 * struct message_end - one end of a pair: rank 0 at node 0 or rank 1 at node 1
 */
struct message_end {
	__u32 rank;
	struct message_shared *shared;
	struct torus_context *context;
	struct torus_job *job;
};

static void must(const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s: %s (%d)\n", what, torus_error_text(), ret);
	_exit(1);
}

static void meet(struct message_shared *shared, int count)
{
	__atomic_fetch_add(&shared->attached, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&shared->attached, __ATOMIC_SEQ_CST) < count)
		usleep(1000);
}

static void end_open(struct message_end *end, __u32 rank, struct message_shared *shared,
		     __u32 chunks, enum torus_route route, int processes)
{
	static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };
	const struct torus_attach_config attach = {
		.inject_chunks = chunks, .receive_chunks = chunks,
		.priority = route == TORUS_ROUTE_PRIORITY,
	};
	const struct torus_job_config job = {
		.key = KEY, .route = route, .members = members, .count = 2,
		.length_max = 1 << 20,
	};

	end->rank = rank;
	end->shared = shared;
	must("attach", torus_context_attach(&end->context, FABRIC, rank, &attach));
	must("job", torus_job_open(&end->job, end->context, &job));
	meet(shared, processes);
}

static void end_close(struct message_end *end)
{
	must("flush", torus_message_flush(end->job, WAIT_MS));
	must("barrier", torus_job_barrier(end->job, WAIT_MS));
	must("flush", torus_message_flush(end->job, WAIT_MS));
	torus_job_counts(end->job, &end->shared->counts[end->rank]);
	torus_job_close(end->job);
	torus_context_detach(end->context);
	_exit(0);
}

static void send_one(struct message_end *end, __u32 id, __u32 length)
{
	unsigned char *bytes = malloc(length + 1);

	if (!bytes)
		_exit(1);
	fill(bytes, (__u64)end->rank << 32 | id, length);
	must("send", torus_message_send(end->job, 1 - end->rank, id, bytes, length));
	free(bytes);
}

static void receive_one(struct message_end *end, __u32 id, __u32 length)
{
	struct torus_message_info info;
	void *bytes;

	must("receive", torus_message_take(end->job, 1 - end->rank, TORUS_MESSAGE_ANY, &bytes,
					   &info, WAIT_MS));
	if (info.tag != id || info.length != length ||
	    !right(bytes, (__u64)(1 - end->rank) << 32 | id, length)) {
		fprintf(stderr, "message %u of %u bytes instead of %u of %u, or wrong bytes\n",
			info.tag, info.length, id, length);
		_exit(1);
	}
	free(bytes);
}

static pid_t start(void)
{
	pid_t pid = fork();

	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

FIXTURE(message) {
	struct message_shared *shared;
};

FIXTURE_SETUP(message)
{
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	/*
	 * rx_stall limits how long packets wait for a reader. The scribbling process does not read,
	 * and must not block others for longer. The limit of half a second of simulated time must
	 * not hit a rank that only waits for a processor.
	 */
	ASSERT_EQ(0, system("torusctl fabric add " FABRIC
			    " arch bgl shape 4x2x2 seed 7 rx_stall 100000000"));
}

FIXTURE_TEARDOWN(message)
{
	EXPECT_EQ(0, system("torusctl fabric del " FABRIC));
	munmap(self->shared, sizeof(*self->shared));
}

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return status;
}

TEST_F(message, attached_by_coordinates)
{
	struct torus_context *context, *other;
	__u32 coords[3], node;

	ASSERT_EQ(0, torus_context_attach_at(&context, FABRIC, "3,1,0", NULL));
	EXPECT_EQ(7, torus_context_info(context)->node);
	EXPECT_EQ(0, torus_node_coords(context, 14, coords));
	EXPECT_EQ(2, coords[0]);
	EXPECT_EQ(1, coords[1]);
	EXPECT_EQ(1, coords[2]);
	EXPECT_EQ(0, torus_node_locate(context, coords, &node));
	EXPECT_EQ(14, node);
	EXPECT_EQ(-ERANGE, torus_node_coords(context, 16, coords));
	/* The library computes coordinates from INFO, and must agree with the kernel. */
	for (node = 0; node < 16; node++) {
		struct torus_ioc_locate locate = {
			.direction = TORUS_LOCATE_COORDS, .node = node,
		};

		ASSERT_EQ(0, ioctl(torus_context_fd(context), TORUS_IOC_LOCATE, &locate));
		ASSERT_EQ(0, torus_node_coords(context, node, coords));
		EXPECT_EQ(0, memcmp(coords, locate.coords, sizeof(coords)));
	}

	EXPECT_EQ(-EBUSY, torus_context_attach(&other, FABRIC, 7, NULL));
	EXPECT_SAYS(torus_error_text(), "node 7 " FABRIC " group 0");
	EXPECT_EQ(-ERANGE, torus_context_attach_at(&other, FABRIC, "1,2,0", NULL));
	EXPECT_SAYS(torus_error_text(), "node 1,2,0 y 2");
	EXPECT_EQ(-ENOENT, torus_context_attach_at(&other, "nosuch", "1,2,0", NULL));
	EXPECT_SAYS(torus_error_text(), "fabric nosuch");
	torus_context_detach(context);
}

/* Send all messages before receiving any. Both ends do so. */
static void flood(struct message_shared *shared, __u32 rank, enum torus_route route)
{
	struct message_end end;
	__u32 id;

	end_open(&end, rank, shared, 8, route, 2);
	for (id = 0; id < 4; id++)
		send_one(&end, id, 100000);
	for (id = 0; id < 4; id++)
		receive_one(&end, id, 100000);
	end_close(&end);
}

TEST_F(message, full_fifos_do_not_block_two_senders)
{
	static const enum torus_route routes[3] = {
		TORUS_ROUTE_ORDERED, TORUS_ROUTE_DYNAMIC, TORUS_ROUTE_PRIORITY,
	};
	unsigned int i, rank;
	pid_t pid[2];

	/* Test full FIFOs without loss: with rx_stall a full FIFO would drop packets. */
	ASSERT_EQ(0, system("torusctl fabric set " FABRIC " rx_stall 0"));
	ASSERT_EQ(0, system(CORRUPT_LINKS));
	for (i = 0; i < 3; i++) {
		self->shared->attached = 0;
		for (rank = 0; rank < 2; rank++) {
			pid[rank] = start();
			if (!pid[rank])
				flood(self->shared, rank, routes[i]);
		}
		EXPECT_EQ(0, status_of(pid[0]));
		EXPECT_EQ(0, status_of(pid[1]));
		EXPECT_EQ(5, self->shared->counts[0].received_messages);
		EXPECT_EQ(0, self->shared->counts[0].rejected_key);
		EXPECT_EQ(0, self->shared->counts[1].damaged);
	}
}

/*
 * Wait until no packet of rank 0 is in flight. Packets that rank 1 sent at the start of the job
 * precede its first barrier. Rank 0's replies precede rank 0's second barrier. They have arrived
 * when rank 1 sends.
 */
static void settle(struct message_end *end)
{
	must("barrier", torus_job_barrier(end->job, WAIT_MS));
	must("barrier", torus_job_barrier(end->job, WAIT_MS));
	if (end->rank)
		send_one(end, 0, 0);
	else
		receive_one(end, 0, 0);
}

static void damaged(struct message_shared *shared, __u32 rank)
{
	static unsigned char bytes[20000];
	struct torus_message_info info;
	struct message_end end;
	void *data;
	int ret;

	end_open(&end, rank, shared, 256, TORUS_ROUTE_ORDERED, 2);
	settle(&end);
	if (rank == 0) {
		if (system("torusctl link set " FABRIC " 0 x+ escape 1"))
			_exit(1);
		must("send", torus_message_send(end.job, 1, 1, bytes, sizeof(bytes)));
		must("send", torus_message_send(end.job, 1, 2, bytes, 5));
	} else {
		ret = torus_message_take(end.job, 0, TORUS_MESSAGE_ANY, &data, &info, WAIT_MS);
		if (ret != -EBADMSG) {
			fprintf(stderr, "%d instead of EBADMSG\n", ret);
			_exit(1);
		}
		must("receive", torus_message_take(end.job, 0, TORUS_MESSAGE_ANY, &data, &info,
						   WAIT_MS));
		if (info.tag != 2 || info.length != 5)
			_exit(1);
		free(data);
	}
	end_close(&end);
}

TEST_F(message, what_the_links_miss_is_reported)
{
	unsigned int rank;
	pid_t pid[2];

	for (rank = 0; rank < 2; rank++) {
		pid[rank] = start();
		if (!pid[rank])
			damaged(self->shared, rank);
	}
	EXPECT_EQ(0, status_of(pid[0]));
	EXPECT_EQ(0, status_of(pid[1]));
	EXPECT_EQ(1, self->shared->counts[1].damaged + self->shared->counts[1].lost);
}

/* Write random values into writable pages and ring the doorbell, in an endless loop. */
static void scribble(struct message_shared *shared)
{
	const struct torus_attach_config attach = { .priority = true };
	struct torus_context *context;
	const struct torus_ioc_info *info;
	__u64 random = 1, round;

	must("attach", torus_context_attach(&context, FABRIC, 2, &attach));
	info = torus_context_info(context);
	meet(shared, 3);
	for (round = 0;; round++) {
		unsigned int fifo = random % info->inject_fifos;
		struct torus_inject_fifo *ring = &context->inject[fifo];
		__u32 *words = (__u32 *)ring->ring;
		__u32 count = info->inject_chunks * info->chunk_bytes / 4;
		__u32 i;

		for (i = 0; i < 64; i++) {
			random = mix(random);
			words[random % count] = random >> 32;
		}
		/* Write valid headers with destinations that exist. */
		for (i = 0; i < 16; i++) {
			const __u32 dest[3] = { random & 1, random >> 8 & 1, random >> 16 & 1 };
			unsigned char *chunk = ring->ring + (random >> 24) %
					       info->inject_chunks * info->chunk_bytes;
			struct torus_bgl_header header;

			torus_bgl_header_init(&header, fifo == TORUS_BGL_INJECT_PRIORITY ?
					  TORUS_ROUTE_PRIORITY : (random >> 40) % 2, dest, 0,
					  (random >> 41) % 256 + 1);
			torus_bgl_header_build(chunk, &header);
			random = mix(random);
		}
		switch (random >> 60 & 3) {
		case 0:		/* valid indices */
			ring->control->tail = ring->status->head + random % info->inject_chunks;
			break;
		case 1:		/* invalid indices */
			ring->control->tail = random;
			break;
		case 2:
			context->receive[random % info->receive_fifos].control->head = random >> 8;
			break;
		default:
			words = (__u32 *)context->control;
			words[(random >> 32) % (info->page_bytes / 4)] = random;
			break;
		}
		random = mix(random);
		context->ops->doorbell(context);
		if (round % 64 == 0)
			sched_yield();
	}
}

static void talk(struct message_shared *shared, __u32 rank, enum torus_route route)
{
	struct message_end end;
	__u32 id;

	end_open(&end, rank, shared, 512, route, 3);
	for (id = 0;; id++) {
		/* Rank 0's tag tells rank 1 when to stop. */
		__u32 last = rank ? 0 : __atomic_load_n(&shared->over, __ATOMIC_RELAXED);
		struct torus_message_info info;

		if (rank == 0)
			must("send", torus_message_send(end.job, 1, last, NULL, 0));
		else
			must("receive", torus_message_receive(end.job, 0, TORUS_MESSAGE_ANY, NULL,
							      0, &info, WAIT_MS));
		if (rank ? info.tag : last)
			break;
		send_one(&end, id, length_of(rank, id));
		receive_one(&end, id, length_of(1 - rank, id));
	}
	end_close(&end);
}

TEST_F(message, a_neighbour_that_scribbles)
{
	pid_t pair[2], scribbler;
	unsigned int rank;
	double until;

	for (rank = 0; rank < 2; rank++) {
		pair[rank] = start();
		if (!pair[rank])
			talk(self->shared, rank, TORUS_ROUTE_DYNAMIC);
	}
	scribbler = start();
	if (!scribbler)
		scribble(self->shared);
	for (until = now_s() + SCRIBBLE_S; now_s() < until;)
		usleep(100000);
	__atomic_store_n(&self->shared->over, 1, __ATOMIC_RELAXED);
	EXPECT_EQ(0, status_of(pair[0]));
	EXPECT_EQ(0, status_of(pair[1]));
	/* The process must still be running. */
	EXPECT_EQ(0, waitpid(scribbler, NULL, WNOHANG));
	kill(scribbler, SIGKILL);
	status_of(scribbler);
	for (rank = 0; rank < 2; rank++) {
		TH_LOG("rank %u: %llu messages, %llu bytes; %llu packets rejected by key", rank,
		       self->shared->counts[rank].received_messages,
		       self->shared->counts[rank].received_bytes,
		       self->shared->counts[rank].rejected_key);
		EXPECT_LT(0, self->shared->counts[rank].received_messages);
		EXPECT_LT(0, self->shared->counts[rank].rejected_key);
		EXPECT_EQ(0, self->shared->counts[rank].damaged);
		EXPECT_EQ(0, self->shared->counts[rank].lost);
	}
}

TEST_HARNESS_MAIN
