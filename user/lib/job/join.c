// SPDX-License-Identifier: GPL-2.0
/* Wait until all processes of a job have joined it; connect.c has the packets. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "../context/virtual_time.h"
#include "../context/wait.h"
#include "check.h"
#include "connect.h"
#include "join.h"
#include "loss.h"
#include "member.h"
#include "move.h"
#include "probe.h"
#include "tree.h"
#include "watch.h"

#define PAUSE_SILENT_MS	100	/* longest pause before its first answer */
#define PAUSE_KNOWN_MS	1000	/* longest pause after an answer */
#define LAST_WORDS_MS	2000	/* after the time limit, if all have joined */
#define LATE_MS		5000	/* then give up a job of this key that began without this rank */

/* Draw a number, not 0, that is very unlikely to be that of another process. */
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

/* Choose the next packet to a neighbour. */
static enum connect_word connect_say(const struct connect *connect,
				     const struct neighbour *neighbour)
{
	if (connect->session && torus_connect_is_above(connect, neighbour))
		return CONNECT_KNOWN;
	if (connect->session)
		return connect->go ? CONNECT_GO : CONNECT_BEGIN;
	if (torus_connect_is_above(connect, neighbour) && neighbour->theirs &&
	    torus_connect_whole(connect))
		return CONNECT_WHOLE;
	return CONNECT_HELLO;
}

/* Check whether a packet is repeated while the state does not change. */
static bool connect_repeats(struct connect *connect, const struct neighbour *neighbour,
			    enum connect_word word)
{
	bool again;

	/* BEGIN: a rank below repeats what it has said, unless it has left. */
	if (word == CONNECT_KNOWN || word == CONNECT_BEGIN)
		return true;
	if (word == CONNECT_GO)
		return false;
	if (!torus_connect_is_above(connect, neighbour) || !neighbour->theirs)
		return !neighbour->theirs;
	again = word == CONNECT_WHOLE || connect->told_whole;
	connect->told_whole = word == CONNECT_WHOLE;
	return again;
}

/* Set the time at which the packet is repeated. */
static void connect_again(struct connect *connect, struct neighbour *neighbour,
			  enum connect_word word, __u64 now)
{
	__u32 most = neighbour->theirs ? PAUSE_KNOWN_MS : PAUSE_SILENT_MS;

	if (!connect_repeats(connect, neighbour, word)) {
		neighbour->due_ns = CONNECT_NEVER;
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
	return neighbour->pause_ms > CONNECT_PAUSE_MS && job->context->notices &&
	       (!torus_inject_idle(job->context) || !torus_inject_ended(job->context));
}

/* Send packets that are due. @next: [out] time of the next. Return: 0 or a negative errno. */
static int connect_push(struct torus_job *job, __u64 now, __u64 *next)
{
	struct connect *connect = &job->connect;
	__u32 i;
	int ret;

	*next = CONNECT_NEVER;
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
				neighbour->due_ns = now + CONNECT_PAUSE_MS * 1000000ull;
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
		if (connect->neighbours[i].due_ns != CONNECT_NEVER)
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
		connect->neighbours[below].pause_ms = CONNECT_PAUSE_MS;
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
		if (!connect->above && !connect->session && torus_connect_whole(connect))
			torus_connect_begin(job, connect_draw());
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
		if (next == CONNECT_NEVER || next > now + PAUSE_KNOWN_MS * 1000000ull)
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
