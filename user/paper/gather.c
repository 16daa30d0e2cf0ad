// SPDX-License-Identifier: GPL-2.0
/*
 * Distribute the points of a figure over several processes. A figure's function simulates one point
 * after the other and evaluates the results. So the function is called in two rounds. In the first
 * round, each process simulates its own points and gets zeros for the points of other processes;
 * this evaluation is discarded. Then the first process receives all results. In the second round,
 * it calls the function again and simulates nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "../sim/base/memory.h"
#include "../sim/transport/marshal.h"
#include "../sim/transport/procs.h"
#include "gather.h"
#include "paper.h"

/* Message that ends the first round of a process, sent after its points. */
#define ROUND	(~0ull)		/* marks a struct round, in place of the number of a point */

struct round {
	s32 status;	/* exit status of the process in the first round */
	/*
	 * number of points that the process started, including those that other processes simulate
	 */
	u32 begun;
};

/* Header of a point's results, which follow the header. */
struct gather_head {
	u64 number;
	u64 bytes;
	double cpu_s;
};

enum rounds {
	ALONE,		/* there is only one process, which simulates all points */
	SIMULATING,
	KNOWN,
};

/**
 * struct gather - state of the distribution
 * @round: enum rounds
 * @begun: number of points started
 * @depth: nesting level in a point that this process simulates: 1 in the point itself, more in
 *    points of which that point consists
 * @cpu_s: first round: CPU time at which the point started; second round: CPU time of all
 *    points found
 * @own: messages with the results of this process
 * @all: messages with the results of all processes
 * @found: by point: its header in @all
 * @known: number of points in @found
 * @memory: available memory for a fabric, the same in all processes
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

/* Copy the results of a point that a process simulated in the first round. */
static int take_found(u32 number, void *found, size_t bytes)
{
	const char *at = number < gather.known ? gather.found[number] : NULL;
	struct gather_head head = { .bytes = ~0ull };

	if (at)
		memcpy(&head, at, sizeof(head));
	if (head.bytes != bytes)
		return sim_error("point %u of the figure differs from the point that the ranks "
				 "have simulated",
				 number);
	memcpy(found, at + sizeof(head), bytes);
	gather.cpu_s += head.cpu_s;
	return SIM_OK;
}

/**
 * paper_gather - get the result of a point that a process simulates, or has simulated
 * @found: [out] the result, or zeros as long as the result is not known; the result must not
 *    contain pointers
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
	struct gather_head head;

	if (gather.round != SIMULATING || --gather.depth || status)
		return status;
	head = (struct gather_head){ .number = gather.begun - 1, .bytes = bytes,
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
 * paper_cpu_s - get the CPU time used so far
 *
 * Return: seconds, including the CPU time of points that other processes simulated.
 */
double paper_cpu_s(void)
{
	return sim_cpu_s() + (gather.round == KNOWN ? gather.cpu_s : 0);
}

/**
 * paper_memory - get the memory that a fabric may use
 *
 * Return: bytes, the same in all processes.
 */
u64 paper_memory(void)
{
	return gather.round == ALONE ? sim_memory_available() : gather.memory;
}

/*
 * Copy the header at @at, of a point's results, to @head. Return: the position of the next header.
 */
static const char *next(const char *at, struct gather_head *head)
{
	memcpy(head, at, sizeof(*head));
	return at + sizeof(*head) + head->bytes;
}

/*
 * Find the process that failed at the point with the lowest number. A single process would have
 * failed at the same point. Return: its rank; ~0 if no process failed.
 */
static u32 find_failed(const char *all, size_t bytes, int *status)
{
	struct round round, first = { .begun = ~0u };
	u32 failed = ~0u, rank = 0;
	const char *at, *then;
	struct gather_head head;

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

/* Copy the results of all processes and build the index of points. */
static int keep_all(const char *all, size_t bytes)
{
	const char *at, *then;
	struct gather_head head;

	gather.all = malloc(bytes);
	gather.found = calloc(gather.begun + 1, sizeof(*gather.found));
	if (!gather.all || !gather.found)
		return sim_error("out of memory for all %u points of the figure", gather.begun);
	memcpy(gather.all, all, bytes);
	for (at = gather.all; at < gather.all + bytes; at = then) {
		then = next(at, &head);
		if (head.number < gather.begun)
			gather.found[head.number] = at;
	}
	return SIM_OK;
}

/*
 * Exchange the results between all processes; the first one keeps them. Return: exit status of
 * the first round.
 */
static int exchange_results(struct torus_procs *ranks, int status)
{
	const struct round round = { .status = status, .begun = gather.begun };
	const struct gather_head head = { .number = ROUND, .bytes = sizeof(round) };
	const char *all;
	size_t bytes;
	u32 failed;

	sim_buffer_add(&gather.own, &head, sizeof(head));
	sim_buffer_add(&gather.own, &round, sizeof(round));
	if (gather.own.failed) {
		sim_procs_hold(false);
		return sim_error("out of memory for %u points of the figure", gather.begun);
	}
	all = ranks->pass(ranks, gather.own.data, gather.own.used, &bytes);
	failed = find_failed(all, bytes, &status);
	if (!ranks->self && !status)
		status = keep_all(all, bytes);
	/*
	 * discard messages of points after the failed one, which a single process would not have
	 * started
	 */
	if (failed != ~0u && failed != ranks->self)
		sim_procs_forget();
	sim_procs_hold(false);
	sim_procs_report(true);
	return status;
}

/**
 * paper_gather_run - compute the numbers of a figure with all processes
 * @figure: [out] the results; with several processes only in the first one
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_gather_run(const struct paper_source *source, const struct paper_request *request,
		     struct paper_figure *figure)
{
	struct torus_procs *ranks = sim_procs();
	int status;

	if (!ranks)
		return source->run(source, request, figure);
	gather.memory = sim_procs_memory(sim_memory_available());
	gather.round = SIMULATING;
	sim_procs_hold(true);
	status = exchange_results(ranks, source->run(source, request, figure));
	/* a figure without points does not need the second round */
	if (!status && !ranks->self && gather.begun) {
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
