/* SPDX-License-Identifier: GPL-2.0 */
/* The options of torus-run. */
#ifndef TORUS_RUN_OPTIONS_H
#define TORUS_RUN_OPTIONS_H

#include "debugger.h"
#include "temp_fabric.h"
#include "mapping.h"

/**
 * struct run_options - the options of torus-run
 * @fabric: name of the fabric, or NULL
 * @ranks: number of ranks; 0: as many as there are places
 * @where: options that select the places
 * @recipe: options of a temporary fabric to create
 * @tag: true to print the rank before each line of output
 * @mpi: true to start the ranks by mpirun, as ranks of MPI
 * @debugger: command of --debugger
 * @valgrind: true to start the program of each rank by valgrind
 * @checker: command of --valgrind, which the caller fills in
 * @print_env: true to print the environment instead of starting ranks
 * @timeout_ms: maximum duration of the job in ms; 0: no limit
 * @grace_ms: time in ms from SIGTERM to SIGKILL
 * @start_timeout_ms: time in ms until all ranks must have joined the job; 0: not given
 * @program: the program and its arguments, terminated by NULL
 */
struct run_options {
	const char *fabric;
	uint32_t ranks;
	struct run_where where;
	struct run_recipe recipe;
	bool tag;
	bool mpi;
	struct run_debugger debugger;
	bool valgrind;
	struct run_debugger checker;
	bool print_env;
	uint64_t timeout_ms;
	uint64_t grace_ms;
	uint64_t start_timeout_ms;
	char **program;
};

int run_options_read(struct run_options *options, int argc, char **argv);

#endif /* TORUS_RUN_OPTIONS_H */
