/* SPDX-License-Identifier: GPL-2.0 */
/* Processes of a test that are ranks of one another. */
#ifndef TORUS_SIM_LEAD_H
#define TORUS_SIM_LEAD_H

#include <sys/types.h>

#include "core/env.h"
#include "../base/message.h"

#define LEAD_SAID_MAX	1024
#define LEAD_KILLED	128	/* in the place of a status */

/**
 * struct lead_asked - what they are to be
 * @ranks: how many
 * @delay_us: that a message may wait
 * @seed: of those delays
 * @stranger: the others are another program than the first
 * @other: a rank that was started with other words; 0: none
 * @leader: the first's process
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
