/* SPDX-License-Identifier: GPL-2.0 */
/* Explain a deadlock of a replayed application. */
#ifndef TORUS_REPLAY_DEADLOCK_H
#define TORUS_REPLAY_DEADLOCK_H

#include "run.h"

void replay_deadlock_note(struct replay_ranks *app);
u32 replay_waits_for(const struct replay_ranks *app, u32 rank);
void replay_deadlock(const struct replay_ranks *app, struct replay_result *result);
void replay_deadlock_text(const struct replay_ranks *app, u32 rank, char *text, size_t size);

#endif
