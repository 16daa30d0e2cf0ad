/* SPDX-License-Identifier: GPL-2.0 */
/* Start the process of a rank, in a process group of its own. */
#ifndef TORUS_RUN_RANK_H
#define TORUS_RUN_RANK_H

#include <sys/resource.h>
#include <sys/types.h>

#include "env.h"
#include "output.h"

struct run_debugger;
struct run_mpirun;

/**
 * struct run_job - a job, and how to run it
 * @env: environment of the ranks
 * @mpirun: mpirun, which starts the ranks; NULL: torus-run starts them
 * @processes: number of processes that torus-run starts: 1 for mpirun, else one for each rank
 * @program: the program and its arguments, with mpirun its whole command line
 * @debugger: command that starts one of the ranks; NULL: none
 * @terminal: process group of torus-run, if the rank with the debugger gets its terminal; 0: there
 *    is no terminal to give
 * @tag: true to print the rank before each line of output
 * @timeout_ms: maximum duration of the job in ms; 0: no limit
 * @grace_ms: time in ms from SIGTERM to SIGKILL
 * @files: limit of open files for the ranks
 * @attached: function that queries which ranks have attached; NULL: not known
 * @progress: descriptor from torus_progress_open(); -1: progress of the ranks is not known
 */
struct run_job {
	struct run_env env;
	const struct run_mpirun *mpirun;
	uint32_t processes;
	char **program;
	const struct run_debugger *debugger;
	pid_t terminal;
	bool tag;
	uint64_t timeout_ms;
	uint64_t grace_ms;
	struct rlimit files;
	bool (*attached)(const struct run_env *env, bool *attached);
	int progress;
};

#define RUN_RANK_TEXT	(PARSE_COORDS_MAX + 48)	/* bytes for run_rank_text() */

/**
 * struct run_rank - the process of a rank, or of mpirun
 * @pid: ID of the process and of its process group; 0: not started
 * @starting: pipe that becomes readable when the program runs or cannot be run; -1 before and
 *    afterwards
 * @over: true if the process has ended, or if it cannot be killed and torus-run does not wait for
 *    it
 */
struct run_rank {
	pid_t pid;
	int starting;
	bool over;
};

const char *run_rank_text(const struct run_job *job, uint32_t number, const struct run_rank *rank,
			  char *text, size_t size);
bool run_rank_debugged(const struct run_job *job, uint32_t number);
int run_rank_start(const struct run_job *job, uint32_t number, struct run_rank *rank,
		   struct run_output outputs[2]);
int run_rank_started(const struct run_job *job, uint32_t number, struct run_rank *rank);
void run_rank_signal(const struct run_rank *rank, int signal);
bool run_rank_kill(const struct run_rank *rank);

#endif /* TORUS_RUN_RANK_H */
