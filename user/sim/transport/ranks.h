/* SPDX-License-Identifier: GPL-2.0 */
/* torus-sim as one of several processes that simulate together. */
#ifndef TORUS_SIM_RANKS_H
#define TORUS_SIM_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/state/ranks.h"

bool sim_ranks_begin(char *const *words, char *why, size_t size);
int sim_ranks_end(int status);
struct torus_ranks *sim_ranks(void);
u32 sim_ranks_count(void);
u32 sim_ranks_other(u64 mark);
u64 sim_ranks_memory(u64 bytes);
bool sim_ranks_silent(void);
void sim_ranks_hold(bool held);
bool sim_ranks_hushed(void);
void sim_ranks_hush(const char *text);
void sim_ranks_forget(void);
void sim_ranks_tell(bool named);
void sim_ranks_timeout(u32 ms);
void sim_ranks_beat(void);

#endif /* TORUS_SIM_RANKS_H */
