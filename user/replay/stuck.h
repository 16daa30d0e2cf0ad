/* SPDX-License-Identifier: GPL-2.0 */
/* Find the deadlock of a replayed application. */
#ifndef TORUS_REPLAY_STUCK_H
#define TORUS_REPLAY_STUCK_H

#include "run.h"

void replay_stuck_note(struct replay_crowd *crowd);
u32 replay_waits_for(const struct replay_crowd *crowd, u32 rank);
void replay_stuck(const struct replay_crowd *crowd, struct replay_result *result);
void replay_stuck_text(const struct replay_crowd *crowd, u32 rank, char *text, size_t size);

#endif
