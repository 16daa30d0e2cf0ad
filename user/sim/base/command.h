/* SPDX-License-Identifier: GPL-2.0 */
/* A command of torus-sim. */
#ifndef TORUS_SIM_COMMAND_H
#define TORUS_SIM_COMMAND_H

#include <stdbool.h>

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

#endif /* TORUS_SIM_COMMAND_H */
