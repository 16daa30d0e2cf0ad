/* SPDX-License-Identifier: GPL-2.0 */
/* Start the processes of a run, wait for them, end them. */
#ifndef TORUS_DEMO_TEAM_H
#define TORUS_DEMO_TEAM_H

#include <stdint.h>

#include "demo.h"

int team_start(const uint32_t *nodes, uint32_t count, const sigset_t *mask);
int team_watch(uint32_t count, const sigset_t *signals, const struct totals *expected);

#endif
