// SPDX-License-Identifier: GPL-2.0
/* Start, wait for and end the processes of a run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "content.h"
#include "demo.h"
#include "options.h"
#include "process.h"
#include "report.h"
#include "team.h"
#include "torus-demo.h"

static pid_t *pids;
static unsigned int living;

static void team_end(uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
	for (i = 0; i < count; i++)
		if (pids[i] > 0)
			waitpid(pids[i], NULL, 0);
	living = 0;
}

/**
 * team_start() - start a process at every node
 * @nodes: numbers of the nodes, by rank
 * @count: number of ranks
 * @mask: signal mask of the processes
 *
 * Return: 0, or 1 without memory. Exits if fork() fails.
 */
int team_start(const uint32_t *nodes, uint32_t count, const sigset_t *mask)
{
	pid_t parent = getpid();
	uint32_t i;

	pids = calloc(count, sizeof(*pids));
	if (!pids) {
		perror("torus-demo");
		return 1;
	}
	for (i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] < 0) {
			perror("torus-demo: fork");
			team_end(i);
			exit(1);
		}
		if (!pids[i]) {
			/* End together with the parent, whatever the reason. */
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(1);
			sigprocmask(SIG_SETMASK, mask, NULL);
			process_run(i, nodes[i], count);
		}
		living++;
	}
	return 0;
}

/**
 * team_watch() - wait for all processes
 * @count: number of processes
 * @signals: blocked signals to wait for
 * @expected: totals of a complete run, for the progress report
 *
 * Return: 0, or the exit status of a failure.
 */
int team_watch(uint32_t count, const sigset_t *signals, const struct totals *expected)
{
	const struct timespec pause = { .tv_nsec = 200000000 };
	__u64 start_ns = demo_now_ns();
	bool failed = false;

	while (living) {
		int got = sigtimedwait(signals, NULL, &pause);
		int status;
		pid_t pid;
		uint32_t i;

		if (got == SIGINT || got == SIGTERM || got == SIGHUP) {
			team_end(count);
			fprintf(stderr, "%storus-demo: interrupted\n",
				options.progress ? "\n" : "");
			return 128 + got;
		}
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
			for (i = 0; i < count && pids[i] != pid; i++)
				;
			if (i == count)
				continue;
			pids[i] = 0;
			living--;
			if (WIFSIGNALED(status) && !shared->tally[i].failure[0])
				snprintf(shared->tally[i].failure,
					 sizeof(shared->tally[i].failure),
					 "killed by signal %d", WTERMSIG(status));
			failed |= status;
		}
		if (failed || (demo_now_ns() - start_ns) / 1000000000 >= options.timeout_s) {
			if (!failed)
				fprintf(stderr, "torus-demo: not done after %u s\n",
					options.timeout_s);
			team_end(count);
			return 1;
		}
		report_progress(count, expected, start_ns, false);
	}
	report_progress(count, expected, start_ns, true);
	return 0;
}
