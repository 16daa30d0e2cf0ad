// SPDX-License-Identifier: GPL-2.0
/* Ctrl-C: the first asks for what was measured so far, the second ends at once. */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "interrupt.h"

static atomic_int interrupted;

static void on_interrupt(int number)
{
	interrupted = number;
}

/**
 * sim_interrupt_watch - have interrupts noted from here on
 */
void sim_interrupt_watch(void)
{
	/* Reset: the second one finds nobody who would note it. */
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESETHAND };
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
 * sim_interrupted - has there been an interrupt?
 *
 * Return: the signal's number, or 0.
 */
int sim_interrupted(void)
{
	return interrupted;
}
