/* SPDX-License-Identifier: GPL-2.0 */
/* The threads that simulate one fabric. */
#ifndef TORUS_SIM_THREADS_H
#define TORUS_SIM_THREADS_H

#include <stdbool.h>

#include "core/platform.h"

struct torus_fabric;
struct sim_team;

struct sim_team *sim_team_new(struct torus_fabric *fabric, u32 threads);
bool sim_team_step(struct sim_team *team, u64 budget);
void sim_team_free(struct sim_team *team);

#endif /* TORUS_SIM_THREADS_H */
