/* SPDX-License-Identifier: GPL-2.0 */
/* The options of torus-run. */
#ifndef TORUS_RUN_OPTIONS_H
#define TORUS_RUN_OPTIONS_H

#include "temp_fabric.h"
#include "mapping.h"

/**
 * struct run_options - what was typed
 * @fabric: name of the fabric, or NULL
 * @ranks: number of ranks; 0: as many as there are places
 * @where: where they shall be
 * @recipe: the fabric to be made
 * @tag: lines of output begin with the rank
 * @print_env: print the environment and start nothing
 * @timeout_ms: the longest that the job may take; 0: no limit
 * @grace_ms: from SIGTERM to SIGKILL
 * @start_timeout_ms: to all ranks being there; 0: not given
 * @program: the program and its arguments; NULL ends them
 */
struct run_options {
	const char *fabric;
	uint32_t ranks;
	struct run_where where;
	struct run_recipe recipe;
	bool tag;
	bool print_env;
	uint64_t timeout_ms;
	uint64_t grace_ms;
	uint64_t start_timeout_ms;
	char **program;
};

int run_options_read(struct run_options *options, int argc, char **argv);

#endif /* TORUS_RUN_OPTIONS_H */
