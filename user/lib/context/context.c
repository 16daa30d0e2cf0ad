// SPDX-License-Identifier: GPL-2.0
/* State of a context (alive, deleted, or inherited by a forked child), and the system's time. */
#include <pthread.h>
#include <time.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"

unsigned int torus_forks;

static void context_forked(void)
{
	torus_forks++;
}

static void context_fork_handler(void)
{
	pthread_atfork(NULL, NULL, context_forked);
}

/**
 * torus_context_watch_forks() - count the forks of this process from now on
 *
 * Safe to call repeatedly and from several threads.
 */
void torus_context_watch_forks(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, context_fork_handler);
}

/**
 * torus_now_ns() - read CLOCK_MONOTONIC
 *
 * Return: nanoseconds.
 */
__u64 torus_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/**
 * torus_context_dead() - check whether a context is unusable
 * @context: the context
 *
 * If the context is usable, all values that the caller has read from its mappings before this call
 * are valid.
 *
 * Return: true if the fabric was deleted, an administrator has evicted the program from the group,
 * or in a forked child.
 */
bool torus_context_dead(const struct torus_context *context)
{
	const uint32_t *state =
		(const uint32_t *)(context->status + context->info.status_state_offset);

	if (torus_context_forked(context))
		return true;
	/* (J) Read the state after the values that are invalid if the fabric was deleted. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(state, __ATOMIC_RELAXED) != TORUS_STATE_ALIVE;
}

/**
 * torus_context_check() - report an error if a context is unusable
 * @context: the context
 *
 * Return: 0, -ENODEV (the fabric was deleted, or the program was evicted), -ECHILD (forked child).
 */
int torus_context_check(const struct torus_context *context)
{
	return torus_context_dead(context) ? torus_error_dead(context) : 0;
}
