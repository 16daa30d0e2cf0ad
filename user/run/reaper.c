// SPDX-License-Identifier: GPL-2.0
/*
 * Kill all processes that outlive the ranks. A process whose parent has ended becomes a child of
 * the nearest subreaper, which is this process. So this process kills its children until no child
 * is left that it may kill. That includes children in other process groups and sessions.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reaper.h"

/* number of bytes of /proc/PID/stat that contain the parent's process ID */
#define STAT_BYTES	512

/* Check whether a process is a child of this process and has not ended. */
static bool living_child(const char *pid)
{
	char name[64], text[STAT_BYTES];
	const char *at;
	int parent = 0;
	char state;
	size_t got;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%.20s/stat", pid);
	file = fopen(name, "re");
	if (!file)
		return false;
	got = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[got] = '\0';
	/* the command name is in parentheses, and may itself contain parentheses */
	at = strrchr(text, ')');
	return at && sscanf(at + 1, " %c %d", &state, &parent) == 2 && parent == getpid() &&
	       state != 'Z';
}

/* Send SIGKILL to all children of this process. Return the number of children that received it. */
static unsigned int children_kill(void)
{
	unsigned int killed = 0;
	struct dirent *entry;
	DIR *proc;

	proc = opendir("/proc");
	if (!proc)
		return 0;
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)*entry->d_name) && living_child(entry->d_name))
			killed += !kill(atoi(entry->d_name), SIGKILL);
	closedir(proc);
	return killed;
}

/**
 * run_reap - kill all descendants, and wait for their end
 *
 * This function does not wait for processes of other users that cannot be killed.
 *
 * Return: the number of children that were alive and that this user may kill.
 */
unsigned int run_reap(void)
{
	unsigned int found = children_kill();
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, NULL, WNOHANG);
		if (pid > 0)
			continue;
		if (pid < 0 && errno == ECHILD)
			return found;
		/* also kill the children of the processes that were just killed */
		if (!children_kill())
			return found;
		waitpid(-1, NULL, 0);
	}
}
