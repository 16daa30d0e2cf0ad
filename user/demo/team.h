/* SPDX-License-Identifier: GPL-2.0 */
/* Start the processes of a run, wait for them, end them. */
#ifndef TORUS_DEMO_TEAM_H
#define TORUS_DEMO_TEAM_H

#include "demo.h"

int team_start(const __u32 *nodes, __u32 count, const sigset_t *mask);
int team_watch(__u32 count, const sigset_t *signals, const struct totals *expected);

#endif
