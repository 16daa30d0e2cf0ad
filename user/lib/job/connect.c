// SPDX-License-Identifier: GPL-2.0
/*
 * The packets by which the processes of a job find each other: see connect.h.  join.c repeats
 * them until all are there.
 */
#include <errno.h>
#include "../context/virtual_time.h"
#include "answer.h"
#include "check.h"
#include "connect.h"
#include "job.h"
#include "loss.h"
#include "peer.h"

#define BODY_BYTES	12	/* three words */

/**
 * torus_connect_send() - send a packet by which processes find each other
 * @job: the job
 * @rank: rank of the receiver
 * @word: contents of the packet
 * @to: incarnation of the receiver, 0 if it is not known
 *
 * The packet may be lost: callers repeat it, or take the missing answer for an answer.
 *
 * Return: 0, -EAGAIN (no free space), -EHOSTUNREACH (no path), -ENOBUFS, -EIO, -ENODEV.
 */
int torus_connect_send(struct torus_job *job, __u32 rank, enum connect_word word, __u32 to)
{
	const struct packet_form *form = &job->form;
	struct connect *connect = &job->connect;
	struct packet_fields fields = {
		.source = job->rank, .number = connect->number + 1, .length = BODY_BYTES,
		.tag = word,
	};
	unsigned int chunks = torus_form_chunks(form, BODY_BYTES, 0);
	unsigned char header[FORM_HEADER_MAX] = { 0 };
	unsigned char body[BODY_BYTES], trailer[FORM_TRAILER_MAX];
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
	connect->number++;
	torus_loss_log(job, fifo, peer, KIND_CONNECT, fields.number, 1);
	fields.kind = KIND_CONNECT | (peer->relayed ? KIND_RELAYED : 0);
	torus_store_be32(body, connect->own);
	torus_store_be32(body + 4, to);
	torus_store_be32(body + 8, connect->session);
	torus_form_trailer(form, trailer, torus_message_crc(job, job->rank, rank, fields.number,
							    word, body, BODY_BYTES), word);
	torus_job_header(job, header, peer->header, chunks);
	torus_form_write(form, header, &fields, torus_job_check(job, 0, rank));
	torus_form_put(job->context, form, fifo, header, body, BODY_BYTES, trailer, 0);
	return 0;
}

static struct neighbour *connect_find(struct connect *connect, __u32 rank)
{
	__u32 i;

	for (i = 0; i < connect->count; i++)
		if (connect->neighbours[i].rank == rank)
			return &connect->neighbours[i];
	return NULL;
}

/* Send a packet to the neighbour at once, then repeat it with growing pauses. */
static void neighbour_hurry(struct neighbour *neighbour)
{
	neighbour->due_ns = 0;
	neighbour->pause_ms = CONNECT_PAUSE_MS;
}

/* Do all that are below this rank know the session? */
static bool connect_known(const struct connect *connect)
{
	__u32 i;

	for (i = connect->above; i < connect->count; i++)
		if (!connect->neighbours[i].knows)
			return false;
	return true;
}

/* Report to the rank above that the state of a rank below has changed. */
static void connect_changed(struct connect *connect)
{
	if (connect->above && connect->neighbours->theirs &&
	    torus_connect_whole(connect) != connect->told_whole)
		neighbour_hurry(connect->neighbours);
}

/**
 * torus_connect_go() - all members of the job know the session
 * @job: the job
 *
 * The rank above has said so, or a rank that it has said so to has sent a packet of the job.
 */
void torus_connect_go(struct torus_job *job)
{
	struct connect *connect = &job->connect;
	__u32 i;

	if (connect->go)
		return;
	connect->go = true;
	for (i = 0; i < connect->count; i++)
		if (i < connect->above)
			connect->neighbours[i].due_ns = CONNECT_NEVER;
		else
			neighbour_hurry(&connect->neighbours[i]);
}

/* All ranks below know the session: report it to the rank above; the first rank sends GO. */
static void connect_go_first(struct torus_job *job)
{
	struct connect *connect = &job->connect;

	if (!connect_known(connect))
		return;
	if (connect->above)
		neighbour_hurry(connect->neighbours);
	else
		torus_connect_go(job);
}

/**
 * torus_connect_begin() - the session is known: packets of the job can be understood
 * @job: the job
 * @session: its number, not 0
 */
void torus_connect_begin(struct torus_job *job, __u32 session)
{
	struct connect *connect = &job->connect;
	__u32 i;

	connect->session = session;
	connect->begun = connect->number;
	torus_job_seal(job, session);
	for (i = 0; i < connect->count; i++)
		if (i < connect->above)
			connect->neighbours[i].due_ns = CONNECT_NEVER;
		else
			neighbour_hurry(&connect->neighbours[i]);
	connect_go_first(job);
}

/* A packet that does not know us: an older process's, or a newer one's first. */
static int connect_stranger(struct torus_job *job, struct neighbour *neighbour, __u32 from)
{
	struct connect *connect = &job->connect;

	if (!connect->session)
		return torus_connect_send(job, neighbour->rank, CONNECT_HELLO, from);
	if (from == neighbour->theirs)
		return 0;
	return torus_connect_send(job, neighbour->rank, CONNECT_LATE, from);
}

/* A rank below has said something after the session was known here. */
static int connect_answer(struct torus_job *job, struct neighbour *neighbour, bool knows)
{
	struct connect *connect = &job->connect;

	if (!knows)
		return torus_connect_send(job, neighbour->rank, CONNECT_BEGIN, neighbour->theirs);
	if (connect->go)
		return torus_connect_send(job, neighbour->rank, CONNECT_GO, neighbour->theirs);
	neighbour->knows = true;
	neighbour->due_ns = CONNECT_NEVER;
	connect_go_first(job);
	return 0;
}

/* A neighbour that knows us has said something.  0 or as torus_connect_send(). */
static int connect_hear(struct torus_job *job, struct neighbour *neighbour,
			const struct packet_fields *fields, __u32 from, __u32 session)
{
	struct connect *connect = &job->connect;
	bool above = torus_connect_is_above(connect, neighbour);
	bool fresh = from != neighbour->theirs;

	if (fields->tag == CONNECT_LATE) {
		if (!connect->late_ns)
			connect->late_ns = torus_context_now_ns(job->context);
		connect->late_rank = neighbour->rank;
		return 0;
	}
	/* A rank below that was started anew may have begun before it knew those below it. */
	if (fresh && connect->session && (above || neighbour->theirs))
		return torus_connect_send(job, neighbour->rank, CONNECT_LATE, from);
	if (!fresh && (__s32)(fields->number - neighbour->heard) <= 0)
		return 0;
	if (connect->late_rank == neighbour->rank)
		connect->late_ns = 0;
	neighbour->theirs = from;
	neighbour->heard = fields->number;
	if (above && fields->tag == CONNECT_BEGIN) {
		if (!connect->session)
			torus_connect_begin(job, session);
		return 0;
	}
	if (above && connect->session) {
		if (fields->tag == CONNECT_GO && session == connect->session)
			torus_connect_go(job);
		return 0;
	}
	if (!above)
		neighbour->whole = fields->tag == CONNECT_WHOLE || fields->tag == CONNECT_KNOWN;
	if (connect->session)
		return connect_answer(job, neighbour, fields->tag == CONNECT_KNOWN &&
				      session == connect->session);
	if (fresh && above)
		connect->told_whole = false;
	/* It must hear its own incarnation from us; until then it says HELLO. */
	if (fresh)
		neighbour_hurry(neighbour);
	connect_changed(connect);
	return 0;
}

/**
 * torus_connect_accept() - a packet has come by which a process looks for others
 * @job: the job
 * @view: the packet
 *
 * Return: 0, -ENOBUFS, -EIO, -ENODEV.
 */
int torus_connect_accept(struct torus_job *job, const struct torus_view *view)
{
	unsigned char body[BODY_BYTES + FORM_TRAILER_MAX];
	struct connect *connect = &job->connect;
	struct packet_fields fields;
	struct neighbour *neighbour;
	__u32 from, to;
	int ret = 0;

	if (!torus_form_read(&job->form, view, connect->check, &fields)) {
		job->counts.strangers++;
		return 0;
	}
	if (fields.source >= job->config.count || fields.source == job->rank) {
		job->counts.rejected_source++;
		return 0;
	}
	if (fields.length != BODY_BYTES || fields.index ||
	    view->chunks != torus_form_chunks(&job->form, BODY_BYTES, 0)) {
		job->counts.rejected_size++;
		return 0;
	}
	torus_view_copy(view, job->form.header_bytes, body, BODY_BYTES + job->form.trailer_bytes);
	fields.tag = torus_form_tag(&job->form, body + BODY_BYTES, fields.tag);
	if (torus_load_be32(body + BODY_BYTES) !=
	    torus_message_crc(job, fields.source, job->rank, fields.number, fields.tag, body,
			      BODY_BYTES)) {
		job->counts.damaged++;
		return 0;
	}
	from = torus_load_be32(body);
	to = torus_load_be32(body + 4);
	neighbour = connect_find(connect, fields.source);
	if (fields.tag == CONNECT_PROBE)
		ret = torus_connect_send(job, fields.source, CONNECT_ALIVE, from);
	else if (fields.tag == CONNECT_ALIVE)
		torus_probe_hear(job, fields.source, to, torus_load_be32(body + 8));
	else if (!neighbour)
		job->counts.rejected_mismatch++;
	else if (to != connect->own)
		ret = connect_stranger(job, neighbour, from);
	else
		ret = connect_hear(job, neighbour, &fields, from, torus_load_be32(body + 8));
	/* The sender repeats a packet that gets no answer. */
	return ret == -EAGAIN || ret == -EHOSTUNREACH ? 0 : ret;
}

