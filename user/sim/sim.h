/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_H
#define TORUS_SIM_H

#include <stdbool.h>
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

/**
 * struct sim_command - one of torus-sim's commands
 * @name: its name
 * @help: one line
 * @run: runs it with the words behind its name
 * @ranks: several processes may run it together
 */
struct sim_command {
	const char *name;
	const char *help;
	int (*run)(int argc, char **argv);
	bool ranks;
};

extern const struct sim_command sim_run_command;
extern const struct sim_command sim_sweep_command;
extern const struct sim_command sim_replay_command;	/* user/replay */
extern const struct sim_command sim_paper_command;	/* user/paper */
extern const struct sim_command sim_jobs_command;	/* user/jobs */
extern const struct sim_command sim_barrier_command;	/* user/barrier */
extern const struct sim_command sim_rerun_command;	/* user/rerun */

void sim_command_set(const char *name);
void sim_source_set(const char *file);
void sim_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_bad(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* TORUS_SIM_H */
