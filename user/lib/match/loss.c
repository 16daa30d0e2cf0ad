// SPDX-License-Identifier: GPL-2.0
/*
 * Report lost packets to their receivers, and repeat lost grants and credits.
 *
 * The kernel notifies the sender.  The report is a message of the same kind and number as the lost
 * one, without a head: match.h.  If the report is lost, too, it is repeated.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/virtual_time.h"
#include "../job/send_errors.h"
#include "loss.h"
#include "match.h"
#include "outgoing.h"

/* between reports, so that a path which loses all packets does not occupy sender and fabric */
#define PAUSE_NS	20000000ull

/* Undo at the sender the effects of a message that the receiver does not get. */
static void loss_undo(struct torus_match *match, struct match_peer *peer,
		      const struct flight *flight)
{
	const struct send_note *note = &flight->note;

	if (note->type == MATCH_EAGER && flight->first)
		torus_match_credited(peer, note->word[0]);
	else if (note->type == MATCH_ANNOUNCE)
		torus_match_announce_lost(match, peer, note->word[1]);
}

/* Check whether a packet is the first one of its message, or a report that this one is lost. */
static bool loss_of_head(const struct flight *flight)
{
	return flight->first && flight->note.type != MATCH_BROKEN;
}

static struct match_loss *loss_find(const struct torus_match *match, const struct flight *flight)
{
	struct match_loss *loss;

	for (loss = match->losses; loss; loss = loss->next)
		if (loss->rank == flight->peer->rank && loss->kind == flight->kind &&
		    loss->number == flight->number)
			return loss;
	return NULL;
}

/**
 * torus_match_lost() - note the loss of a packet
 * @match: the matching
 * @flight: the packet, whose receiver has not left; NULL: packets were lost, and it is not known
 *          which
 *
 * A later call of torus_match_progress() reports it.
 */
void torus_match_lost(struct torus_match *match, const struct flight *flight)
{
	struct match_peer *peer;
	struct match_loss *loss;

	if (!flight) {
		match->unsure = true;
		return;
	}
	peer = match->peers[flight->peer->rank];
	if (!peer)
		return;
	loss_undo(match, peer, flight);
	loss = loss_find(match, flight);
	if (loss) {
		loss->head |= loss_of_head(flight);
		return;
	}
	loss = malloc(sizeof(*loss));
	if (!loss) {
		match->unsure = true;
		return;
	}
	*loss = (struct match_loss){
		.rank = flight->peer->rank, .kind = flight->kind, .number = flight->number,
		.note = flight->note, .head = loss_of_head(flight),
	};
	if (match->losses)
		match->losses_last->next = loss;
	else
		match->losses = loss;
	match->losses_last = loss;
}

/**
 * torus_match_losses_report() - report the losses that were noted to the receivers
 * @match: the matching
 *
 * A loss that cannot be reported, because the receiver has left or no path leads to it, is dropped.
 */
void torus_match_losses_report(struct torus_match *match)
{
	__u64 now;

	if (!match->losses)
		return;
	now = torus_context_now_ns(match->job->context);
	if (now < match->losses_ns)
		return;
	match->losses_ns = now + PAUSE_NS;
	while (match->losses) {
		struct match_loss *loss = match->losses;

		if (torus_match_repeat(match, loss) == -ENOBUFS)
			return;
		match->losses = loss->next;
		free(loss);
	}
}

/**
 * torus_match_losses_free() - drop the losses that were noted
 * @match: the matching
 */
void torus_match_losses_free(struct torus_match *match)
{
	while (match->losses) {
		struct match_loss *loss = match->losses;

		match->losses = loss->next;
		free(loss);
	}
}
