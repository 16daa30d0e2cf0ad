// SPDX-License-Identifier: GPL-2.0
/*
 * Send and receive the packets by which the processes of a job find each other: see wireup.h.
 * join.c repeats them until all processes have joined.
 */
#include <errno.h>
#include "../context/virtual_time.h"
#include "answer.h"
#include "check.h"
#include "job.h"
#include "peer.h"
#include "send_errors.h"
#include "wireup.h"

#define BODY_BYTES	12	/* three words */

/**
 * torus_wireup_send() - send a wire-up packet
 * @job: the job
 * @rank: rank of the receiver
 * @word: content of the packet
 * @to: incarnation of the receiver, 0 if it is not known
 *
 * The packet may be lost.  Callers repeat it, or treat a missing answer as a sign that the rank
 * does not run.
 *
 * Return: 0, -EAGAIN (no free space), -EHOSTUNREACH (no path), -ENOBUFS, -EIO, -ENODEV.
 */
int torus_wireup_send(struct torus_job *job, uint32_t rank, enum wireup_word word, uint32_t to)
{
	const struct msg_format *format = &job->format;
	struct wireup *wireup = &job->wireup;
	struct packet_fields fields = {
		.source = job->rank, .number = wireup->number + 1, .length = BODY_BYTES,
		.tag = word,
	};
	unsigned int chunks = torus_msg_chunks(format, BODY_BYTES, 0);
	unsigned char header[MSG_HEADER_MAX] = { 0 };
	unsigned char body[BODY_BYTES], trailer[MSG_TRAILER_MAX];
	struct peer *peer;
	int ret, fifo;

	ret = torus_job_peer(job, rank, &peer);
	if (ret)
		return ret;
	if (peer->blocked)
		return -EHOSTUNREACH;
	fifo = torus_send_fifo(job, peer, chunks, job->context->info.inject_fifos);
	if (fifo < 0)
		return fifo;
	wireup->number++;
	torus_send_error_log(job, fifo, &(struct flight) {
		.peer = peer, .number = fields.number, .packets = 1, .kind = KIND_WIREUP,
	});
	fields.kind = KIND_WIREUP | (peer->relayed ? KIND_RELAYED : 0);
	torus_store_be32(body, wireup->own);
	torus_store_be32(body + 4, to);
	torus_store_be32(body + 8, wireup->session);
	torus_msg_trailer_write(format, trailer,
				torus_message_crc(job, job->rank, rank, fields.number, word, body,
						  BODY_BYTES), word);
	torus_job_header(job, header, peer->header, chunks);
	torus_msg_header_write(format, header, &fields, torus_job_check(job, 0, rank));
	torus_msg_put(job->context, format, fifo, header, body, BODY_BYTES, trailer, 0);
	return 0;
}

static struct neighbour *wireup_find(struct wireup *wireup, uint32_t rank)
{
	uint32_t i;

	for (i = 0; i < wireup->count; i++)
		if (wireup->neighbours[i].rank == rank)
			return &wireup->neighbours[i];
	return NULL;
}

/* Schedule a packet to the neighbour at once, then its repetitions with growing pauses. */
static void neighbour_hurry(struct neighbour *neighbour)
{
	neighbour->due_ns = 0;
	neighbour->pause_ms = WIREUP_PAUSE_MS;
}

/* Check whether the subtrees of all children know the session. */
static bool wireup_known(const struct wireup *wireup)
{
	uint32_t i;

	for (i = wireup->above; i < wireup->count; i++)
		if (!wireup->neighbours[i].knows)
			return false;
	return true;
}

/* Schedule a report to the parent if the state of the subtree has changed. */
static void wireup_changed(struct wireup *wireup)
{
	if (wireup->above && wireup->neighbours->incarnation &&
	    torus_wireup_subtree_ready(wireup) != wireup->reported_ready)
		neighbour_hurry(wireup->neighbours);
}

/**
 * torus_wireup_go() - note that all members of the job know the session
 * @job: the job
 *
 * The parent has sent GO, or a rank that has received GO has sent a packet of the job.
 */
void torus_wireup_go(struct torus_job *job)
{
	struct wireup *wireup = &job->wireup;
	uint32_t i;

	if (wireup->go)
		return;
	wireup->go = true;
	for (i = 0; i < wireup->count; i++)
		if (i < wireup->above)
			wireup->neighbours[i].due_ns = WIREUP_NEVER;
		else
			neighbour_hurry(&wireup->neighbours[i]);
}

/*
 * If the subtrees of all children know the session, report that to the parent.  The root, which has
 * no parent, sends GO instead.
 */
static void wireup_go_first(struct torus_job *job)
{
	struct wireup *wireup = &job->wireup;

	if (!wireup_known(wireup))
		return;
	if (wireup->above)
		neighbour_hurry(wireup->neighbours);
	else
		torus_wireup_go(job);
}

/**
 * torus_wireup_begin() - set the session, with which packets of the job can be checked
 * @job: the job
 * @session: number of the session, not 0
 */
void torus_wireup_begin(struct torus_job *job, uint32_t session)
{
	struct wireup *wireup = &job->wireup;
	uint32_t i;

	wireup->session = session;
	wireup->begun = wireup->number;
	torus_job_seal(job, session);
	for (i = 0; i < wireup->count; i++)
		if (i < wireup->above)
			wireup->neighbours[i].due_ns = WIREUP_NEVER;
		else
			neighbour_hurry(&wireup->neighbours[i]);
	wireup_go_first(job);
}

/*
 * Answer a packet that does not contain our incarnation.  Its sender knows an older process of our
 * rank, or has just started.
 */
static int wireup_unknown_sender(struct torus_job *job, struct neighbour *neighbour, uint32_t from)
{
	struct wireup *wireup = &job->wireup;

	if (!wireup->session)
		return torus_wireup_send(job, neighbour->rank, WIREUP_HELLO, from);
	if (from == neighbour->incarnation)
		return 0;
	return torus_wireup_send(job, neighbour->rank, WIREUP_LATE, from);
}

/* Answer a child's packet after the session is known here. */
static int wireup_answer(struct torus_job *job, struct neighbour *neighbour, bool knows)
{
	struct wireup *wireup = &job->wireup;

	if (!knows)
		return torus_wireup_send(job, neighbour->rank, WIREUP_BEGIN,
					 neighbour->incarnation);
	if (wireup->go)
		return torus_wireup_send(job, neighbour->rank, WIREUP_GO, neighbour->incarnation);
	neighbour->knows = true;
	neighbour->due_ns = WIREUP_NEVER;
	wireup_go_first(job);
	return 0;
}

/*
 * Process a packet of a neighbour that knows our incarnation.  Return: 0 or as torus_wireup_send().
 */
static int wireup_receive(struct torus_job *job, struct neighbour *neighbour,
			  const struct packet_fields *fields, uint32_t from, uint32_t session)
{
	struct wireup *wireup = &job->wireup;
	bool above = torus_wireup_is_above(wireup, neighbour);
	bool fresh = from != neighbour->incarnation;

	if (fields->tag == WIREUP_LATE) {
		if (!wireup->late_ns)
			wireup->late_ns = torus_context_now_ns(job->context);
		wireup->late_rank = neighbour->rank;
		return 0;
	}
	/*
	 * The neighbour was restarted after the session began here: reject it.  Do not reject a
	 * child whose incarnation is not known yet: if this rank was restarted itself, it may have
	 * received BEGIN before it knew its children.
	 */
	if (fresh && wireup->session && (above || neighbour->incarnation))
		return torus_wireup_send(job, neighbour->rank, WIREUP_LATE, from);
	if (!fresh && (__s32)(fields->number - neighbour->last_number) <= 0)
		return 0;
	if (wireup->late_rank == neighbour->rank)
		wireup->late_ns = 0;
	neighbour->incarnation = from;
	neighbour->last_number = fields->number;
	if (above && fields->tag == WIREUP_BEGIN) {
		if (!wireup->session)
			torus_wireup_begin(job, session);
		return 0;
	}
	if (above && wireup->session) {
		if (fields->tag == WIREUP_GO && session == wireup->session)
			torus_wireup_go(job);
		return 0;
	}
	if (!above)
		neighbour->subtree_ready = fields->tag == WIREUP_SUBTREE_READY ||
					   fields->tag == WIREUP_KNOWN;
	if (wireup->session)
		return wireup_answer(job, neighbour, fields->tag == WIREUP_KNOWN &&
				     session == wireup->session);
	if (fresh && above)
		wireup->reported_ready = false;
	/* The neighbour sends HELLO until it receives its own incarnation from us. */
	if (fresh)
		neighbour_hurry(neighbour);
	wireup_changed(wireup);
	return 0;
}

/**
 * torus_wireup_accept() - process a wire-up packet
 * @job: the job
 * @view: the packet
 *
 * Return: 0, -ENOBUFS, -EIO, -ENODEV.
 */
int torus_wireup_accept(struct torus_job *job, const struct torus_view *view)
{
	unsigned char body[BODY_BYTES + MSG_TRAILER_MAX];
	struct wireup *wireup = &job->wireup;
	struct packet_fields fields;
	struct neighbour *neighbour;
	uint32_t from, to;
	int ret = 0;

	if (!torus_msg_header_read(&job->format, view, wireup->check, &fields)) {
		job->counts.strangers++;
		return 0;
	}
	if (fields.source >= job->config.count || fields.source == job->rank) {
		job->counts.rejected_source++;
		return 0;
	}
	if (fields.length != BODY_BYTES || fields.index ||
	    view->chunks != torus_msg_chunks(&job->format, BODY_BYTES, 0)) {
		job->counts.rejected_size++;
		return 0;
	}
	torus_view_copy(view, job->format.header_bytes, body,
			BODY_BYTES + job->format.trailer_bytes);
	fields.tag = torus_msg_tag(&job->format, body + BODY_BYTES, fields.tag);
	if (torus_load_be32(body + BODY_BYTES) !=
	    torus_message_crc(job, fields.source, job->rank, fields.number, fields.tag, body,
			      BODY_BYTES)) {
		job->counts.damaged++;
		return 0;
	}
	from = torus_load_be32(body);
	to = torus_load_be32(body + 4);
	neighbour = wireup_find(wireup, fields.source);
	if (fields.tag == WIREUP_PROBE)
		ret = torus_wireup_send(job, fields.source, WIREUP_ALIVE, from);
	else if (fields.tag == WIREUP_ALIVE)
		torus_liveness_receive(job, fields.source, to, torus_load_be32(body + 8));
	else if (!neighbour)
		job->counts.rejected_mismatch++;
	else if (to != wireup->own)
		ret = wireup_unknown_sender(job, neighbour, from);
	else
		ret = wireup_receive(job, neighbour, &fields, from, torus_load_be32(body + 8));
	/* If the answer cannot be sent now, the sender repeats its packet. */
	return ret == -EAGAIN || ret == -EHOSTUNREACH ? 0 : ret;
}
