// SPDX-License-Identifier: GPL-2.0
/*
 * The terminal of torus-run, which a rank with a debugger gets: the rank's process group is the
 * terminal's foreground process group. A process that changes this group must block SIGTTOU.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "terminal.h"

/**
 * run_terminal_owner - find out whether this process may give its terminal to a rank
 *
 * Return: the process group of this process if it is in the foreground of the terminal that is its
 * standard input; otherwise 0.
 */
pid_t run_terminal_owner(void)
{
	pid_t group = tcgetpgrp(STDIN_FILENO);

	return group == getpgrp() ? group : 0;
}

/**
 * run_terminal_give - give the terminal to another process group
 * @from: process group that gives the terminal; nothing happens if it is not in the foreground
 * @to: process group that gets the terminal
 */
void run_terminal_give(pid_t from, pid_t to)
{
	if (tcgetpgrp(STDIN_FILENO) == from)
		tcsetpgrp(STDIN_FILENO, to);
}

/**
 * run_terminal_restore - take the terminal back from a process group that has ended
 * @owner: process group of torus-run, from run_terminal_owner()
 */
void run_terminal_restore(pid_t owner)
{
	pid_t group = tcgetpgrp(STDIN_FILENO);

	if (group <= 0 || (kill(-group, 0) && errno == ESRCH))
		tcsetpgrp(STDIN_FILENO, owner);
}
