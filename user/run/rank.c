// SPDX-License-Identifier: GPL-2.0
/*
 * The process of a rank. It leads a process group of its own. The kernel kills it if the keeper
 * (supervisor.c) dies.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "debugger.h"
#include "mpirun.h"
#include "rank.h"
#include "run.h"
#include "terminal.h"
#include "log.h"

/* The pipes between the keeper and a rank. */
struct pipes {
	int out[2];
	int err[2];
	int fail[2];	/* pipe that receives the errno if the program cannot be run */
};

static void signals_reset(const struct run_job *job, uint32_t number)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	/* let ranks in the background of the terminal write, also after stty tostop */
	if (job->terminal && !run_rank_debugged(job, number))
		signal(SIGTTOU, SIG_IGN);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/**
 * run_rank_text - make the name of a rank, or of mpirun, for a message
 * @job: the job
 * @number: the rank
 * @rank: process of the rank
 * @text: [out] like "rank 1 (node 1,0,0, pid 412)"
 * @size: bytes of @text: RUN_RANK_TEXT
 *
 * Return: @text.
 */
const char *run_rank_text(const struct run_job *job, uint32_t number, const struct run_rank *rank,
			  char *text, size_t size)
{
	const struct run_place *at = &job->env.places.at[number];
	char node[PARSE_COORDS_MAX];

	if (job->mpirun)
		snprintf(text, size, "mpirun (pid %d)", rank->pid);
	else
		snprintf(text, size, "rank %" PRIu32 " (node %s, pid %d)", number,
			 query_text(&job->env.machine->fabric, at->node, node, sizeof(node)),
			 rank->pid);
	return text;
}

/**
 * run_rank_debugged - check whether a rank is started by the debugger
 * @job: the job
 * @number: the rank
 *
 * Return: true for the rank of --debugger.
 */
bool run_rank_debugged(const struct run_job *job, uint32_t number)
{
	return job->debugger && job->debugger->rank == number;
}

/* The output of the rank with the debugger has no tags. */
static bool tagged(const struct run_job *job, uint32_t number)
{
	return job->tag && !run_rank_debugged(job, number);
}

/*
 * Replace standard input by /dev/null in all ranks but one, rank 0 or that with the debugger,
 * because only one process can read standard input.
 */
static bool stdin_set(const struct run_job *job, uint32_t number)
{
	int fd;

	if (number == (job->debugger ? job->debugger->rank : 0))
		return true;
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fd >= 0 && dup2(fd, STDIN_FILENO) >= 0;
}

static bool environment_set(const struct run_job *job, uint32_t number)
{
	return job->mpirun ? run_env_set_mpi(&job->env, job->mpirun->provider_path) :
			     run_env_set(&job->env, number);
}

static void __attribute__((noreturn))
rank_become(const struct run_job *job, uint32_t number, pid_t keeper, const struct pipes *pipes)
{
	char **program = job->program;
	int error;

	setpgid(0, 0);
	if (run_rank_debugged(job, number)) {
		program = job->debugger->words;
		if (job->terminal)
			run_terminal_give(job->terminal, getpid());
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(RUN_REFUSED);
	if (stdin_set(job, number) && environment_set(job, number) &&
	    (!tagged(job, number) || (dup2(pipes->out[1], STDOUT_FILENO) >= 0 &&
				      dup2(pipes->err[1], STDERR_FILENO) >= 0))) {
		signals_reset(job, number);
		/*
		 * set this limit last, because torus-run may have more open files than it permits
		 */
		setrlimit(RLIMIT_NOFILE, &job->files);
		execvp(program[0], program);
	}
	error = errno;
	if (write(pipes->fail[1], &error, sizeof(error)) < 0)
		_exit(RUN_REFUSED);
	_exit(error == ENOENT ? RUN_NO_FILE : RUN_NO_EXEC);
}

static void pair_close(int pair[2])
{
	int i;

	for (i = 0; i < 2; i++)
		if (pair[i] >= 0)
			close(pair[i]);
}

static bool pipes_open(struct pipes *pipes, bool tag)
{
	if (pipe2(pipes->fail, O_CLOEXEC))
		return false;
	return !tag || (!pipe2(pipes->out, O_CLOEXEC) && !pipe2(pipes->err, O_CLOEXEC));
}

static void output_take(struct run_output *output, int pair[2], uint32_t rank)
{
	output->rank = rank;
	output->from = pair[0];
	if (pair[0] < 0)
		return;
	fcntl(pair[0], F_SETFL, O_NONBLOCK);
	pair[0] = -1;
}

static int start_failed(const struct run_job *job, uint32_t number, const char *what, int error,
			int status)
{
	if (!what)
		what = run_rank_debugged(job, number) ? job->debugger->words[0] : job->program[0];
	if (job->mpirun)
		run_log("%s: %s", what, strerror(error));
	else
		run_log("rank %u: %s: %s", number, what, strerror(error));
	return status;
}

/**
 * run_rank_start - start the process of a rank
 * @job: the job
 * @number: the rank
 * @rank: [out] process of the rank. If its @pid is set, its @starting becomes readable when the
 *    program runs or cannot be run
 * @outputs: [out] the rank's standard output and standard error, if lines are tagged
 *
 * Return: 0, or the exit status of torus-run after an error message.
 */
int run_rank_start(const struct run_job *job, uint32_t number, struct run_rank *rank,
		   struct run_output outputs[2])
{
	struct pipes pipes = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	pid_t keeper = getpid();
	int status = 0;

	if (!pipes_open(&pipes, tagged(job, number))) {
		status = start_failed(job, number, "cannot create a pipe", errno, RUN_REFUSED);
	} else {
		rank->pid = fork();
		if (!rank->pid)
			rank_become(job, number, keeper, &pipes);
		if (rank->pid < 0) {
			rank->pid = 0;
			status = start_failed(job, number, "cannot create a process", errno,
					      RUN_REFUSED);
		}
	}
	if (rank->pid) {
		/*
		 * The child also calls setpgid(). Call it here too, because a signal may be sent
		 * before the child runs.
		 */
		setpgid(rank->pid, rank->pid);
		rank->starting = pipes.fail[0];
		fcntl(rank->starting, F_SETFL, O_NONBLOCK);
		pipes.fail[0] = -1;
	}
	output_take(&outputs[0], pipes.out, number);
	output_take(&outputs[1], pipes.err, number);
	pair_close(pipes.out);
	pair_close(pipes.err);
	pair_close(pipes.fail);
	return status;
}

/**
 * run_rank_started - find out whether the program of a rank runs
 * @job: the job
 * @number: the rank
 * @rank: [in, out] process of the rank, which has ended or whose @starting is readable; @starting
 *    is set to -1
 *
 * Return: 0, or the exit status of torus-run after an error message.
 */
int run_rank_started(const struct run_job *job, uint32_t number, struct run_rank *rank)
{
	ssize_t got;
	int error;

	do
		got = read(rank->starting, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	close(rank->starting);
	rank->starting = -1;
	if (got != sizeof(error))
		return 0;
	return start_failed(job, number, NULL, error,
			    error == ENOENT ? RUN_NO_FILE : RUN_NO_EXEC);
}

/**
 * run_rank_signal - send a signal to a rank and its process group
 * @rank: the rank
 * @signal: the signal
 */
void run_rank_signal(const struct run_rank *rank, int signal)
{
	if (!rank->pid || rank->over)
		return;
	kill(-rank->pid, signal);
	/*
	 * The rank may have joined another process group, so signal the process itself, too. Its
	 * process ID is not reused before the process is reaped.
	 */
	if (getpgid(rank->pid) != rank->pid)
		kill(rank->pid, signal);
}

/**
 * run_rank_kill - kill a rank and its process group
 * @rank: the rank
 *
 * Return: false with errno if this user may not kill the rank.
 */
bool run_rank_kill(const struct run_rank *rank)
{
	if (!rank->pid || rank->over)
		return true;
	kill(-rank->pid, SIGKILL);
	return !kill(rank->pid, SIGKILL);
}
