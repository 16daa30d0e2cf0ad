/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal of torus-run, which a rank with a debugger gets. */
#ifndef TORUS_RUN_TERMINAL_H
#define TORUS_RUN_TERMINAL_H

#include <sys/types.h>

pid_t run_terminal_owner(void);
void run_terminal_give(pid_t from, pid_t to);
void run_terminal_restore(pid_t owner);

#endif /* TORUS_RUN_TERMINAL_H */
