// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing that was started here stays.  Processes whose parent has ended become children
 * of the nearest subreaper, which this process is: so its children are killed until it
 * has none, whatever groups and sessions they have made.
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

#define STAT_BYTES	512	/* hold what stands before the parent's number, and it */

/* A child that has not ended yet. */
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
	/* The command's name is in parentheses, and may have some of its own. */
	at = strrchr(text, ')');
	return at && sscanf(at + 1, " %c %d", &state, &parent) == 2 && parent == getpid() &&
	       state != 'Z';
}

/* Kills every child once: how many of them took the signal. */
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
 * run_reap - end all children, and theirs, and so on
 *
 * What may not be killed (a program of another user) is not waited for.
 *
 * Return: how many children lived.
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
		/* Those whose parents have just been killed, too. */
		if (!children_kill())
			return found;
		waitpid(-1, NULL, 0);
	}
}
