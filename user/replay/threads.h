/* SPDX-License-Identifier: GPL-2.0 */
/* Threads of a replay. */
#ifndef TORUS_REPLAY_THREADS_H
#define TORUS_REPLAY_THREADS_H

#include "core/run/fabric.h"

struct replay_threads;

struct replay_threads *replay_threads_new(struct torus_fabric *fabric, u32 threads);
enum torus_run replay_threads_run(struct replay_threads *team, u64 until, u64 budget);
void replay_threads_free(struct replay_threads *team);

#endif /* TORUS_REPLAY_THREADS_H */
