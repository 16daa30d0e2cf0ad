/* SPDX-License-Identifier: GPL-2.0 */
/* The processes that simulate one fabric together. */
#ifndef TORUS_SIM_TRANSPORT_PROCS_H
#define TORUS_SIM_TRANSPORT_PROCS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/state/procs.h"

bool sim_procs_begin(char *const *words, char *why, size_t size);
int sim_procs_end(int status);
struct torus_procs *sim_procs(void);
u32 sim_procs_count(void);
u32 sim_procs_other(u64 mark);
u64 sim_procs_memory(u64 bytes);
bool sim_procs_silent(void);
void sim_procs_hold(bool held);
bool sim_procs_hushed(void);
void sim_procs_hush(const char *text);
void sim_procs_forget(void);
void sim_procs_report(bool named);
void sim_procs_timeout(u32 ms);
void sim_procs_beat(void);

#endif /* TORUS_SIM_TRANSPORT_PROCS_H */
