// SPDX-License-Identifier: GPL-2.0
/*
 * One rank of collect.sh: messages around a ring, gather, all-to-all and broadcast of 700 kB with a
 * memory_max of 1 MiB, ROUNDS times.
 *
 *	collect FABRIC NODE ROUNDS LIMIT_MS
 *
 * It prints how it has ended: "right", "wrong: ..." if bytes are others than were sent, or the
 * error's text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torus/collective.h>

#define LENGTH		700000u
#define RANKS		8u
#define MEMORY_MAX	(1024 * 1024)
#define TAG		7

enum { RIGHT, FAILED, WRONG };

static __u32 own;

static void check(int ret, const char *what, unsigned int round)
{
	if (!ret)
		return;
	printf("%u: %s %u: %s\n", own, what, round, torus_error_text());
	exit(FAILED);
}

/* The bytes that a rank sends another one in a round. */
static unsigned int content(unsigned int round, unsigned int from, unsigned int to, unsigned int i)
{
	return (i * 2654435761u >> 13) + 31 * round + 7 * from + 3 * to;
}

static void fill(unsigned char *bytes, unsigned int round, unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = 0; i < LENGTH; i++)
		bytes[i] = (unsigned char)content(round, from, to, i);
}

static void compare(const unsigned char *bytes, unsigned int round, unsigned int from,
		    unsigned int to, const char *what)
{
	unsigned int i;

	for (i = 0; i < LENGTH; i++)
		if (bytes[i] != (unsigned char)content(round, from, to, i)) {
			printf("%u: wrong: %s %u: byte %u from rank %u\n", own, what, round, i,
			       from);
			exit(WRONG);
		}
}

static void play(struct torus_job *job, unsigned int round, int limit_ms, unsigned char *from,
		 unsigned char *into)
{
	unsigned int next = (own + 1) % RANKS, last = (own + RANKS - 1) % RANKS, i;
	unsigned int root = round % RANKS;

	fill(from, round, own, next);
	check(torus_message_send(job, next, TAG, from, LENGTH), "send", round);
	check(torus_message_receive(job, (int)last, TAG, into, LENGTH, NULL, limit_ms), "receive",
	      round);
	compare(into, round, last, own, "receive");
	fill(from, round, own, root);
	check(torus_gather(job, root, from, into, LENGTH, limit_ms), "gather", round);
	for (i = 0; i < RANKS && own == root; i++)
		compare(into + (size_t)i * LENGTH, round, i, root, "gather");
	for (i = 0; i < RANKS; i++)
		fill(from + (size_t)i * LENGTH, round, own, i);
	check(torus_alltoall(job, from, into, LENGTH, NULL, limit_ms), "all-to-all", round);
	for (i = 0; i < RANKS; i++)
		compare(into + (size_t)i * LENGTH, round, i, own, "all-to-all");
	if (own == root)
		fill(into, round, root, RANKS);
	check(torus_broadcast(job, root, TORUS_BROADCAST_CUBE, into, LENGTH, limit_ms), "broadcast",
	      round);
	compare(into, round, root, RANKS, "broadcast");
}

int main(int argc, char **argv)
{
	const struct torus_job_config config = { .key = 0xc011ec7, .memory_max = MEMORY_MAX };
	unsigned char *from = malloc(RANKS * LENGTH), *into = malloc(RANKS * LENGTH);
	unsigned int round, rounds = argc > 3 ? (unsigned int)atoi(argv[3]) : 0;
	int limit_ms = argc > 4 ? atoi(argv[4]) : -1;
	struct torus_context *context;
	struct torus_job *job;

	if (argc != 5 || !from || !into)
		return 2;
	own = (__u32)atoi(argv[2]);
	check(torus_context_attach(&context, argv[1], own, NULL), "attach", 0);
	check(torus_job_open(&job, context, &config), "open", 0);
	for (round = 0; round < rounds; round++)
		play(job, round, limit_ms, from, into);
	check(torus_job_barrier(job, limit_ms), "barrier", round);
	check(torus_message_flush(job, limit_ms), "flush", round);
	printf("%u: right\n", own);
	torus_job_close(job);
	torus_context_detach(context);
	free(from);
	free(into);
	return RIGHT;
}
