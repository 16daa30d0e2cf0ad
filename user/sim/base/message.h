/* SPDX-License-Identifier: GPL-2.0 */
/* Messages and exit statuses of torus-sim. */
#ifndef TORUS_SIM_MESSAGE_H
#define TORUS_SIM_MESSAGE_H

#include <stdint.h>

#if UINTPTR_MAX < UINT64_MAX
#error "torus-sim is for 64-bit processors: a whole machine needs more than 4 GiB"
#endif

/* Exit status of a command. A command that a signal interrupts exits with 128 plus its number. */
enum sim_status {
	SIM_OK,
	SIM_FAILED,		/* failure, such as a failed self-check, or a result that differs */
	SIM_USAGE,		/* invalid command line or input file, or a machine too large */
	SIM_DEADLOCK,
};

void sim_command_typed(const char *name);
void sim_command_set(const char *name);
void sim_source_set(const char *file);
void sim_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* TORUS_SIM_MESSAGE_H */
