/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of torus-sim, and its exit statuses. */
#ifndef TORUS_SIM_MESSAGE_H
#define TORUS_SIM_MESSAGE_H

#include <stdint.h>

#if UINTPTR_MAX < UINT64_MAX
#error "torus-sim is for 64-bit processors: a whole machine needs more than 4 GiB"
#endif

/* How a call ends; an interrupted one ends with 128 and the signal's number. */
enum sim_status {
	SIM_OK,
	SIM_FAILED,		/* no memory, a self-check that does not hold, no way to write */
	SIM_USAGE,		/* what was typed makes no sense */
	SIM_DEADLOCK,
	SIM_DIFFERS = SIM_DEADLOCK,	/* of paper: a number is not as the paper has it */
};

void sim_command_typed(const char *name);
void sim_command_set(const char *name);
void sim_source_set(const char *file);
void sim_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* TORUS_SIM_MESSAGE_H */
