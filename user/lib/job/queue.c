// SPDX-License-Identifier: GPL-2.0
/* The queues of messages to send, one per rank, and the list of ranks that have one. */
#include <stdlib.h>
#include "queue.h"

/**
 * torus_queue_activate() - let a rank take its turn after the others
 * @job: the job
 * @peer: the rank, with something to send
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
 * torus_queue_next() - take the rank whose turn it is out of those with something to send
 * @job: the job, which has one
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
 * torus_queue_done() - the first message to a rank is sent
 * @job: the job
 * @send: the message, which is freed unless the program has a handle on it
 */
void torus_queue_done(struct torus_job *job, struct torus_send *send)
{
	struct peer *peer = send->peer;

	peer->sends = send->next;
	send->peer = NULL;
	job->counts.sent_messages++;
	job->counts.sent_bytes += send->length;
	if (!send->owned)
		free(send);
}

/**
 * torus_queue_remove() - take a message out of its rank's queue
 * @job: the job, whose list the rank leaves if that was its only message
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
 * torus_send_fail() - nothing more is sent to a rank
 * @job: the job
 * @peer: the rank
 * @error: of the messages that were not sent, or not all of them
 */
void torus_send_fail(struct torus_job *job, struct peer *peer, int error)
{
	while (peer->sends) {
		struct torus_send *send = peer->sends;

		/* Its place in the list, then itself unless somebody holds it. */
		torus_queue_remove(job, send);
		send->peer = NULL;
		send->error = error;
		if (!send->owned)
			free(send);
	}
}
