// SPDX-License-Identifier: GPL-2.0
/* Queues of messages to send, one per rank, and the list of ranks whose queue is not empty. */
#include <stdlib.h>
#include "queue.h"

/**
 * torus_queue_activate() - append a rank to the list of ranks with a message
 * @job: the job
 * @peer: the rank
 */
void torus_queue_activate(struct torus_job *job, struct peer *peer)
{
	peer->active_next = NULL;
	if (job->active)
		job->active_last->active_next = peer;
	else
		job->active = peer;
	job->active_last = peer;
	job->active_count++;
}

/**
 * torus_queue_next() - remove the first rank from the list of ranks with a message
 * @job: the job, whose list is not empty
 *
 * Return: the rank.
 */
struct peer *torus_queue_next(struct torus_job *job)
{
	struct peer *peer = job->active;

	job->active = peer->active_next;
	job->active_count--;
	return peer;
}

/**
 * torus_queue_add() - append a message to its rank's queue
 * @job: the job
 * @send: the message; @send->peer is the rank
 *
 * Messages of KIND_BULK have a numbering of their own, so all other messages overtake them.
 */
void torus_queue_add(struct torus_job *job, struct torus_send *send)
{
	struct peer *peer = send->peer;
	bool plain = (send->kind & ~MSG_KIND_FLAGS) != KIND_BULK;
	struct torus_send *before = plain ? peer->sends_plain : peer->sends_last;
	bool first = !peer->sends;

	send->next = before ? before->next : peer->sends;
	if (before)
		before->next = send;
	else
		peer->sends = send;
	if (!send->next)
		peer->sends_last = send;
	if (plain)
		peer->sends_plain = send;
	if (first)
		torus_queue_activate(job, peer);
}

/*
 * Free a message that has left its queue, or notify its owner.  The program frees a message on
 * which it has a handle.
 */
static void send_end(struct torus_job *job, struct torus_send *send)
{
	if (send->ops)
		send->ops->end(job, send);
	else if (!send->owned)
		free(send);
}

/**
 * torus_queue_done() - remove the first message of a rank's queue after its last packet is injected
 * @job: the job
 * @send: the message, which may be freed
 */
void torus_queue_done(struct torus_job *job, struct torus_send *send)
{
	struct peer *peer = send->peer;

	peer->sends = send->next;
	if (!peer->sends)
		peer->sends_last = NULL;
	if (peer->sends_plain == send)
		peer->sends_plain = NULL;
	send->peer = NULL;
	job->counts.sent_messages++;
	job->counts.sent_bytes += send->length;
	send_end(job, send);
}

/**
 * torus_queue_remove() - remove a message from its rank's queue
 * @job: the job; if the rank's queue becomes empty, the rank leaves the list of ranks with a
 *       message
 * @send: the message
 */
void torus_queue_remove(struct torus_job *job, struct torus_send *send)
{
	struct torus_send **link, *last = NULL;
	struct peer *peer = send->peer, **active, *active_last = NULL;

	for (link = &peer->sends; *link != send; link = &(*link)->next)
		last = *link;
	*link = send->next;
	if (!send->next)
		peer->sends_last = last;
	if (peer->sends_plain == send)
		peer->sends_plain = last;
	if (peer->sends)
		return;
	for (active = &job->active; *active != peer; active = &(*active)->active_next)
		active_last = *active;
	*active = peer->active_next;
	if (!peer->active_next)
		job->active_last = active_last;
	job->active_count--;
}

/**
 * torus_queue_replace() - put a copy of a message into its place in the queue
 * @send: the message, which leaves the queue
 * @by: the copy
 */
void torus_queue_replace(const struct torus_send *send, struct torus_send *by)
{
	struct peer *peer = send->peer;
	struct torus_send **link;

	for (link = &peer->sends; *link != send; link = &(*link)->next)
		;
	*link = by;
	if (peer->sends_last == send)
		peer->sends_last = by;
	if (peer->sends_plain == send)
		peer->sends_plain = by;
}

/**
 * torus_send_fail() - remove all messages from a rank's queue, with an error
 * @job: the job
 * @peer: the rank
 * @error: error that the messages get
 */
void torus_send_fail(struct torus_job *job, struct peer *peer, int error)
{
	while (peer->sends) {
		struct torus_send *send = peer->sends;

		torus_queue_remove(job, send);
		send->peer = NULL;
		send->error = error;
		send_end(job, send);
	}
}
