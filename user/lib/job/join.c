// SPDX-License-Identifier: GPL-2.0
/* Wait until all processes of a job have joined it; wireup.c has the packets. */
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
#include "join.h"
#include "liveness.h"
#include "member.h"
#include "move.h"
#include "peer_exit.h"
#include "send_errors.h"
#include "spanning_tree.h"
#include "wireup.h"

#define PAUSE_SILENT_MS	100	/* longest pause between packets to a rank that has not answered */
#define PAUSE_KNOWN_MS	1000	/* longest pause between packets to a rank that has answered */
/* milliseconds after the time limit for the last packets, if all ranks have joined by then */
#define LAST_WORDS_MS	2000
/* milliseconds after which a rank that receives only LATE gives up */
#define LATE_MS		5000

/* Draw a random incarnation or session number, not 0. */
static uint32_t wireup_draw(void)
{
	uint32_t number = 0;
	struct timespec now;

	while (!number)
		if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number)) {
			clock_gettime(CLOCK_REALTIME, &now);
			number = (uint32_t)now.tv_nsec * 2654435761u ^ (uint32_t)now.tv_sec ^
				 (uint32_t)getpid() << 16;
		}
	return number;
}

/* Select the kind of the next packet to a neighbour. */
static enum wireup_word wireup_next_word(const struct wireup *wireup,
					 const struct neighbour *neighbour)
{
	if (wireup->session && torus_wireup_is_above(wireup, neighbour))
		return WIREUP_KNOWN;
	if (wireup->session)
		return wireup->go ? WIREUP_GO : WIREUP_BEGIN;
	if (torus_wireup_is_above(wireup, neighbour) && neighbour->incarnation &&
	    torus_wireup_subtree_ready(wireup))
		return WIREUP_SUBTREE_READY;
	return WIREUP_HELLO;
}

/* Check whether a packet to a neighbour is repeated while neither of the two changes its state. */
static bool wireup_repeats(struct wireup *wireup, const struct neighbour *neighbour,
			   enum wireup_word word)
{
	bool again;

	/* BEGIN is repeated, too: the kernel's notice of its loss shows that a child has left. */
	if (word == WIREUP_KNOWN || word == WIREUP_BEGIN)
		return true;
	if (word == WIREUP_GO)
		return false;
	if (!torus_wireup_is_above(wireup, neighbour) || !neighbour->incarnation)
		return !neighbour->incarnation;
	again = word == WIREUP_SUBTREE_READY || wireup->reported_ready;
	wireup->reported_ready = word == WIREUP_SUBTREE_READY;
	return again;
}

/* Schedule the repetition of a packet, with a growing pause. */
static void wireup_reschedule(struct wireup *wireup, struct neighbour *neighbour,
			      enum wireup_word word, __u64 now)
{
	uint32_t most = neighbour->incarnation ? PAUSE_KNOWN_MS : PAUSE_SILENT_MS;

	if (!wireup_repeats(wireup, neighbour, word)) {
		neighbour->due_ns = WIREUP_NEVER;
		return;
	}
	if ((word == WIREUP_BEGIN || word == WIREUP_KNOWN) &&
	    neighbour->pause_ms < PAUSE_SILENT_MS)
		neighbour->pause_ms = PAUSE_SILENT_MS;
	neighbour->due_ns = now + neighbour->pause_ms * 1000000ull;
	neighbour->pause_ms = neighbour->pause_ms * 2 < most ? neighbour->pause_ms * 2 : most;
}

/*
 * Check whether this rank's packets may still be under way.  If so, no packet is repeated.  A
 * neighbour that has returned from torus_job_open() need not receive.  Repeated packets would fill
 * its reception FIFO and block packets for which other ranks wait.  A first packet is sent in any
 * case: its pause is WIREUP_PAUSE_MS.
 */
static bool wireup_waits(struct torus_job *job, const struct neighbour *neighbour)
{
	return neighbour->pause_ms > WIREUP_PAUSE_MS && job->context->notices &&
	       (!torus_inject_idle(job->context) || !torus_inject_ended(job->context));
}

/*
 * Send the packets that are due.  @next: [out] time at which the next packet is due.  Return: 0 or
 * a negative errno.
 */
static int wireup_push(struct torus_job *job, __u64 now, __u64 *next)
{
	struct wireup *wireup = &job->wireup;
	uint32_t i;
	int ret;

	*next = WIREUP_NEVER;
	for (i = 0; i < wireup->count; i++) {
		struct neighbour *neighbour = &wireup->neighbours[i];
		enum wireup_word word = wireup_next_word(wireup, neighbour);

		if (neighbour->due_ns <= now && wireup_waits(job, neighbour)) {
			neighbour->due_ns = now + PAUSE_SILENT_MS * 1000000ull;
		} else if (neighbour->due_ns <= now) {
			ret = torus_wireup_send(job, neighbour->rank, word, neighbour->incarnation);
			if (ret && ret != -EAGAIN && ret != -EHOSTUNREACH)
				return ret;
			if (ret == -EAGAIN)
				neighbour->due_ns = now + WIREUP_PAUSE_MS * 1000000ull;
			else
				wireup_reschedule(wireup, neighbour, word, now);
		}
		if (neighbour->due_ns < *next)
			*next = neighbour->due_ns;
	}
	return torus_inject_publish(job->context);
}

/*
 * Check whether all packets have been sent and taken by the kernel.  Return: 1, 0 or a negative
 * errno.
 */
static int wireup_finished(struct torus_job *job)
{
	const struct wireup *wireup = &job->wireup;
	uint32_t i;

	if (!wireup->go)
		return 0;
	for (i = 0; i < wireup->count; i++)
		if (wireup->neighbours[i].due_ns != WIREUP_NEVER)
			return 0;
	return torus_inject_idle(job->context);
}

/*
 * Extend the deadline once the session is known: all ranks have joined, and only the last packets
 * are missing.
 */
static __u64 wireup_deadline(const struct wireup *wireup, __u64 deadline)
{
	return deadline + (wireup->session ? LAST_WORDS_MS * 1000000ull : 0);
}

/* Check whether to give up.  Return: 0, or a negative errno whose text is set. */
static int wireup_fail(struct torus_job *job, __u64 now, __u64 deadline)
{
	const struct wireup *wireup = &job->wireup;
	char where[TORUS_PLACE_MAX];

	if (wireup->late_ns && now - wireup->late_ns > LATE_MS * 1000000ull)
		return torus_error_set(-ECONNREFUSED,
				       "%s: belongs to another job with the same key 0x%x, in "
				       "which another process is rank %u",
				       torus_job_place(job, wireup->late_rank, where),
				       job->config.key, job->rank);
	/*
	 * After GO the job has begun.  Later calls of the job, not this one, report that a rank has
	 * left.
	 */
	if (job->gone && !wireup->go)
		return torus_send_error_of(job, job->gone);
	if (!deadline || now < wireup_deadline(wireup, deadline))
		return 0;
	return torus_liveness_explain(job, -ETIMEDOUT, "the job has not started yet");
}

/**
 * torus_wireup_open() - draw this process's incarnation, and find its neighbours in the tree
 * @job: the job, with rank and map
 *
 * Return: 0, -ENOMEM, -EHOSTUNREACH.
 */
int torus_wireup_open(struct torus_job *job)
{
	struct wireup *wireup = &job->wireup;
	uint32_t above, below, most = 1;
	int ret;

	wireup->own = wireup_draw();
	wireup->check = torus_job_check(job, 0, job->rank);
	if (job->config.unconnected) {
		wireup->go = true;
		wireup->done = true;
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
		most++;
	wireup->neighbours = calloc(most, sizeof(*wireup->neighbours));
	if (!wireup->neighbours)
		return torus_error_set(-ENOMEM, "out of memory for a job of %u ranks",
				       job->config.count);
	if (above != TORUS_RANK_NONE) {
		wireup->above = 1;
		wireup->neighbours[wireup->count++].rank = above;
	}
	for (below = torus_tree_below(job, TORUS_RANK_NONE); below != TORUS_RANK_NONE;
	     below = torus_tree_below(job, below))
		wireup->neighbours[wireup->count++].rank = below;
	for (below = 0; below < wireup->count; below++)
		wireup->neighbours[below].pause_ms = WIREUP_PAUSE_MS;
	return 0;
}

/**
 * torus_wireup_wait() - wait until all members of the job have joined
 * @job: the job, after torus_wireup_open()
 * @timeout_ms: milliseconds; 0 or -1: no limit
 *
 * Return: 0, -ETIMEDOUT (the text names the missing ranks), -ECONNREFUSED (a job with this key has
 * begun with another process as this rank), -ENOTCONN (a process has left meanwhile), -EINTR,
 * -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_wireup_wait(struct torus_job *job, int timeout_ms)
{
	struct wireup *wireup = &job->wireup;
	__u64 now = torus_context_now_ns(job->context), next;
	__u64 deadline = timeout_ms > 0 ? now + timeout_ms * 1000000ull : 0;
	struct torus_waiter waiter;
	int ret, over;

	torus_waiter_init(&waiter, job->context, -1);
	while (!wireup->done) {
		ret = torus_job_move(job);
		if (ret < 0)
			return ret;
		if (ret)
			torus_waiter_restart(&waiter);
		if (!wireup->above && !wireup->session && torus_wireup_subtree_ready(wireup))
			torus_wireup_begin(job, wireup_draw());
		now = torus_context_now_ns(job->context);
		ret = wireup_push(job, now, &next);
		if (ret)
			return ret;
		over = wireup_finished(job);
		if (over < 0)
			return over;
		if (over || (wireup->go && deadline && now >= deadline))
			break;
		ret = wireup_fail(job, now, deadline);
		if (ret)
			return ret;
		if (next == WIREUP_NEVER || next > now + PAUSE_KNOWN_MS * 1000000ull)
			next = now + PAUSE_KNOWN_MS * 1000000ull;
		waiter.deadline_ns = next;
		if (deadline && wireup_deadline(wireup, deadline) < next)
			waiter.deadline_ns = wireup_deadline(wireup, deadline);
		ret = torus_waiter_step(&waiter, wireup->session ? POLLIN | POLLOUT : POLLIN);
		if (ret == -EINTR)
			return torus_error_set(ret, "a signal arrived before all members had "
					       "joined the job");
		if (ret && ret != -ETIMEDOUT)
			return ret;
	}
	wireup->done = true;
	torus_peer_exit_learn(job);
	return 0;
}

/**
 * torus_wireup_close() - free the list of neighbours
 * @job: the job
 */
void torus_wireup_close(struct torus_job *job)
{
	free(job->wireup.neighbours);
	job->wireup.neighbours = NULL;
	job->wireup.count = 0;
}
