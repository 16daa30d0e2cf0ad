// SPDX-License-Identifier: GPL-2.0
/*
 * The points of a figure, dealt out to ranks.  A figure simulates one point after the other and
 * judges what it has found, so it is called twice.  In the first round each rank simulates its own
 * points and finds zeros in those of the others; what comes of that is thrown away.  Then the first
 * rank, which has got what all have found, goes through the figure again, and simulates nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "../sim/base/memory.h"
#include "../sim/transport/marshal.h"
#include "../sim/transport/procs.h"
#include "dealt.h"
#include "paper.h"

/* What a rank says of its first round, behind its points. */
#define ROUND	(~0ull)		/* in the place of a point's number */

struct round {
	s32 status;	/* how it ended */
	u32 begun;	/* points that it came to, its own and the others' */
};

/* A point, in front of what was found. */
struct found {
	u64 number;
	u64 bytes;
	double cpu_s;
};

enum rounds {
	ALONE,		/* there are no other ranks: all is simulated where it is asked for */
	DEALING,
	KNOWN,
};

/**
 * struct dealt - the points of the figure
 * @round: enum rounds
 * @begun: points that were come to
 * @depth: within a point of this rank, and within those of which it consists
 * @cpu_s: seconds of processors: when the point began; of those that were found
 * @own: what this rank has found
 * @all: what all have
 * @found: where in it each point is
 * @known: how many points there are
 * @memory: what a machine of these has for each of its ranks
 */
static struct {
	enum rounds round;
	u32 begun;
	u32 depth;
	double cpu_s;
	struct sim_buffer own;
	char *all;
	const char **found;
	u32 known;
	u64 memory;
} dealt;

/* Found by another rank, or by this one in the first round. */
static int take_found(u32 number, void *found, size_t bytes)
{
	const char *at = number < dealt.known ? dealt.found[number] : NULL;
	struct found head = { .bytes = ~0ull };

	if (at)
		memcpy(&head, at, sizeof(head));
	if (head.bytes != bytes)
		return sim_error("point %u of the figure is not what the ranks have simulated",
				 number);
	memcpy(found, at + sizeof(head), bytes);
	dealt.cpu_s += head.cpu_s;
	return SIM_OK;
}

/**
 * paper_dealt - is a point another rank's, or known?
 * @found: gets what is known of it, else zeros: plain values, of this program in any process
 * @bytes: its size
 * @status: gets SIM_OK, or how the call is to end
 *
 * Return: true if so; else it is to be simulated here, and paper_dealt_keep() to be told.
 */
bool paper_dealt(void *found, size_t bytes, int *status)
{
	u32 number = dealt.begun;

	*status = SIM_OK;
	if (dealt.round == ALONE)
		return false;
	if (dealt.round == DEALING && dealt.depth) {
		dealt.depth++;
		return false;
	}
	dealt.begun++;
	if (dealt.round == KNOWN) {
		*status = take_found(number, found, bytes);
		return true;
	}
	if (!sim_point_is_local(number)) {
		memset(found, 0, bytes);
		return true;
	}
	sim_procs_beat();
	dealt.depth = 1;
	dealt.cpu_s = sim_cpu_s();
	return false;
}

/**
 * paper_dealt_keep - a point has been simulated here
 * @found: what was found
 * @bytes: its size
 * @status: SIM_OK, or how the call is to end
 *
 * Return: @status.
 */
int paper_dealt_keep(const void *found, size_t bytes, int status)
{
	struct found head;

	if (dealt.round != DEALING || --dealt.depth || status)
		return status;
	head = (struct found){ .number = dealt.begun - 1, .bytes = bytes,
			       .cpu_s = sim_cpu_s() - dealt.cpu_s };
	sim_buffer_add(&dealt.own, &head, sizeof(head));
	sim_buffer_add(&dealt.own, found, bytes);
	return SIM_OK;
}

/**
 * paper_dealt_blank - may what was found be zeros?
 *
 * Return: true in the first of two rounds, of which nothing is to be told.
 */
bool paper_dealt_blank(void)
{
	return dealt.round == DEALING;
}

/**
 * paper_cpu_s - seconds of processors that were taken so far
 *
 * Return: them, with those of points that other ranks have simulated.
 */
double paper_cpu_s(void)
{
	return sim_cpu_s() + (dealt.round == KNOWN ? dealt.cpu_s : 0);
}

/**
 * paper_memory - memory that a machine may take
 *
 * Return: bytes, the same in all ranks.
 */
u64 paper_memory(void)
{
	return dealt.round == ALONE ? sim_memory_available() : dealt.memory;
}

/* The next of what all ranks have found, or how the next rank's round ended. */
static const char *next(const char *at, struct found *head)
{
	memcpy(head, at, sizeof(*head));
	return at + sizeof(*head) + head->bytes;
}

/*
 * The rank by whose round the figure would have ended first had it been simulated by one; ~0 if
 * there is none.
 */
static u32 find_failed(const char *all, size_t bytes, int *status)
{
	struct round round, first = { .begun = ~0u };
	u32 failed = ~0u, rank = 0;
	const char *at, *then;
	struct found head;

	*status = SIM_OK;
	for (at = all; at < all + bytes; at = then) {
		then = next(at, &head);
		if (head.number != ROUND)
			continue;
		memcpy(&round, at + sizeof(head), sizeof(round));
		if (round.status && round.begun < first.begun) {
			first = round;
			failed = rank;
			*status = round.status;
		}
		rank++;
	}
	return failed;
}

/* Where each point is, in a copy of what all have found. */
static int keep_all(const char *all, size_t bytes)
{
	const char *at, *then;
	struct found head;

	dealt.all = malloc(bytes);
	dealt.found = calloc(dealt.begun + 1, sizeof(*dealt.found));
	if (!dealt.all || !dealt.found)
		return sim_error("no memory for all %u points of the figure", dealt.begun);
	memcpy(dealt.all, all, bytes);
	for (at = dealt.all; at < dealt.all + bytes; at = then) {
		then = next(at, &head);
		if (head.number < dealt.begun)
			dealt.found[head.number] = at;
	}
	return SIM_OK;
}

/* All ranks get what each has found; the first keeps it.  How the first round ended. */
static int gather(struct torus_ranks *ranks, int status)
{
	const struct round round = { .status = status, .begun = dealt.begun };
	const struct found head = { .number = ROUND, .bytes = sizeof(round) };
	const char *all;
	size_t bytes;
	u32 failed;

	sim_buffer_add(&dealt.own, &head, sizeof(head));
	sim_buffer_add(&dealt.own, &round, sizeof(round));
	if (dealt.own.failed) {
		sim_procs_hold(false);
		return sim_error("no memory for %u points of the figure", dealt.begun);
	}
	all = ranks->pass(ranks, dealt.own.data, dealt.own.used, &bytes);
	failed = find_failed(all, bytes, &status);
	if (!ranks->rank && !status)
		status = keep_all(all, bytes);
	/* what others have told of points behind that one, one process would not have come to */
	if (failed != ~0u && failed != ranks->rank)
		sim_procs_forget();
	sim_procs_hold(false);
	sim_procs_report(true);
	return status;
}

/**
 * paper_dealt_run - find a figure's numbers, by all ranks
 * @source: which figure
 * @request: how it was asked for
 * @figure: gets it, of several ranks in the first alone
 *
 * Return: SIM_OK, or how the call is to end after telling why.
 */
int paper_dealt_run(const struct paper_source *source, const struct paper_request *request,
		    struct paper_figure *figure)
{
	struct torus_ranks *ranks = sim_procs();
	int status;

	if (!ranks)
		return source->run(source, request, figure);
	dealt.memory = sim_procs_memory(sim_memory_available());
	dealt.round = DEALING;
	sim_procs_hold(true);
	status = gather(ranks, source->run(source, request, figure));
	/* a figure without points is whole in each */
	if (!status && !ranks->rank && dealt.begun) {
		dealt.round = KNOWN;
		dealt.known = dealt.begun;
		dealt.begun = 0;
		dealt.cpu_s = 0;
		memset(figure, 0, sizeof(*figure));
		status = source->run(source, request, figure);
	}
	dealt.round = ALONE;
	free(dealt.own.data);
	free(dealt.found);
	free(dealt.all);
	return status;
}
