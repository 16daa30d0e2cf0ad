// SPDX-License-Identifier: GPL-2.0
/*
 * Broadcasts and all-to-all between processes, one at each node, over links with bit errors and
 * through rings of a few packets.
 */
#include <stdlib.h>
#include <torus/collective.h>
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC		"broadcasttest"
#define KEY		0xca57u
#define LENGTH		100000
#define PAYLOAD		224	/* message bytes in a full packet of Blue Gene/L */
#define PAIR		200	/* all-to-all bytes per pair of ranks */
#define RING		64	/* chunks: 8 full packets */

/**
 * struct broadcast_shared - state shared by the processes of a test
 * @attached: number of attached processes
 * @failed: set by a process that ends because a library call failed; processes that wait for the
 *   others then end, too
 * @counts: message counts of each rank
 */
struct broadcast_shared {
	int attached;
	bool failed;
	struct torus_job_counts counts[64];
};

/**
 * struct broadcast_rank - one process
 */
struct broadcast_rank {
	struct broadcast_shared *shared;
	__u32 number;
	__u32 count;
	__u32 dims[3];
	struct torus_context *context;
	struct torus_job *job;
	unsigned char *data;
};

static __u64 mix(__u64 z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Fill 8 bytes at a time: under emulation this function takes most of the time. */
static void fill(unsigned char *bytes, __u64 seed, __u32 length)
{
	__u32 at;

	for (at = 0; at < length; at += 8) {
		__u64 random = mix(seed << 32 | at);

		memcpy(bytes + at, &random, length - at < 8 ? length - at : 8);
	}
}

static bool right(const unsigned char *bytes, __u64 seed, __u32 length)
{
	__u32 at;

	for (at = 0; at < length; at += 8) {
		__u64 random = mix(seed << 32 | at);

		if (memcmp(bytes + at, &random, length - at < 8 ? length - at : 8))
			return false;
	}
	return true;
}

static void must(const struct broadcast_rank *rank, const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "# rank %u: %s: %s (%d)\n", rank->number, what, torus_error_text(), ret);
	__atomic_store_n(&rank->shared->failed, true, __ATOMIC_SEQ_CST);
	_exit(1);
}

static void rank_open(struct broadcast_rank *rank, enum torus_route route)
{
	struct broadcast_shared *shared = rank->shared;
	const struct torus_attach_config attach = {
		.inject_chunks = RING, .receive_chunks = RING,
		.priority = route == TORUS_ROUTE_PRIORITY,
	};
	const struct torus_job_config job = { .key = KEY, .route = route };

	must(rank, "attach", torus_context_attach(&rank->context, FABRIC, rank->number, &attach));
	must(rank, "job", torus_job_open(&rank->job, rank->context, &job));
	rank->data = malloc(LENGTH);
	if (!rank->data)
		_exit(1);
	__atomic_fetch_add(&shared->attached, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&shared->attached, __ATOMIC_SEQ_CST) < (int)rank->count) {
		if (__atomic_load_n(&shared->failed, __ATOMIC_SEQ_CST))
			_exit(1);
		usleep(10000);
	}
}

static void rank_close(struct broadcast_rank *rank)
{
	must(rank, "flush", torus_message_flush(rank->job, WAIT_MS));
	must(rank, "barrier", torus_job_barrier(rank->job, WAIT_MS));
	must(rank, "flush", torus_message_flush(rank->job, WAIT_MS));
	torus_job_counts(rank->job, &rank->shared->counts[rank->number]);
	torus_job_close(rank->job);
	torus_context_detach(rank->context);
	_exit(0);
}

/*
 * Broadcast along the dimensions in @along. @at: the root's coordinates in these dimensions; in all
 * others the root has the coordinates of this rank.
 */
static void broadcast(struct broadcast_rank *rank, __u32 along, const __u32 at[3], __u32 length)
{
	const struct torus_ioc_info *info = torus_context_info(rank->context);
	__u32 coords[3], root, i;

	for (i = 0; i < 3; i++)
		coords[i] = along >> i & 1 ? at[i] % info->dims[i] : info->coords[i];
	must(rank, "locate", torus_node_locate(rank->context, coords, &root));
	memset(rank->data, 0, length);
	if (rank->number == root)
		fill(rank->data, root + along * 64, length);
	must(rank, "broadcast", torus_broadcast(rank->job, root, along, rank->data, length,
						WAIT_MS));
	if (right(rank->data, root + along * 64, length))
		return;
	fprintf(stderr, "# rank %u: bytes from rank %u are wrong\n", rank->number, root);
	_exit(1);
}

static void alltoall(struct broadcast_rank *rank, __u32 pacing)
{
	const struct torus_alltoall_config how = { .pacing = pacing };
	unsigned char *send = malloc(rank->count * PAIR);
	unsigned char *receive = calloc(rank->count, PAIR);
	__u32 i;

	if (!send || !receive)
		_exit(1);
	for (i = 0; i < rank->count; i++)
		fill(send + i * PAIR, (rank->number << 8 | i) ^ pacing << 16, PAIR);
	must(rank, "all-to-all", torus_alltoall(rank->job, send, receive, PAIR, &how, WAIT_MS));
	for (i = 0; i < rank->count; i++) {
		if (right(receive + i * PAIR, (i << 8 | rank->number) ^ pacing << 16, PAIR))
			continue;
		fprintf(stderr, "# rank %u: bytes from rank %u are wrong\n", rank->number, i);
		_exit(1);
	}
	free(send);
	free(receive);
}

FIXTURE(broadcast) {
	struct broadcast_shared *shared;
	double began;
};

FIXTURE_VARIANT(broadcast) {
	const char *shape;
	__u32 count;
};

FIXTURE_VARIANT_ADD(broadcast, plane) {
	.shape = "4x4x1",
	.count = 16,
};

FIXTURE_VARIANT_ADD(broadcast, mesh) {
	.shape = "4x4x1 mesh y",
	.count = 16,
};

FIXTURE_VARIANT_ADD(broadcast, cube) {
	.shape = "4x4x4",
	.count = 64,
};

FIXTURE_SETUP(broadcast)
{
	char words[128];

	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	snprintf(words, sizeof(words), "torusctl fabric add " FABRIC " arch bgl seed 5 shape %s",
		 variant->shape);
	ASSERT_EQ(0, system(words));
	ASSERT_EQ(0, system("torusctl link set " FABRIC " all 'all' ber 1e-6"));
	self->began = now_s();
}

FIXTURE_TEARDOWN(broadcast)
{
	EXPECT_EQ(0, system("torusctl fabric del " FABRIC));
	munmap(self->shared, sizeof(*self->shared));
}

/* Start @count processes that run @work. Return: the number of processes that failed. */
static int run(struct broadcast_shared *shared, __u32 count, enum torus_route route,
	       void (*work)(struct broadcast_rank *rank))
{
	pid_t pid[64];
	int failed = 0;
	__u32 i;

	shared->attached = 0;
	shared->failed = false;
	for (i = 0; i < count; i++) {
		struct broadcast_rank rank = { .shared = shared, .number = i, .count = count };

		pid[i] = start();
		if (pid[i])
			continue;
		rank_open(&rank, route);
		work(&rank);
		rank_close(&rank);
	}
	for (i = 0; i < count; i++)
		failed += status_of(pid[i]) != 0;
	return failed;
}

/* Run the broadcasts one after the other without a barrier between them. */
static void line_plane_cube(struct broadcast_rank *rank)
{
	static const __u32 roots[3][3] = { { 1, 2, 3 }, { 3, 0, 2 }, { 2, 1, 0 } };

	broadcast(rank, TORUS_BROADCAST_X, roots[0], LENGTH);
	broadcast(rank, TORUS_BROADCAST_Y, roots[1], 1);
	broadcast(rank, TORUS_BROADCAST_X | TORUS_BROADCAST_Y, roots[2], LENGTH);
	broadcast(rank, TORUS_BROADCAST_Y | TORUS_BROADCAST_Z, roots[0], 0);
	broadcast(rank, TORUS_BROADCAST_CUBE, roots[1], LENGTH);
}

TEST_F(broadcast, line_plane_and_cube_of_100_kb)
{
	const __u32 packets = (LENGTH + 4 + PAYLOAD - 1) / PAYLOAD;
	struct torus_fabric_counters counters;
	__u64 received = 0;
	__u32 i;

	ASSERT_EQ(0, run(self->shared, variant->count, TORUS_ROUTE_DYNAMIC, line_plane_cube));
	for (i = 0; i < variant->count; i++) {
		const struct torus_job_counts *counts = &self->shared->counts[i];

		received += counts->received_packets;
		EXPECT_EQ(5, counts->broadcasts);
		EXPECT_EQ(0, counts->rejected_duplicate);
		EXPECT_EQ(0, counts->rejected_key);
		EXPECT_EQ(0, counts->damaged);
	}
	/*
	 * Each rank except the root receives each packet once; each row and plane has its own root.
	 */
	EXPECT_LT((variant->count * 3 - variant->count / 4 - variant->count / 16 - 1) * packets,
		  received);
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_LT(0, counters.resends);
	EXPECT_EQ(0, counters.links_differ);
	EXPECT_EQ(0, counters.refused);
	TH_LOG("%s: %llu packets received, %llu sent again by the links", variant->shape,
	       received, counters.resends);
}

static void exchanges(struct broadcast_rank *rank)
{
	alltoall(rank, 0);
	alltoall(rank, 500);
}

TEST_F(broadcast, all_to_all_paced_and_unpaced)
{
	__u32 i;

	ASSERT_EQ(0, run(self->shared, variant->count, TORUS_ROUTE_DYNAMIC, exchanges));
	for (i = 0; i < variant->count; i++) {
		EXPECT_EQ(0, self->shared->counts[i].damaged);
		EXPECT_EQ(0, self->shared->counts[i].memory);
	}
}

static void some_plane(struct broadcast_rank *rank)
{
	static const __u32 root[3] = { 0, 3, 0 };

	broadcast(rank, TORUS_BROADCAST_X | TORUS_BROADCAST_Y, root, LENGTH / 10);
}

TEST_F(broadcast, plane_by_every_route)
{
	ASSERT_EQ(0, run(self->shared, variant->count, TORUS_ROUTE_ORDERED, some_plane));
	ASSERT_EQ(0, run(self->shared, variant->count, TORUS_ROUTE_PRIORITY, some_plane));
}

TEST_HARNESS_MAIN
