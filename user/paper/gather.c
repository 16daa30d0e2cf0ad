// SPDX-License-Identifier: GPL-2.0
/*
 * The points of a figure that several processes simulate.  A figure simulates one point after the
 * other and evaluates the results, so it is called twice.  In the first round each process
 * simulates its own points and gets zeros for those of the others; this evaluation is discarded.
 * Then the first process, which has received all results, calls the figure again, and simulates
 * nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "../sim/base/memory.h"
#include "../sim/transport/marshal.h"
#include "../sim/transport/procs.h"
#include "gather.h"
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
	SIMULATING,
	KNOWN,
};

/**
 * struct gather - the points of the figure
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
} gather;

/* Found by another rank, or by this one in the first round. */
static int take_found(u32 number, void *found, size_t bytes)
{
	const char *at = number < gather.known ? gather.found[number] : NULL;
	struct found head = { .bytes = ~0ull };

	if (at)
		memcpy(&head, at, sizeof(head));
	if (head.bytes != bytes)
		return sim_error("point %u of the figure is not what the ranks have simulated",
				 number);
	memcpy(found, at + sizeof(head), bytes);
	gather.cpu_s += head.cpu_s;
	return SIM_OK;
}

/**
 * paper_gather - get the result of a point that another process simulates, or has simulated
 * @found: [out] the result, or zeros while it is not known; plain values without pointers
 * @bytes: size of the result
 * @status: [out] SIM_OK, or the exit status
 *
 * Return: false if the caller must simulate the point and call paper_gather_keep().
 */
bool paper_gather(void *found, size_t bytes, int *status)
{
	u32 number = gather.begun;

	*status = SIM_OK;
	if (gather.round == ALONE)
		return false;
	if (gather.round == SIMULATING && gather.depth) {
		gather.depth++;
		return false;
	}
	gather.begun++;
	if (gather.round == KNOWN) {
		*status = take_found(number, found, bytes);
		return true;
	}
	if (!sim_point_is_local(number)) {
		memset(found, 0, bytes);
		return true;
	}
	sim_procs_beat();
	gather.depth = 1;
	gather.cpu_s = sim_cpu_s();
	return false;
}

/**
 * paper_gather_keep - keep the result of a point that this process has simulated
 * @found: the result
 * @bytes: size of the result
 * @status: SIM_OK, or the exit status
 *
 * Return: @status.
 */
int paper_gather_keep(const void *found, size_t bytes, int status)
{
	struct found head;

	if (gather.round != SIMULATING || --gather.depth || status)
		return status;
	head = (struct found){ .number = gather.begun - 1, .bytes = bytes,
			       .cpu_s = sim_cpu_s() - gather.cpu_s };
	sim_buffer_add(&gather.own, &head, sizeof(head));
	sim_buffer_add(&gather.own, found, bytes);
	return SIM_OK;
}

/**
 * paper_gather_blank - check whether results may be zeros
 *
 * Return: true in the first of two rounds, whose evaluation must not be reported.
 */
bool paper_gather_blank(void)
{
	return gather.round == SIMULATING;
}

/**
 * paper_cpu_s - seconds of processors that were taken so far
 *
 * Return: them, with those of points that other ranks have simulated.
 */
double paper_cpu_s(void)
{
	return sim_cpu_s() + (gather.round == KNOWN ? gather.cpu_s : 0);
}

/**
 * paper_memory - memory that a machine may take
 *
 * Return: bytes, the same in all ranks.
 */
u64 paper_memory(void)
{
	return gather.round == ALONE ? sim_memory_available() : gather.memory;
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

	gather.all = malloc(bytes);
	gather.found = calloc(gather.begun + 1, sizeof(*gather.found));
	if (!gather.all || !gather.found)
		return sim_error("no memory for all %u points of the figure", gather.begun);
	memcpy(gather.all, all, bytes);
	for (at = gather.all; at < gather.all + bytes; at = then) {
		then = next(at, &head);
		if (head.number < gather.begun)
			gather.found[head.number] = at;
	}
	return SIM_OK;
}

/* All ranks get what each has found; the first keeps it.  How the first round ended. */
static int exchange_results(struct torus_ranks *ranks, int status)
{
	const struct round round = { .status = status, .begun = gather.begun };
	const struct found head = { .number = ROUND, .bytes = sizeof(round) };
	const char *all;
	size_t bytes;
	u32 failed;

	sim_buffer_add(&gather.own, &head, sizeof(head));
	sim_buffer_add(&gather.own, &round, sizeof(round));
	if (gather.own.failed) {
		sim_procs_hold(false);
		return sim_error("no memory for %u points of the figure", gather.begun);
	}
	all = ranks->pass(ranks, gather.own.data, gather.own.used, &bytes);
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
 * paper_gather_run - compute the numbers of a figure by all processes
 * @source: which figure
 * @request: how it was asked for
 * @figure: gets it, of several ranks in the first alone
 *
 * Return: SIM_OK, or how the call is to end after telling why.
 */
int paper_gather_run(const struct paper_source *source, const struct paper_request *request,
		     struct paper_figure *figure)
{
	struct torus_ranks *ranks = sim_procs();
	int status;

	if (!ranks)
		return source->run(source, request, figure);
	gather.memory = sim_procs_memory(sim_memory_available());
	gather.round = SIMULATING;
	sim_procs_hold(true);
	status = exchange_results(ranks, source->run(source, request, figure));
	/* a figure without points is whole in each */
	if (!status && !ranks->rank && gather.begun) {
		gather.round = KNOWN;
		gather.known = gather.begun;
		gather.begun = 0;
		gather.cpu_s = 0;
		memset(figure, 0, sizeof(*figure));
		status = source->run(source, request, figure);
	}
	gather.round = ALONE;
	free(gather.own.data);
	free(gather.found);
	free(gather.all);
	return status;
}
