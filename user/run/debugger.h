/* SPDX-License-Identifier: GPL-2.0 */
/* The programs of --debugger and --valgrind, which start the program of ranks. */
#ifndef TORUS_RUN_DEBUGGER_H
#define TORUS_RUN_DEBUGGER_H

#include <stdbool.h>
#include <stdint.h>
#include <wordexp.h>

#include "../parse/parse.h"

/**
 * struct run_debugger - a command that starts the program of a rank
 * @rank: the rank, which has the terminal
 * @command: words of the command; none: the rank starts its program itself
 * @words: @command, then the program and its arguments, terminated by NULL; NULL before
 *         run_debugger_make()
 */
struct run_debugger {
	uint32_t rank;
	wordexp_t command;
	char **words;
};

bool run_debugger_parse(struct run_debugger *debugger, const char *text, struct parse_error *why);
int run_debugger_make(struct run_debugger *debugger, const char *option, char **program);
void run_debugger_free(struct run_debugger *debugger);

#endif /* TORUS_RUN_DEBUGGER_H */
