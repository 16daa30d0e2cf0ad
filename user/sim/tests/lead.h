/* SPDX-License-Identifier: GPL-2.0 */
/* Runs a function of a test in several processes that simulate together. */
#ifndef TORUS_SIM_LEAD_H
#define TORUS_SIM_LEAD_H

#include <sys/types.h>

#include "core/platform.h"
#include "../base/message.h"

#define LEAD_SAID_MAX	1024
#define LEAD_KILLED	128	/* result of lead_ranks() if a signal killed process 0 */

/**
 * struct lead_asked - parameters of the processes
 * @ranks: number of processes
 * @delay_us: maximum delay of a message
 * @seed: seed of the delays
 * @stranger: all processes except process 0 pretend to run another version of the program
 * @other: number of a process with a different command line; 0: none
 * @leader: process ID of process 0
 */
struct lead_asked {
	u32 ranks;
	u32 delay_us;
	u32 seed;
	u32 stranger;
	u32 other;
	pid_t leader;
};

extern struct lead_asked lead_asked;

int lead_ranks(int (*rank)(const void *arg), const void *arg, char *said);

#endif /* TORUS_SIM_LEAD_H */
