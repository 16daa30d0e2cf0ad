// SPDX-License-Identifier: GPL-2.0
/*
 * Test that torus-run ends in time if the reader of its output does not read, if ranks cannot be
 * started, and if ranks leave their process group. Jobs are real processes, but there is no fabric.
 * The limit of the checks on the time without output (hang_timeout.py) detects a job that hangs.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../common/progress.h"
#include "core/tests/says.h"
#include "../debugger.h"
#include "../mpirun.h"
#include "../supervisor.h"
#include "../run.h"

#define LEAVER		"TEST_RUN_LEAVES"
#define PAUSE_US	200000

/* How one rank behaves before its program is executed. */
static struct {
	uint32_t rank;
	bool fails;
	bool waits;
} start;

/* delay in microseconds of rank 0, before its program is executed */
static useconds_t first_us;

const char *query_text(const struct torus_ioc_fabric *fabric, uint32_t node, char *text,
		       size_t size)
{
	snprintf(text, size, "%u", node);
	return text;
}

bool run_env_set_mpi(const struct run_env *env, const char *provider_path)
{
	return true;
}

bool run_env_set(const struct run_env *env, uint32_t rank)
{
	if (!rank)
		usleep(first_us);
	if (start.waits && rank == start.rank)
		pause();
	if (!start.fails || rank != start.rank)
		return true;
	/* wait until all earlier ranks of the job have ended */
	usleep(PAUSE_US);
	errno = EACCES;
	return false;
}

/*
 * Leave the process group as a shell with job control does: the leader joins the group of its
 * child.
 */
__attribute__((constructor)) static void leave_group(void)
{
	pid_t child;

	if (!getenv(LEAVER))
		return;
	child = fork();
	if (!child) {
		setpgid(0, 0);
		for (;;)
			pause();
	}
	setpgid(child, child);
	signal(SIGTERM, SIG_IGN);
	if (!setpgid(0, child))
		for (;;)
			pause();
	_exit(1);
}

static struct run_fabric_info machine;

static struct run_job *job_make(uint32_t ranks, char **program)
{
	static struct run_job job;
	uint32_t i;

	free(job.env.places.at);
	start = (typeof(start)){ .rank = UINT32_MAX };
	job = (struct run_job){
		.program = program, .processes = ranks, .grace_ms = 100, .progress = -1,
	};
	job.env.machine = &machine;
	job.env.places.count = ranks;
	job.env.places.at = calloc(ranks, sizeof(*job.env.places.at));
	for (i = 0; i < ranks; i++)
		job.env.places.at[i].node = i;
	getrlimit(RLIMIT_NOFILE, &job.files);
	return &job;
}

/* Start torus-run as a process. @out: descriptor of its standard output; -1: closed. */
static pid_t job_start(const struct run_job *job, int out)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	if (out < 0)
		close(STDOUT_FILENO);
	else
		dup2(out, STDOUT_FILENO);
	_exit(run_supervise(job));
}

/*
 * Wait until no process of the job is left, and return the exit status of torus-run. This process
 * is a subreaper, so it adopts all remaining processes of the job.
 */
static int job_end(pid_t pid)
{
	int status, its = -1;
	pid_t ended;

	while ((ended = wait(&status)) > 0)
		if (ended == pid)
			its = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	assert_int_equal(errno, ECHILD);
	return its;
}

static char *yes[] = { "yes", NULL };

static void test_time_limit_with_a_stopped_reader(void **state)
{
	struct run_job *job = job_make(2, yes);
	int pipes[2];

	job->tag = true;
	job->timeout_ms = 300;
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_int_equal(job_end(job_start(job, pipes[1])), RUN_TIMED_OUT);
	close(pipes[0]);
	close(pipes[1]);
}

/* Start a job whose output is not read, and wait until the output fills the pipe. */
static pid_t job_stuck(int pipes[2])
{
	struct run_job *job = job_make(2, yes);
	pid_t pid;

	job->tag = true;
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	pid = job_start(job, pipes[1]);
	usleep(PAUSE_US);
	return pid;
}

static void test_signals_with_a_stopped_reader(void **state)
{
	int pipes[2];
	pid_t pid = job_stuck(pipes);

	kill(pid, SIGTERM);
	usleep(PAUSE_US);
	kill(pid, SIGTERM);
	assert_int_equal(job_end(pid), 128 + SIGTERM);
	close(pipes[0]);
	close(pipes[1]);
}

static void test_kill_with_a_stopped_reader(void **state)
{
	int pipes[2];
	pid_t pid = job_stuck(pipes);

	kill(pid, SIGKILL);
	assert_int_equal(job_end(pid), 128 + SIGKILL);
	close(pipes[0]);
	close(pipes[1]);
}

static void test_slow_reader_gets_all(void **state)
{
	struct run_job *job = job_make(1, (char *[]){ "head", "-c", "3000000", "/dev/zero", NULL });
	static char text[1 << 16];
	size_t zeros = 0;
	int pipes[2];
	ssize_t got;
	pid_t pid;

	job->tag = true;
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	pid = job_start(job, pipes[1]);
	close(pipes[1]);
	usleep(PAUSE_US);
	while ((got = read(pipes[0], text, sizeof(text))) > 0)
		while (got)
			zeros += !text[--got];
	assert_int_equal(job_end(pid), 0);
	assert_int_equal(zeros, 3000000);
	close(pipes[0]);
}

/* Lines of mpirun get the form of torus-run's own tags, its messages stay, its status passes. */
static void test_lines_of_mpirun(void **state)
{
	static const struct run_mpirun mpirun;
	struct run_job *job = job_make(3, (char *[]){
		"sh", "-c", "echo '[1,2]<stdout>:a b'; echo '[1,10]<stdout>:'; echo 'message [1'; "
		"exit 7", NULL });
	char text[256];
	ssize_t got, used = 0;
	int pipes[2];
	pid_t pid;

	job->mpirun = &mpirun;
	job->processes = 1;
	job->tag = true;
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	pid = job_start(job, pipes[1]);
	close(pipes[1]);
	while ((got = read(pipes[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += got;
	text[used] = '\0';
	assert_int_equal(job_end(pid), 7);
	assert_string_equal(text, "2: a b\n10: \nmessage [1\n");
	close(pipes[0]);
}

static void test_output_that_cannot_be_written(void **state)
{
	struct run_job *job = job_make(2, (char *[]){ "echo", "x", NULL });
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	int reading = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(full >= 0 && reading >= 0);
	job->tag = true;
	assert_int_equal(job_end(job_start(job, full)), RUN_REFUSED);
	assert_int_equal(job_end(job_start(job, reading)), RUN_REFUSED);
	close(full);
	close(reading);
}

static void test_start_that_fails_after_the_others_ended(void **state)
{
	struct run_job *job = job_make(16, (char *[]){ "true", NULL });
	int i;

	start.fails = true;
	start.rank = 15;
	for (i = 0; i < 4; i++)
		assert_int_equal(job_end(job_start(job, STDOUT_FILENO)), 126);
}

static void test_time_limit_while_ranks_are_started(void **state)
{
	struct run_job *job = job_make(3, (char *[]){ "sleep", "1000", NULL });

	start.waits = true;
	start.rank = 1;
	job->timeout_ms = 300;
	assert_int_equal(job_end(job_start(job, STDOUT_FILENO)), RUN_TIMED_OUT);
}

static void test_signal_while_ranks_are_started(void **state)
{
	struct run_job *job = job_make(3, (char *[]){ "sleep", "1000", NULL });
	pid_t pid;

	start.waits = true;
	start.rank = 1;
	pid = job_start(job, STDOUT_FILENO);
	usleep(PAUSE_US);
	kill(pid, SIGTERM);
	assert_int_equal(job_end(pid), 128 + SIGTERM);
}

static bool first_attached(const struct run_env *env, bool *attached)
{
	attached[0] = true;
	return true;
}

static bool both_attached(const struct run_env *env, bool *attached)
{
	attached[0] = true;
	attached[1] = true;
	return true;
}

static bool none_attached(const struct run_env *env, bool *attached)
{
	return true;
}

#define JOB_KEY		"4711"
#define OTHER_KEY	"4712"

/**
 * struct said - a job of two ranks that runs longer than the time until missing ranks are reported
 * @job: the job
 * @text: text of torus-run's standard error
 * @pid: process ID of torus-run
 * @from: reading end of a pipe from torus-run's standard error
 */
struct said {
	struct run_job *job;
	char text[512];
	pid_t pid;
	int from;
};

static void said_start(struct said *said,
		       bool (*attached)(const struct run_env *env, bool *attached), char *seconds)
{
	int before = dup(STDERR_FILENO), pipes[2];
	char path[32];

	said->job = job_make(2, (char *[]){ "sleep", seconds, NULL });
	said->job->attached = attached;
	said->job->progress = torus_progress_open(strtoul(JOB_KEY, NULL, 10), 2);
	assert_true(said->job->progress >= 0);
	setenv("TORUS_PROGRESS", torus_progress_path(said->job->progress, path, sizeof(path)), 1);
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	dup2(pipes[1], STDERR_FILENO);
	said->pid = job_start(said->job, STDOUT_FILENO);
	dup2(before, STDERR_FILENO);
	close(before);
	close(pipes[1]);
	said->from = pipes[0];
}

/* Write the progress of a rank, as the library does in the rank's process. */
static void said_note(const char *rank, const char *key, enum torus_progress progress)
{
	setenv("TORUS_RANK", rank, 1);
	setenv("TORUS_KEY", key, 1);
	torus_progress_note(progress);
}

static const char *said_end(struct said *said)
{
	size_t used = 0;
	ssize_t got;

	while ((got = read(said->from, said->text + used, sizeof(said->text) - 1 - used)) > 0)
		used += got;
	said->text[used] = '\0';
	close(said->from);
	close(said->job->progress);
	unsetenv("TORUS_PROGRESS");
	assert_int_equal(job_end(said->pid), 0);
	return said->text;
}

/*
 * Check that the text of standard error is one line with the number of missing ranks and the given
 * words.
 */
static void is_missing(const char *text, const char *words)
{
	assert_says(text, "torus-run: 1 2 rank node pid");
	assert_says(text, words);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void test_ranks_that_are_missing(void **state)
{
	struct said said;

	said_start(&said, first_attached, "3.5");
	is_missing(said_end(&said), "1 attached");
	assert_non_null(says_lacks(said.text, "0"));
	said_start(&said, none_attached, "3.5");
	assert_string_equal(said_end(&said), "");
}

static void test_rank_that_does_not_open_the_job(void **state)
{
	struct said said;

	said_start(&said, both_attached, "3.5");
	said_note("1", JOB_KEY, TORUS_PROGRESS_OPENING);
	/* these are ignored: the key of another job, and numbers that are not ranks of the job */
	said_note("0", OTHER_KEY, TORUS_PROGRESS_OPENING);
	said_note("2", JOB_KEY, TORUS_PROGRESS_OPENING);
	said_note("-1", JOB_KEY, TORUS_PROGRESS_OPENING);
	is_missing(said_end(&said), "0 attached opened job");
}

static void test_rank_that_waits_for_the_job(void **state)
{
	struct said said;

	said_start(&said, both_attached, "3.5");
	said_note("0", JOB_KEY, TORUS_PROGRESS_OPENING);
	said_note("1", JOB_KEY, TORUS_PROGRESS_OPENING);
	said_note("1", JOB_KEY, TORUS_PROGRESS_JOINED);
	is_missing(said_end(&said), "0 torus_job_open()");
}

/* Ranks are not missing if they attach without opening a job, or if they have joined the job. */
static void test_ranks_that_are_not_missing(void **state)
{
	struct said said;

	said_start(&said, both_attached, "3.5");
	assert_string_equal(said_end(&said), "");
	said_start(&said, first_attached, "3.5");
	said_note("0", JOB_KEY, TORUS_PROGRESS_JOINED);
	said_note("1", JOB_KEY, TORUS_PROGRESS_JOINED);
	assert_string_equal(said_end(&said), "");
}

/*
 * The last rank starts 2.5 seconds after the first. The time until the report begins at the last
 * start.
 */
static void test_rank_that_is_started_late(void **state)
{
	struct said said;

	first_us = 2500 * 1000;
	said_start(&said, first_attached, "1");
	first_us = 0;
	assert_string_equal(said_end(&said), "");
}

static void test_rank_that_leaves_its_group(void **state)
{
	struct run_job *job = job_make(2, (char *[]){ "/proc/self/exe", NULL });

	job->timeout_ms = 300;
	setenv(LEAVER, "1", 1);
	assert_int_equal(job_end(job_start(job, STDOUT_FILENO)), RUN_TIMED_OUT);
	unsetenv(LEAVER);
}

/* The rank with the debugger reads standard input, and its output has no tag. */
static void test_debugger(void **state)
{
	struct run_job *job = job_make(3, (char *[]){ "sh", "-c", "cat; echo end", NULL });
	struct run_debugger debugger = { .rank = 2 };
	struct parse_error why;
	char text[64] = "";
	int in[2], out[2], saved = dup(STDIN_FILENO);
	ssize_t got, used = 0;
	pid_t pid;

	assert_true(run_debugger_parse(&debugger, "1:env 'X=1 2'", &why));
	assert_int_equal(run_debugger_make(&debugger, "--debugger", (char *[]){
		"sh", "-c", "cat; echo $X", NULL }), 0);
	job->debugger = &debugger;
	job->tag = true;
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(write(in[1], "word\n", 5), 5);
	dup2(in[0], STDIN_FILENO);
	close(in[1]);
	pid = job_start(job, out[1]);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(in[0]);
	close(out[1]);
	while ((got = read(out[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += got;
	close(out[0]);
	assert_int_equal(job_end(pid), 0);
	run_debugger_free(&debugger);
	assert_non_null(strstr(text, "word\n"));
	assert_non_null(strstr(text, "1 2\n"));
	assert_non_null(strstr(text, "0: end\n"));
	assert_non_null(strstr(text, "2: end\n"));
	assert_int_equal(used, strlen("word\n1 2\n0: end\n2: end\n"));
}

/* Send a signal to a job in the foreground, as a shell does. */
static void foreground(pid_t job)
{
	tcsetpgrp(STDIN_FILENO, job);
	kill(job, SIGCONT);
}

/*
 * Run a job as a shell with job control does, in its own process group. The rank stops itself; the
 * job then stops, and continues. Return: exit status of torus-run, or 200 and more for an error.
 */
static int shell_run(struct run_job *job)
{
	int status, stops = 0;
	pid_t pid;

	signal(SIGTTOU, SIG_IGN);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		job->terminal = getpid();
		_exit(run_supervise(job));
	}
	while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status) && stops++ < 3) {
		tcsetpgrp(STDIN_FILENO, getpgrp());
		usleep(PAUSE_US / 4);
		foreground(pid);
	}
	if (stops != 1)
		return 200 + stops;
	if (tcgetpgrp(STDIN_FILENO) != pid)
		return 220;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 230;
}

/* The rank is in the foreground of the terminal, before and after the job is stopped. */
static void test_terminal(void **state)
{
	static const char script[] =
		"fg() { read -r _ _ _ _ pgrp _ _ tpgid _ </proc/$$/stat; "
		"[ $pgrp = $tpgid ] && [ $pgrp = $$ ]; }; fg || exit 3; kill -TSTP $$; "
		"fg || exit 4; read -r word; [ \"$word\" = typed ] || exit 5; exit 7";
	struct run_job *job = job_make(2, (char *[]){ "true", NULL });
	struct run_debugger debugger = { .rank = 0 };
	struct parse_error why;
	int master, status;
	pid_t pid;

	assert_true(run_debugger_parse(&debugger, "1:env", &why));
	assert_int_equal(run_debugger_make(&debugger, "--debugger",
					   (char *[]){ "sh", "-c", (char *)script, NULL }), 0);
	job->debugger = &debugger;
	pid = forkpty(&master, NULL, NULL, NULL);
	assert_true(pid >= 0);
	if (!pid)
		_exit(shell_run(job));
	assert_int_equal(write(master, "typed\n", 6), 6);
	status = job_end(pid);
	close(master);
	run_debugger_free(&debugger);
	assert_int_equal(status, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_limit_with_a_stopped_reader),
		cmocka_unit_test(test_signals_with_a_stopped_reader),
		cmocka_unit_test(test_kill_with_a_stopped_reader),
		cmocka_unit_test(test_slow_reader_gets_all),
		cmocka_unit_test(test_lines_of_mpirun),
		cmocka_unit_test(test_output_that_cannot_be_written),
		cmocka_unit_test(test_start_that_fails_after_the_others_ended),
		cmocka_unit_test(test_time_limit_while_ranks_are_started),
		cmocka_unit_test(test_signal_while_ranks_are_started),
		cmocka_unit_test(test_ranks_that_are_missing),
		cmocka_unit_test(test_rank_that_does_not_open_the_job),
		cmocka_unit_test(test_rank_that_waits_for_the_job),
		cmocka_unit_test(test_ranks_that_are_not_missing),
		cmocka_unit_test(test_rank_that_is_started_late),
		cmocka_unit_test(test_rank_that_leaves_its_group),
		cmocka_unit_test(test_debugger),
		cmocka_unit_test(test_terminal),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
