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
 * torus_queue_done() - remove the first message of a rank's queue after its last packet is injected
 * @job: the job
 * @send: the message; freed unless the program has a handle on it
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
 * torus_send_fail() - remove all messages from a rank's queue, with an error
 * @job: the job
 * @peer: the rank
 * @error: error that the messages get
 */
void torus_send_fail(struct torus_job *job, struct peer *peer, int error)
{
	while (peer->sends) {
		struct torus_send *send = peer->sends;

		/* the program frees a message on which it has a handle */
		torus_queue_remove(job, send);
		send->peer = NULL;
		send->error = error;
		if (!send->owned)
			free(send);
	}
}
