/* SPDX-License-Identifier: GPL-2.0 */
/* The threads of a replay. */
#ifndef TORUS_REPLAY_TEAM_H
#define TORUS_REPLAY_TEAM_H

#include "core/run/fabric.h"

struct replay_team;

struct replay_team *replay_team_new(struct torus_fabric *fabric, u32 threads);
enum torus_run replay_team_run(struct replay_team *team, u64 until, u64 budget);
void replay_team_free(struct replay_team *team);

#endif /* TORUS_REPLAY_TEAM_H */
