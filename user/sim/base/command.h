/* SPDX-License-Identifier: GPL-2.0 */
/* The interface of a torus-sim command. */
#ifndef TORUS_SIM_COMMAND_H
#define TORUS_SIM_COMMAND_H

#include <stdbool.h>

/**
 * struct sim_command - a command of torus-sim
 * @name: first word on the command line
 * @help: description in one line
 * @run: runs the command; argv[0] is the command's name; returns the exit status
 * @ranks: true if several processes can run the command together
 */
struct sim_command {
	const char *name;
	const char *help;
	int (*run)(int argc, char **argv);
	bool ranks;
};

#endif /* TORUS_SIM_COMMAND_H */
