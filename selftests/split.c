// SPDX-License-Identifier: GPL-2.0
/*
 * Sub-jobs of 8 processes on machines whose packets overtake each other (Blue Gene/L) and on one
 * with the narrow format (Cray XT): by parity, by rows, nested, with reversed keys, without a
 * color, and messages with equal tags in two jobs at the same time.
 */
#include <stdlib.h>
#include <torus/collective.h>
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC		"splittest"
#define KEY		0x5b117u
#define RANKS		8
#define TAG		3
#define WORDS		1000	/* of a message of many packets */
#define ROUNDS		20

static void must(__u32 node, const char *what, bool good)
{
	if (good)
		return;
	fprintf(stderr, "# rank %u: %s: %s\n", node, what, torus_error_text());
	_exit(1);
}

static struct torus_job *split(__u32 node, struct torus_job *job, int color, int key)
{
	struct torus_job *sub;

	must(node, "split", !torus_job_split(job, color, key, &sub, WAIT_MS) &&
	     !sub == (color < 0));
	return sub;
}

/* Sum of the nodes of a job's ranks. */
static __u32 sum(__u32 node, struct torus_job *job)
{
	__u32 all;

	must(node, "allreduce", !torus_allreduce(job, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &node,
						 &all, 1, WAIT_MS));
	return all;
}

/* Send a message to each other rank of a job; its words are @seed + node. */
static void send_all(__u32 node, struct torus_job *job, __u32 *words, __u32 seed)
{
	__u32 rank, i;

	for (i = 0; i < WORDS; i++)
		words[i] = seed + node;
	for (rank = 0; rank < torus_job_size(job); rank++)
		if (rank != torus_job_rank(job))
			must(node, "start", !torus_message_start(job, rank, TAG, words,
								 WORDS * sizeof(*words), NULL));
}

/* Receive the message of each other rank of a job. @nodes: node of each rank */
static void receive_all(__u32 node, struct torus_job *job, __u32 seed, const __u32 *nodes)
{
	__u32 words[WORDS], rank, i;

	for (rank = 0; rank < torus_job_size(job); rank++) {
		if (rank == torus_job_rank(job))
			continue;
		must(node, "receive", !torus_message_receive(job, rank, TAG, words, sizeof(words),
							     NULL, WAIT_MS));
		for (i = 0; i < WORDS; i++)
			must(node, "words", words[i] == seed + nodes[rank]);
	}
}

/* Both jobs exchange messages with the same tag at the same time. */
static void exchange(__u32 node, struct torus_job *job, struct torus_job *sub)
{
	static __u32 words[2][WORDS];
	__u32 nodes[RANKS], all[RANKS], i;

	for (i = 0; i < RANKS; i++)
		all[i] = i;
	for (i = 0; i < torus_job_size(sub); i++)
		nodes[torus_job_rank_at(sub, node % 2 + 2 * i)] = node % 2 + 2 * i;
	for (i = 0; i < ROUNDS; i++) {
		send_all(node, job, words[0], i * 1000);
		send_all(node, sub, words[1], i * 1000 + 500);
		receive_all(node, sub, i * 1000 + 500, nodes);
		receive_all(node, job, i * 1000, all);
		must(node, "flush", !torus_message_flush(sub, WAIT_MS) &&
		     !torus_message_flush(job, WAIT_MS));
	}
}

static void parity(__u32 node, struct torus_job *job)
{
	struct torus_job *sub = split(node, job, node % 2, 100 - (int)node);

	must(node, "size", torus_job_size(sub) == RANKS / 2);
	must(node, "rank", torus_job_rank(sub) == RANKS / 2 - 1 - node / 2);
	exchange(node, job, sub);
	must(node, "barrier", !torus_job_barrier(sub, WAIT_MS));
	torus_job_close(sub);
}

/* Dimension in which a node and its neighbour in a row differ, as TORUS_BROADCAST_*. */
static __u32 row_along(__u32 node, struct torus_context *context)
{
	__u32 here[TORUS_DIMS_MAX], there[TORUS_DIMS_MAX], dim = 0;

	must(node, "coordinates", !torus_node_coords(context, node, here) &&
	     !torus_node_coords(context, node ^ 1, there));
	while (here[dim] == there[dim])
		dim++;
	return 1u << dim;
}

static void rows(__u32 node, struct torus_job *job, __u32 along)
{
	struct torus_job *sub = split(node, job, node / 2, 0);
	__u32 in[2] = { node, node }, out[2], i;

	for (i = 0; i < ROUNDS; i++) {
		must(node, "row sum", sum(node, sub) == node / 2 * 4 + 1);
		must(node, "sum", sum(node, job) == 28);
	}
	must(node, "all-to-all", !torus_alltoall(sub, in, out, sizeof(*in), NULL, WAIT_MS) &&
	     out[0] == node / 2 * 2 && out[1] == node / 2 * 2 + 1);
	*in = torus_job_rank(sub) ? 0 : 77 + node;
	must(node, "broadcast", !torus_broadcast(sub, 0, along, in, sizeof(*in),
						 WAIT_MS) && *in == 77 + node / 2 * 2);
	must(node, "gather", !torus_gather(sub, 1, &node, out, sizeof(node), WAIT_MS));
	must(node, "scatter", !torus_scatter(sub, 1, out, in, sizeof(*in), WAIT_MS) &&
	     *in == node);
	must(node, "barrier", !torus_job_barrier(sub, WAIT_MS));
	torus_job_close(sub);
}

/* Nodes 0 to 5 in halves, of which only nodes 0, 2, 3 and 5 have a nested job, in reverse order. */
static void nested(__u32 node, struct torus_job *job)
{
	struct torus_job *sub = split(node, job, node < 6 ? (int)node / 3 : -1, 0), *inner = NULL;

	if (sub)
		inner = split(node, sub, node % 3 == 1 ? -1 : 9, -(int)node);
	/* the parent is closed first */
	torus_job_close(sub);
	if (inner) {
		must(node, "inner", torus_job_size(inner) == 2 &&
		     torus_job_rank(inner) == !(node % 3) &&
		     sum(node, inner) == node / 3 * 6 + 2);
		must(node, "inner barrier", !torus_job_barrier(inner, WAIT_MS));
	}
	torus_job_close(inner);
}

/* Do all of it in the process of a node. */
static void work(__u32 node)
{
	const struct torus_job_config config = { .key = KEY };
	struct torus_context *context;
	struct torus_job_counts counts;
	struct torus_job *job;

	must(node, "attach", !torus_context_attach(&context, FABRIC, node, NULL));
	must(node, "job", !torus_job_open(&job, context, &config));
	parity(node, job);
	rows(node, job, row_along(node, context));
	nested(node, job);
	must(node, "end", !torus_job_barrier(job, WAIT_MS) && !torus_message_flush(job, WAIT_MS));
	torus_job_counts(job, &counts);
	must(node, "memory", !counts.memory);
	torus_job_close(job);
	torus_context_detach(context);
	_exit(0);
}

FIXTURE(split) {
	int unused;
};

FIXTURE_VARIANT(split) {
	const char *machine;
	bool errors;
};

FIXTURE_VARIANT_ADD(split, bgl) {
	.machine = "bgl shape 2x2x2",
};

FIXTURE_VARIANT_ADD(split, bgl_with_errors) {
	.machine = "bgl shape 2x2x2 ber 1e-5",
	.errors = true,
};

FIXTURE_VARIANT_ADD(split, xt) {
	.machine = "xt shape 2x2x2",
};

FIXTURE_SETUP(split)
{
	char words[128];

	snprintf(words, sizeof(words), "torusctl fabric add " FABRIC " arch %s seed 5",
		 variant->machine);
	ASSERT_EQ(0, system(words));
}

FIXTURE_TEARDOWN(split)
{
	EXPECT_EQ(0, system("torusctl fabric del " FABRIC));
}

TEST_F(split, parity_rows_and_nested)
{
	struct torus_fabric_counters counters;
	pid_t pid[RANKS];
	__u32 node;

	for (node = 0; node < RANKS; node++) {
		pid[node] = start();
		if (!pid[node])
			work(node);
	}
	for (node = 0; node < RANKS; node++)
		EXPECT_EQ(0, status_of(pid[node]));
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(variant->errors, counters.crc_errors > 0);
	EXPECT_EQ(variant->errors, counters.resends > 0);
}

TEST_HARNESS_MAIN
