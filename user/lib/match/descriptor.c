// SPDX-License-Identifier: GPL-2.0
/*
 * The descriptor on which a program sleeps until a matching needs a call: an epoll descriptor over
 * the file of the context, an eventfd for calls of other threads, and a timer.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "descriptor.h"
#include "match.h"

#define NS_PER_S	1000000000ull
/* longest sleep for free space, if the kernel cannot be asked to watch single injection rings */
#define SPACE_NS	2000000ull

/**
 * struct match_sleep - the descriptors
 * @epoll: covers the others
 * @event: eventfd, readable after torus_match_wake()
 * @timer: timerfd, readable when a check, a report or an attempt to send is due
 * @named: the kernel was asked to watch single injection rings for free space
 */
struct match_sleep {
	int epoll;
	int event;
	int timer;
	bool named;
};

static void fd_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void sleep_free(struct match_sleep *sleep)
{
	fd_close(sleep->epoll);
	fd_close(sleep->event);
	fd_close(sleep->timer);
	free(sleep);
}

static int sleep_add(const struct match_sleep *sleep, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(sleep->epoll, EPOLL_CTL_ADD, fd, &event);
}

/**
 * torus_match_fd() - get a descriptor on which the program can sleep
 * @match: the matching
 *
 * Sleep in poll(2) or epoll on it only after torus_match_trywait() has returned 0.  The descriptor
 * is readable when torus_match_trywait() is to be called again: packets can be moved, a call of
 * another thread has ended an operation or left packets to send, or a second has passed.
 *
 * Return: the descriptor, closed by torus_match_close(); -EOPNOTSUPP (the process is in virtual
 * time, where a sleep would stop the fabric), -ENOMEM, or an error of the system.
 */
int torus_match_fd(struct torus_match *match)
{
	struct torus_context *context = match->job->context;
	struct match_sleep *new;

	if (match->sleep)
		return match->sleep->epoll;
	if (context->clock)
		return torus_error_set(-EOPNOTSUPP, "a process in virtual time cannot sleep on a "
				       "descriptor");
	new = malloc(sizeof(*new));
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a descriptor");
	*new = (struct match_sleep){
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
		.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
	};
	if (new->epoll < 0 || new->event < 0 || new->timer < 0 || sleep_add(new, context->fd) ||
	    sleep_add(new, new->event) || sleep_add(new, new->timer)) {
		int error = errno;

		sleep_free(new);
		return torus_error_set(-error, "descriptor of a matching: %s", strerror(error));
	}
	match->sleep = new;
	return new->epoll;
}

/*
 * Make the descriptor readable when the rings need a call.  Each call polls the file of the context
 * again, because the kernel wakes a program once after each poll.  @timed: [out] messages wait for
 * free space, for which the kernel cannot be asked
 */
static int sleep_arm_rings(struct torus_match *match, bool *timed)
{
	const struct torus_job *job = match->job;
	bool sending = job->active_count || job->forwards || job->turning, more = false;
	struct epoll_event event = { .events = EPOLLIN, .data.fd = job->context->fd };

	match->sleep->named = sending && torus_inject_wait_begin(job->context, &more);
	*timed = sending && !match->sleep->named;
	if (match->sleep->named)
		event.events |= EPOLLOUT;
	return epoll_ctl(match->sleep->epoll, EPOLL_CTL_MOD, job->context->fd, &event);
}

/* Make the descriptor readable at the time of the next check, report or attempt to send. */
static int sleep_arm_timer(const struct torus_match *match, bool timed)
{
	__u64 at = match->check_ns;
	struct itimerspec timer = { .it_value.tv_nsec = 0 };

	if (match->losses && match->losses_ns < at)
		at = match->losses_ns;
	if (timed && torus_now_ns() + SPACE_NS < at)
		at = torus_now_ns() + SPACE_NS;
	/* a time of 0 would stop the timer */
	at += !at;
	timer.it_value = (struct timespec){ .tv_sec = at / NS_PER_S, .tv_nsec = at % NS_PER_S };
	return timerfd_settime(match->sleep->timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

/**
 * torus_match_trywait() - check whether the program may sleep on torus_match_fd()
 * @match: the matching
 *
 * The call moves packets.
 *
 * Return: 0 if the program may sleep; -EAGAIN if an event waits, or packets were moved;
 * -EOPNOTSUPP, -ENOMEM, an error of torus_job_progress(), or an errno of the descriptor.
 */
int torus_match_trywait(struct torus_match *match)
{
	int fd = torus_match_fd(match), ret;
	eventfd_t count;
	bool timed;

	if (fd < 0)
		return fd;
	/* Clear the wake-ups first: the checks that follow find their causes. */
	eventfd_read(match->sleep->event, &count);
	if (match->sleep->named)
		torus_inject_wait_end(match->job->context);
	match->sleep->named = false;
	ret = torus_match_progress(match);
	if (ret > 0 || match->done)
		return torus_error_plain(-EAGAIN, "an event waits, or packets were moved");
	if (ret)
		return ret;
	if (sleep_arm_rings(match, &timed) || sleep_arm_timer(match, timed))
		return torus_error_set(-errno, "descriptor of a matching: %s", strerror(errno));
	return 0;
}

/**
 * torus_match_wake() - make the descriptor readable, because a thread may sleep on it
 * @match: the matching
 */
void torus_match_wake(struct torus_match *match)
{
	if (match->sleep)
		eventfd_write(match->sleep->event, 1);
}

/**
 * torus_match_fd_close() - close the descriptor
 * @match: the matching
 */
void torus_match_fd_close(struct torus_match *match)
{
	if (match->sleep)
		sleep_free(match->sleep);
	match->sleep = NULL;
}
