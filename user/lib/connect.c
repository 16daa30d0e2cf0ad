// SPDX-License-Identifier: GPL-2.0
/* The processes of a job find each other: see connect.h. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "assemble.h"
#include "clock.h"
#include "connect.h"
#include "error.h"
#include "inject.h"
#include "job.h"
#include "loss.h"
#include "probe.h"
#include "send.h"
#include "tree.h"
#include "wait.h"
#include "watch.h"

#define BODY_BYTES	12	/* three words */
#define PAUSE_FIRST_MS	1	/* between packets to the same neighbour, doubled each time */
#define PAUSE_SILENT_MS	100	/* up to this while it has not answered */
#define PAUSE_KNOWN_MS	1000	/* and to this when it has, and must have heard */
#define LAST_WORDS_MS	2000	/* of a limit more, when all are there */
#define LATE_MS		5000	/* a job with this key that began without us: given up then */
#define NEVER		(~0ull)

/* A number that no other process has drawn, as far as one can tell; not 0. */
static __u32 connect_draw(void)
{
	__u32 number = 0;
	struct timespec now;

	while (!number)
		if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number)) {
			clock_gettime(CLOCK_REALTIME, &now);
			number = (__u32)now.tv_nsec * 2654435761u ^ (__u32)now.tv_sec ^
				 (__u32)getpid() << 16;
		}
	return number;
}

/**
 * torus_connect_send() - one packet of those by which processes find each other
 * @job: the job
 * @rank: to whom
 * @word: what it says
 * @to: that process's incarnation, 0 if it is not known
 *
 * What goes there may be lost, and no way may lead there: it is repeated, or the
 * silence is an answer too.
 *
 * Return: 0, -EAGAIN (no room), -EHOSTUNREACH, -ENOBUFS, -EIO, -ENODEV.
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

static bool connect_is_above(const struct connect *connect, const struct neighbour *neighbour)
{
	return connect->above && neighbour == connect->neighbours;
}

/* Tell it something at once, and then again and again. */
static void neighbour_hurry(struct neighbour *neighbour)
{
	neighbour->due_ns = 0;
	neighbour->pause_ms = PAUSE_FIRST_MS;
}

/* Are all that are below this rank there? */
static bool connect_whole(const struct connect *connect)
{
	__u32 i;

	for (i = connect->above; i < connect->count; i++)
		if (!connect->neighbours[i].whole)
			return false;
	return true;
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

/* What has changed below is to be told above. */
static void connect_changed(struct connect *connect)
{
	if (connect->above && connect->neighbours->theirs &&
	    connect_whole(connect) != connect->told_whole)
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
			connect->neighbours[i].due_ns = NEVER;
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

/* The session is known: packets of the job can be understood. */
static void connect_begin(struct torus_job *job, __u32 session)
{
	struct connect *connect = &job->connect;
	__u32 i;

	connect->session = session;
	connect->begun = connect->number;
	torus_job_seal(job, session);
	for (i = 0; i < connect->count; i++)
		if (i < connect->above)
			connect->neighbours[i].due_ns = NEVER;
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
	neighbour->due_ns = NEVER;
	connect_go_first(job);
	return 0;
}

/* A neighbour that knows us has said something.  0 or as torus_connect_send(). */
static int connect_hear(struct torus_job *job, struct neighbour *neighbour,
			const struct packet_fields *fields, __u32 from, __u32 session)
{
	struct connect *connect = &job->connect;
	bool above = connect_is_above(connect, neighbour);
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
			connect_begin(job, session);
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
	/* Who gets no answer asks again. */
	return ret == -EAGAIN || ret == -EHOSTUNREACH ? 0 : ret;
}

/* What a neighbour is to be told now, whether it asks or not. */
static enum connect_word connect_say(const struct connect *connect,
				     const struct neighbour *neighbour)
{
	if (connect->session && connect_is_above(connect, neighbour))
		return CONNECT_KNOWN;
	if (connect->session)
		return connect->go ? CONNECT_GO : CONNECT_BEGIN;
	if (connect_is_above(connect, neighbour) && neighbour->theirs && connect_whole(connect))
		return CONNECT_WHOLE;
	return CONNECT_HELLO;
}

/* Must a neighbour be sent this word again, if nothing changes? */
static bool connect_repeats(struct connect *connect, const struct neighbour *neighbour,
			    enum connect_word word)
{
	bool again;

	/* BEGIN: a rank below repeats what it has said, unless it has left. */
	if (word == CONNECT_KNOWN || word == CONNECT_BEGIN)
		return true;
	if (word == CONNECT_GO)
		return false;
	if (!connect_is_above(connect, neighbour) || !neighbour->theirs)
		return !neighbour->theirs;
	again = word == CONNECT_WHOLE || connect->told_whole;
	connect->told_whole = word == CONNECT_WHOLE;
	return again;
}

/* And when. */
static void connect_again(struct connect *connect, struct neighbour *neighbour,
			  enum connect_word word, __u64 now)
{
	__u32 most = neighbour->theirs ? PAUSE_KNOWN_MS : PAUSE_SILENT_MS;

	if (!connect_repeats(connect, neighbour, word)) {
		neighbour->due_ns = NEVER;
		return;
	}
	if ((word == CONNECT_BEGIN || word == CONNECT_KNOWN) &&
	    neighbour->pause_ms < PAUSE_SILENT_MS)
		neighbour->pause_ms = PAUSE_SILENT_MS;
	neighbour->due_ns = now + neighbour->pause_ms * 1000000ull;
	neighbour->pause_ms = neighbour->pause_ms * 2 < most ? neighbour->pause_ms * 2 : most;
}

/*
 * May this rank's packets still be on their way?  Then none is repeated: a neighbour that has left
 * torus_job_open() need not receive, and packets that fill its reception FIFO stand in the way of
 * those that others wait for.  The pause is above the first after a word was sent.
 */
static bool connect_waits(struct torus_job *job, const struct neighbour *neighbour)
{
	return neighbour->pause_ms > PAUSE_FIRST_MS && job->context->notices &&
	       (!torus_inject_idle(job->context) || !torus_inject_ended(job->context));
}

/* Tell each neighbour what is due.  0, -ENOBUFS, -EIO, -ENODEV; @next: when to look again. */
static int connect_push(struct torus_job *job, __u64 now, __u64 *next)
{
	struct connect *connect = &job->connect;
	__u32 i;
	int ret;

	*next = NEVER;
	for (i = 0; i < connect->count; i++) {
		struct neighbour *neighbour = &connect->neighbours[i];
		enum connect_word word = connect_say(connect, neighbour);

		if (neighbour->due_ns <= now && connect_waits(job, neighbour)) {
			neighbour->due_ns = now + PAUSE_SILENT_MS * 1000000ull;
		} else if (neighbour->due_ns <= now) {
			ret = torus_connect_send(job, neighbour->rank, word, neighbour->theirs);
			if (ret && ret != -EAGAIN && ret != -EHOSTUNREACH)
				return ret;
			if (ret == -EAGAIN)
				neighbour->due_ns = now + PAUSE_FIRST_MS * 1000000ull;
			else
				connect_again(connect, neighbour, word, now);
		}
		if (neighbour->due_ns < *next)
			*next = neighbour->due_ns;
	}
	return torus_inject_publish(job->context);
}

/* Has all been said that must be, and has the kernel taken it?  1, 0, or an error. */
static int connect_over(struct torus_job *job)
{
	const struct connect *connect = &job->connect;
	__u32 i;

	if (!connect->go)
		return 0;
	for (i = 0; i < connect->count; i++)
		if (connect->neighbours[i].due_ns != NEVER)
			return 0;
	return torus_inject_idle(job->context);
}

/* All are there once the session is known: it is only the last words that are not out. */
static __u64 connect_end(const struct connect *connect, __u64 deadline)
{
	return deadline + (connect->session ? LAST_WORDS_MS * 1000000ull : 0);
}

/* Why it is given up: 0, or an error whose text is set. */
static int connect_fail(struct torus_job *job, __u64 now, __u64 deadline)
{
	const struct connect *connect = &job->connect;
	char where[TORUS_PLACE_MAX];

	if (connect->late_ns && now - connect->late_ns > LATE_MS * 1000000ull)
		return torus_error_set(-ECONNREFUSED,
				       "%s is in a job with key 0x%x that began with another "
				       "process as rank %u",
				       torus_job_place(job, connect->late_rank, where),
				       job->config.key, job->rank);
	/* Once all can go the job has begun: what follows reports who has left. */
	if (job->gone && !connect->go)
		return torus_loss_of(job, job->gone);
	if (!deadline || now < connect_end(connect, deadline))
		return 0;
	return torus_probe_explain(job, -ETIMEDOUT, "the job has not begun");
}

/**
 * torus_connect_open() - draw an incarnation, know the neighbours
 * @job: the job, with rank and map
 *
 * Return: 0, -ENOMEM, -EHOSTUNREACH.
 */
int torus_connect_open(struct torus_job *job)
{
	struct connect *connect = &job->connect;
	__u32 above, below, room = 1;
	int ret;

	connect->own = connect_draw();
	connect->check = torus_job_check(job, 0, job->rank);
	if (job->config.unconnected) {
		connect->go = true;
		connect->done = true;
		return 0;
	}
	if (job->map) {
		ret = torus_tree_build(job);
		if (ret)
			return ret;
	}
	above = torus_tree_above(job, job->rank);
	for (below = torus_tree_below(job, TORUS_RANK_NONE); below != TORUS_RANK_NONE;
	     below = torus_tree_below(job, below))
		room++;
	connect->neighbours = calloc(room, sizeof(*connect->neighbours));
	if (!connect->neighbours)
		return torus_error_set(-ENOMEM, "no memory for a job of %u", job->config.count);
	if (above != TORUS_RANK_NONE) {
		connect->above = 1;
		connect->neighbours[connect->count++].rank = above;
	}
	for (below = torus_tree_below(job, TORUS_RANK_NONE); below != TORUS_RANK_NONE;
	     below = torus_tree_below(job, below))
		connect->neighbours[connect->count++].rank = below;
	for (below = 0; below < connect->count; below++)
		connect->neighbours[below].pause_ms = PAUSE_FIRST_MS;
	return 0;
}

/**
 * torus_connect_wait() - wait until all members of the job are there
 * @job: the job, after torus_connect_open()
 * @timeout_ms: 0 or -1 without limit, else milliseconds
 *
 * Return: 0, -ETIMEDOUT (with who is missing), -ECONNREFUSED (a job with this key has
 * begun with another process as this rank), -ENOTCONN (a process has left meanwhile),
 * -EINTR, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_connect_wait(struct torus_job *job, int timeout_ms)
{
	struct connect *connect = &job->connect;
	__u64 now = torus_context_now_ns(job->context), next;
	__u64 deadline = timeout_ms > 0 ? now + timeout_ms * 1000000ull : 0;
	struct torus_waiter waiter;
	int ret, over;

	torus_waiter_init(&waiter, job->context, -1);
	while (!connect->done) {
		ret = torus_job_move(job);
		if (ret < 0)
			return ret;
		if (ret)
			torus_waiter_restart(&waiter);
		if (!connect->above && !connect->session && connect_whole(connect))
			connect_begin(job, connect_draw());
		now = torus_context_now_ns(job->context);
		ret = connect_push(job, now, &next);
		if (ret)
			return ret;
		over = connect_over(job);
		if (over < 0)
			return over;
		if (over || (connect->go && deadline && now >= deadline))
			break;
		ret = connect_fail(job, now, deadline);
		if (ret)
			return ret;
		if (next == NEVER || next > now + PAUSE_KNOWN_MS * 1000000ull)
			next = now + PAUSE_KNOWN_MS * 1000000ull;
		waiter.deadline_ns = next;
		if (deadline && connect_end(connect, deadline) < next)
			waiter.deadline_ns = connect_end(connect, deadline);
		ret = torus_waiter_step(&waiter, connect->session ? POLLIN | POLLOUT : POLLIN);
		if (ret == -EINTR)
			return torus_error_set(ret, "a signal came before all members of the job");
		if (ret && ret != -ETIMEDOUT)
			return ret;
	}
	connect->done = true;
	torus_watch_know(job);
	return 0;
}

/**
 * torus_connect_close() - free what is left
 * @job: the job
 */
void torus_connect_close(struct torus_job *job)
{
	free(job->connect.neighbours);
	job->connect.neighbours = NULL;
	job->connect.count = 0;
}
