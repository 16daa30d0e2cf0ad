// SPDX-License-Identifier: GPL-2.0
/*
 * Notice processes that have left, and end the operations that wait for them.
 *
 * Once a second, the library asks the kernel for the owners of the FIFO groups; this sends no
 * packet.  If the owner of a rank's group is missing or another one, the rank's process has left.
 * Its packets may still be under way.  They have arrived if the fabric was idle after a check that
 * missed the process, and the reception rings have been read since.  If the fabric is never idle,
 * some more seconds must pass without a packet from the rank.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/virtual_time.h"
#include "../job/member.h"
#include "../job/peer.h"
#include "../job/peer_exit.h"
#include "../job/send_errors.h"
#include "departure.h"
#include "incoming.h"
#include "match.h"
#include "outgoing.h"
#include "rank.h"
#include "receive_list.h"

#define PAUSE_NS	1000000000ull	/* between checks */
#define PAUSE_QUIET_NS	10000000ull	/* after a check that found the fabric idle */
/* further checks that must miss a process and its packets if the fabric is never idle */
#define MISSED_MAX	4

/* Check whether a rank has, or has had, a process: this one and dead nodes do not count. */
static bool rank_counts(const struct torus_job *job, uint32_t rank)
{
	return rank != job->rank && torus_job_member_alive(job, rank);
}

/*
 * Check whether a rank's process has left.  A process that has not attached yet is missing, too.
 * So it must have been attached at an earlier check, or have exchanged packets with this process.
 */
static bool rank_missing(struct torus_match *match, const struct holders *holders, uint32_t rank)
{
	struct torus_job *job = match->job;

	return rank_counts(job, rank) && !torus_holders_have(job, holders, rank) &&
	       (job->holders[rank] || match->peers[rank]);
}

/* End the operations of a rank whose process has left, after its packets have arrived. */
static void rank_leave(struct torus_match *match, uint32_t rank, struct match_peer *state)
{
	struct torus_job *job = match->job;
	struct peer *peer;
	uint32_t i;

	if (torus_job_peer(job, rank, &peer))
		return;
	torus_send_error_peer_left(job, peer, false);
	match->gone = job->gone;
	state->left = true;
	match->alone = true;
	for (i = 0; i < job->config.count; i++)
		if (rank_counts(job, i) && !(match->peers[i] && match->peers[i]->left))
			match->alone = false;
	torus_match_sends_gone(match);
	torus_match_arrivals_left(match, state);
	torus_match_receives_left(match, rank);
}

/*
 * Process a check that has missed a rank's process.  @idle: the fabric is idle.  Return: true if
 * the next check is to follow soon.
 */
static bool rank_missed(struct torus_match *match, uint32_t rank, bool idle)
{
	struct match_peer *state;

	if (torus_match_peer(match, rank, &state))
		return false;
	/* While memory_max is reached, packets of the rank may wait in the reception rings. */
	if (!state->missed || match->job->root->stuck || state->missed_packets != state->packets) {
		state->missed = 0;
		state->missed_packets = state->packets;
	} else if (state->quiet ? match->drained : state->missed >= MISSED_MAX) {
		rank_leave(match, rank, state);
		return false;
	}
	state->missed++;
	state->quiet |= idle;
	return state->quiet;
}

/* Return: true if the next check is to follow soon. */
static bool departures_check(struct torus_match *match, const struct holders *holders)
{
	struct torus_job *job = match->job;
	bool idle = false, asked = false, soon = false;
	uint32_t i;

	for (i = 0; i < job->config.count; i++) {
		if ((match->peers[i] && match->peers[i]->left) || !rank_missing(match, holders, i))
			continue;
		/* Only a fabric that is idle after this proves that the packets have arrived. */
		if (!asked)
			idle = job->context->ops->idle(job->context) > 0;
		asked = true;
		soon |= rank_missed(match, i, idle);
	}
	return soon;
}

/**
 * torus_match_departures() - notice processes that have left
 * @match: the matching
 *
 * Operations that wait for a process that has left end with -ENOTCONN.
 */
void torus_match_departures(struct torus_match *match)
{
	struct torus_job *job = match->job;
	__u64 now = torus_context_now_ns(job->context);
	struct holders holders;
	bool soon;

	if (now < match->check_ns && match->gone == job->gone)
		return;
	if (match->gone != job->gone)
		torus_match_sends_gone(match);
	match->gone = job->gone;
	soon = departures_check(match, torus_holders_ask(job, &holders) ? NULL : &holders);
	free(holders.of);
	match->check_ns = now + (soon ? PAUSE_QUIET_NS : PAUSE_NS);
}

/**
 * torus_match_left() - check whether the processes have left from which a receive accepts messages
 * @match: the matching
 * @source: rank of the sender, or TORUS_MATCH_ANY
 *
 * Return: true if so, and all their packets have arrived.
 */
bool torus_match_left(const struct torus_match *match, uint32_t source)
{
	if (source == TORUS_MATCH_ANY)
		return match->alone;
	return match->peers[source] && match->peers[source]->left;
}
