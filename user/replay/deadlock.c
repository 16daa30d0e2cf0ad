// SPDX-License-Identifier: GPL-2.0
/* Explain a deadlock of the application: find the rank for which each rank waits. */
#include <stdio.h>

#include "run.h"
#include "deadlock.h"

/*
 * Return the slot of a rank's first request that has not ended. Return TORUS_NONE if there is none.
 */
static u32 first_open(const struct replay_rank *rank)
{
	u32 i;

	for (i = 0; i < rank->nrequests; i++)
		if (!rank->match.done[rank->requests[i]])
			return rank->requests[i];
	return TORUS_NONE;
}

/* Return the posted receive that belongs to a slot; NULL if there is none. */
static const struct replay_posted *posted_in(const struct replay_rank *rank, u32 slot)
{
	u32 i;

	for (i = 0; i < rank->match.nposted; i++)
		if (rank->match.posted[i].slot == slot)
			return &rank->match.posted[i];
	return NULL;
}

/* Return the receive for which a rank waits; NULL if the rank waits for something else. */
static const struct replay_posted *find_receive(const struct replay_rank *rank)
{
	const struct replay_op *op;

	if (rank->result.at == rank->program->count)
		return posted_in(rank, first_open(rank));
	op = replay_rank_op(rank);
	switch (op->kind) {
	case REPLAY_RECV:
	case REPLAY_WAIT:
		return posted_in(rank, op->slot);
	case REPLAY_WAITALL:
		return posted_in(rank, first_open(rank));
	default:
		return NULL;
	}
}

/**
 * replay_deadlock_note - record for which receive each rank of this process waits
 * @app: all ranks, none of which can continue
 */
void replay_deadlock_note(struct replay_ranks *app)
{
	const struct replay_posted *posted;
	u32 i;

	for (i = 0; i < app->job->size; i++) {
		struct replay_rank *rank = &app->ranks[i];

		posted = rank->here && !rank->result.ended ? find_receive(rank) : NULL;
		rank->result.receives = posted;
		if (posted)
			rank->result.receive = *posted;
	}
}

/* Return the receive that replay_deadlock_note() recorded for a rank; NULL if there is none. */
static const struct replay_posted *waits_in(const struct replay_rank *rank)
{
	return rank->result.receives ? &rank->result.receive : NULL;
}

/*
 * Return a rank that has not reached the collective operation in which this rank waits;
 * TORUS_NONE if there is none.
 */
static u32 missing(const struct replay_ranks *app, const struct replay_op *op)
{
	u32 i;

	for (i = 0; i < app->job->size; i++) {
		const struct replay_rank *rank = &app->ranks[i];

		if (rank->result.ended || rank->result.at == rank->program->count ||
		    replay_rank_op(rank)->kind != op->kind)
			return i;
	}
	return TORUS_NONE;
}

/**
 * replay_waits_for - find the rank for which a rank waits
 *
 * Return: the other rank; TORUS_NONE if the rank has ended, waits for any rank, or waits for an
 * unknown rank.
 */
u32 replay_waits_for(const struct replay_ranks *app, u32 number)
{
	const struct replay_rank *rank = &app->ranks[number];
	const struct replay_posted *posted;

	if (rank->result.ended)
		return TORUS_NONE;
	posted = waits_in(rank);
	if (posted)
		return posted->src;
	if (rank->result.at == rank->program->count)
		return TORUS_NONE;
	return missing(app, replay_rank_op(rank));
}

/**
 * replay_deadlock_text - describe the wait of a rank
 * @text: [out] the description
 * @size: bytes of @text
 */
void replay_deadlock_text(const struct replay_ranks *app, u32 number, char *text, size_t size)
{
	const struct replay_rank *rank = &app->ranks[number];
	const struct replay_posted *posted = waits_in(rank);
	u32 other = replay_waits_for(app, number);
	char whom[48] = "any rank";
	char where[32] = "at its end";
	const char *what = "wait";

	if (rank->result.at < rank->program->count) {
		const struct replay_op *op = replay_rank_op(rank);

		what = replay_kind_name((enum replay_kind)op->kind);
		snprintf(where, sizeof(where), "in line %u", op->line);
	}
	if (other != TORUS_NONE)
		snprintf(whom, sizeof(whom), "rank %u%s", other,
			 app->ranks[other].result.ended ? ", which has ended" : "");
	if (posted)
		scnprintf(text, size, "rank %u waits in %s %s for a message of %s, tag %u", number,
			  what, where, whom, posted->tag);
	else
		scnprintf(text, size, "rank %u waits in %s %s for %s", number, what, where, whom);
}

/* Follow the waits from rank @start until the ranks form a cycle, and store the cycle. */
static void find_cycle(const struct replay_ranks *app, u32 start, struct replay_result *result)
{
	u32 slow = start;
	u32 fast = start;
	u32 at;

	/*
	 * Floyd's algorithm: one pointer moves by one step, the other by two. Both pointers meet on
	 * a cycle.
	 */
	do {
		u32 i;

		slow = replay_waits_for(app, slow);
		for (i = 0; i < 2 && fast != TORUS_NONE; i++)
			fast = replay_waits_for(app, fast);
		if (fast == TORUS_NONE)
			return;
	} while (slow != fast);
	at = slow;
	do {
		if (result->ncycle < REPLAY_NAMED_MAX)
			result->cycle[result->ncycle] = at;
		result->ncycle++;
		at = replay_waits_for(app, at);
	} while (at != slow);
}

/**
 * replay_deadlock - find the ranks that wait, and a cycle of such ranks if there is one
 * @app: all ranks, after replay_deadlock_note() in each process
 * @result: [in, out] results of the replay; the waiting ranks and the cycle are set
 */
void replay_deadlock(const struct replay_ranks *app, struct replay_result *result)
{
	u32 first = TORUS_NONE;
	u32 i;

	for (i = 0; i < app->job->size; i++) {
		if (app->ranks[i].result.ended)
			continue;
		first = first == TORUS_NONE ? i : first;
		result->waiting++;
		if (result->nwaiters < REPLAY_NAMED_MAX)
			result->waiters[result->nwaiters++] = i;
	}
	if (first != TORUS_NONE)
		find_cycle(app, first, result);
}
