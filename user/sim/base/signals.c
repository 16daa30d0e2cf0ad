// SPDX-License-Identifier: GPL-2.0
/*
 * Handle Ctrl-C: the first one ends the run and prints the results so far, the second one ends the
 * process at once.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "signals.h"

/*
 * timeout(1) sends its signal twice, to the process and to its group. Signals within this time
 * count as one.
 */
#define ONE_SIGNAL_NS	100000000LL

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
	} else if (ns - first_ns >= ONE_SIGNAL_NS) {
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = saved;
}

/**
 * sim_signals_catch - start to record SIGINT, SIGTERM and SIGHUP, except ignored ones
 */
void sim_signals_catch(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	struct sigaction before;
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], NULL, &before);
		/*
		 * leave a signal ignored if it is, as under nohup and in background jobs of a shell
		 */
		if (before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}

/**
 * sim_interrupt - record a signal that another process of the same fabric has received
 * @number: number of the signal; 0: none
 */
void sim_interrupt(int number)
{
	if (number && !interrupted)
		interrupted = number;
}

/**
 * sim_interrupted - the first signal that was recorded
 *
 * Return: number of the signal, or 0.
 */
int sim_interrupted(void)
{
	return interrupted;
}
