// SPDX-License-Identifier: GPL-2.0
/* Ctrl-C: the first asks for what was measured so far, the second ends at once. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "interrupt.h"

/* timeout(1) sends its signal to the process and to its group: the two are one wish. */
#define ONE_WISH_NS	100000000LL

static atomic_int interrupted;
static atomic_llong first_ns;

static void on_interrupt(int number)
{
	int saved = errno;
	struct timespec now;
	long long ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = now.tv_sec * 1000000000LL + now.tv_nsec;
	if (!interrupted) {
		first_ns = ns;
		interrupted = number;
	} else if (ns - first_ns >= ONE_WISH_NS) {
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = saved;
}

/**
 * sim_interrupt_watch - have interrupts noted from here on
 */
void sim_interrupt_watch(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	struct sigaction before;
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)	/* nohup, a shell's background job */
			sigaction(numbers[i], &action, NULL);
	}
}

/**
 * sim_interrupt - another process has been interrupted, which is one of this one
 * @number: the signal's number, 0: it has not
 */
void sim_interrupt(int number)
{
	if (number && !interrupted)
		interrupted = number;
}

/**
 * sim_interrupted - has there been an interrupt?
 *
 * Return: the signal's number, or 0.
 */
int sim_interrupted(void)
{
	return interrupted;
}
