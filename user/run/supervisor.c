// SPDX-License-Identifier: GPL-2.0
/*
 * Two processes supervise the ranks and each other. The keeper is the parent of the ranks. The
 * process that the user started forwards signals to the keeper and waits for it. Both are
 * subreapers, which adopt the processes that outlive their parents. So if one of the two is killed,
 * even by SIGKILL, the other ends all ranks. The keeper has its own session: signals that a
 * terminal or a shell sends to a process group do not reach it. If a rank gets the terminal, the
 * keeper has only its own process group.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor.h"
#include "reaper.h"
#include "run.h"
#include "ranks.h"
#include "terminal.h"
#include "log.h"

/*
 * name of the keeper's process: differs from torus-run, so that `pkill torus-run` does not kill the
 * keeper
 */
#define KEEPER_NAME	"torus-keeper"

/* Signals to forward. A signal that was ignored when torus-run started (nohup) stays ignored. */
static const int passed[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGALRM,
};

static void signals_block(const struct run_job *job, sigset_t *signals)
{
	struct sigaction now;
	sigset_t write;
	size_t i;

	sigemptyset(signals);
	sigaddset(signals, SIGCHLD);
	for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		if (!sigaction(passed[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(signals, passed[i]);
	sigprocmask(SIG_BLOCK, signals, NULL);
	if (job->terminal) {
		/* while a rank has the terminal, these processes write in the background */
		sigemptyset(&write);
		sigaddset(&write, SIGTTOU);
		sigprocmask(SIG_BLOCK, &write, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

/* Reap children. Return true if the keeper has ended; @status: [out] its wait status. */
static bool keeper_over(pid_t keeper, int *status)
{
	pid_t pid;
	int ended;

	while ((pid = waitpid(-1, &ended, WNOHANG)) > 0) {
		if (pid != keeper)
			continue;
		*status = ended;
		return true;
	}
	return false;
}

static int wait_for(pid_t keeper, const sigset_t *signals)
{
	int signal, status;

	while (!keeper_over(keeper, &status)) {
		if (sigwait(signals, &signal) || signal == SIGCHLD)
			continue;
		kill(keeper, signal);
		/* Ctrl-Z must also stop this process, so that the shell prints its prompt */
		if (signal == SIGTSTP)
			raise(SIGSTOP);
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	run_reap();
	run_log("the supervisor of the ranks (pid %d) was killed by signal %d (%s): all ranks have "
		"ended", keeper, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return 128 + WTERMSIG(status);
}

/**
 * run_supervise - run a job, and end all its processes even if this process is killed
 * @job: the job
 *
 * Return: the exit status of torus-run.
 */
int run_supervise(const struct run_job *job)
{
	sigset_t signals;
	int lifeline[2];
	pid_t keeper;
	int status;

	signals_block(job, &signals);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (pipe2(lifeline, O_CLOEXEC)) {
		run_log("cannot create a pipe: %s", strerror(errno));
		return RUN_REFUSED;
	}
	keeper = fork();
	if (keeper < 0) {
		run_log("cannot create a process: %s", strerror(errno));
		return RUN_REFUSED;
	}
	if (!keeper) {
		close(lifeline[1]);
		/* A session of its own has no terminal, but a rank gets the one of torus-run. */
		if (job->terminal)
			setpgid(0, 0);
		else
			setsid();
		prctl(PR_SET_NAME, KEEPER_NAME);
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		status = run_ranks(job, lifeline[0], &signals);
		if (*job->env.file)
			unlink(job->env.file);
		_exit(status);
	}
	close(lifeline[0]);
	status = wait_for(keeper, &signals);
	close(lifeline[1]);
	if (job->terminal)
		run_terminal_restore(job->terminal);
	return status;
}
