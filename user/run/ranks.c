// SPDX-License-Identifier: GPL-2.0
/* Start all ranks, wait for them, and end them together. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "debugger.h"
#include "missing.h"
#include "reaper.h"
#include "run.h"
#include "ranks.h"
#include "terminal.h"
#include "log.h"

#define NEVER		RUN_NEVER
#define NAMED_MAX	8	/* maximum number of ranks that a message names */
#define EVENTS		64
#define FLUSH_MS		1000	/* maximum time in ms for writing the last messages */

enum source {
	SOURCE_SIGNAL,
	SOURCE_LIFELINE,
	/* the program of the rank that was started last runs, or cannot be run */
	SOURCE_STARTED,
	SOURCE_WRITTEN,		/* the thread of a stream has written text */
	/* output of ranks that belongs to a stream is readable */
	SOURCE_READABLE = SOURCE_WRITTEN + 2,
};

/*
 * Standard output or standard error of torus-run, and the outputs of the ranks that are copied to
 * it.
 */
struct flow {
	struct run_stream stream;
	int outputs;		/* epoll descriptor for the outputs of the ranks */
	/* true if the stream is full: the outputs are not read until the stream has been written */
	bool paused;
};

/**
 * struct team - the ranks of a running job
 * @job: the job
 * @count: number of processes: one for each rank, or only mpirun
 * @next: number of the first rank that has not been started
 * @ranks: processes of the ranks
 * @outputs: two outputs per rank
 * @flows: standard output and standard error
 * @running: number of started ranks that are not over
 * @watch: epoll descriptor of all events
 * @signals: signalfd descriptor
 * @stops: number of SIGINT and SIGTERM received before draining()
 * @passed: the last signal that was forwarded to the ranks
 * @status: exit status
 * @failed: true if the job has failed and is ending
 * @stopped: true if the user ends torus-run without waiting for the output
 * @timeout_at: time at which the job exceeds --timeout, in ms by now_ms()
 * @kill_at: time of SIGKILL, in ms by now_ms()
 * @missing: report of ranks that other ranks wait for
 */
struct team {
	const struct run_job *job;
	uint32_t count;
	uint32_t next;
	struct run_rank *ranks;
	struct run_output *outputs;
	struct flow flows[2];
	uint32_t running;
	int watch;
	int signals;
	unsigned int stops;
	int passed;
	int status;
	bool failed;
	bool stopped;
	uint64_t timeout_at;
	uint64_t kill_at;
	struct run_missing missing;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

static const char *who(const struct team *team, uint32_t rank, char *text, size_t size)
{
	return run_rank_text(team->job, rank, &team->ranks[rank], text, size);
}

/* Name the ranks that are still running, but at most NAMED_MAX of them. */
static const char *who_runs(const struct team *team, char *text, size_t size)
{
	uint32_t rank, named = 0;
	char one[RUN_RANK_TEXT];
	size_t used = 0;

	*text = '\0';
	for (rank = 0; rank < team->count; rank++) {
		if (!team->ranks[rank].pid || team->ranks[rank].over)
			continue;
		if (named++ == NAMED_MAX) {
			snprintf(text + used, size - used, " and %" PRIu32 " more",
				 team->running - NAMED_MAX);
			break;
		}
		used += snprintf(text + used, size - used, "%s%s", named > 1 ? ", " : "",
				 who(team, rank, one, sizeof(one)));
	}
	return text;
}

static void signal_all(const struct team *team, int signal)
{
	uint32_t rank;

	for (rank = 0; rank < team->count; rank++)
		run_rank_signal(&team->ranks[rank], signal);
}

/* Send SIGTERM and SIGCONT to all ranks, and set the time of SIGKILL. */
static void end_all(struct team *team, int status)
{
	team->failed = true;
	team->status = status;
	team->timeout_at = NEVER;
	if (!team->running)
		return;
	signal_all(team, SIGTERM);
	/* continue stopped ranks, because only a running process can handle SIGTERM */
	signal_all(team, SIGCONT);
	team->kill_at = now_ms() + team->job->grace_ms;
}

/* Kill all ranks. Report the ranks that this user may not kill, and do not wait for these ranks. */
static void kill_ranks(struct team *team)
{
	char one[RUN_RANK_TEXT];
	uint32_t rank;

	for (rank = 0; rank < team->count; rank++) {
		if (run_rank_kill(&team->ranks[rank]))
			continue;
		run_log("cannot kill %s, it continues to run: %s",
			who(team, rank, one, sizeof(one)), strerror(errno));
		team->ranks[rank].over = true;
		team->running--;
	}
}

static void kill_all(struct team *team, int status)
{
	if (!team->failed)
		team->status = status;
	team->failed = true;
	team->timeout_at = NEVER;
	team->kill_at = NEVER;
	kill_ranks(team);
}

static void report_failed(const struct team *team, uint32_t rank, int status)
{
	char one[RUN_RANK_TEXT], others[48] = "";

	who(team, rank, one, sizeof(one));
	if (team->running)
		snprintf(others, sizeof(others), "; ending the other%s (%" PRIu32 ")",
			 team->running == 1 ? "" : "s", team->running);
	if (WIFSIGNALED(status))
		run_log("%s was killed by signal %d (%s)%s", one, WTERMSIG(status),
			strsignal(WTERMSIG(status)), others);
	else
		run_log("%s ended with status %d%s", one, WEXITSTATUS(status), others);
}

static void rank_started(struct team *team, uint32_t rank)
{
	int status;

	epoll_ctl(team->watch, EPOLL_CTL_DEL, team->ranks[rank].starting, NULL);
	status = run_rank_started(team->job, rank, &team->ranks[rank]);
	if (status)
		kill_all(team, status);
}

/* Return the rank that has the terminal of torus-run; NULL: none. */
static const struct run_rank *terminal_rank(const struct team *team)
{
	const struct run_rank *rank;

	if (!team->job->terminal)
		return NULL;
	rank = &team->ranks[team->job->debugger->rank];
	return rank->pid && !rank->over ? rank : NULL;
}

static void rank_over(struct team *team, uint32_t rank, int status)
{
	int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);

	/* if the program could not be run, report that reason first */
	if (team->ranks[rank].starting >= 0)
		rank_started(team, rank);
	/* from now on, Ctrl-C reaches torus-run, which ends the other ranks */
	if (&team->ranks[rank] == terminal_rank(team))
		run_terminal_give(team->ranks[rank].pid, team->job->terminal);
	team->ranks[rank].over = true;
	team->running--;
	if (!code || team->failed)
		return;
	/* mpirun reports its own end; do not report a signal that the user has sent */
	if (WIFSIGNALED(status) ? WTERMSIG(status) != team->passed : !team->job->mpirun)
		report_failed(team, rank, status);
	end_all(team, code);
}

/*
 * The rank that has the terminal was stopped, as by Ctrl-Z. Stop the whole job, so that the shell
 * takes the terminal. Without a shell that could continue the job, continue the rank.
 */
static void rank_stopped(const struct team *team, uint32_t rank)
{
	if (&team->ranks[rank] != terminal_rank(team))
		return;
	if (getsid(0) == team->job->terminal)
		run_rank_signal(&team->ranks[rank], SIGCONT);
	else
		kill(getppid(), SIGTSTP);
}

static void reap(struct team *team)
{
	uint32_t rank;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0)
		for (rank = 0; rank < team->count; rank++) {
			if (team->ranks[rank].pid != pid || team->ranks[rank].over)
				continue;
			if (WIFSTOPPED(status))
				rank_stopped(team, rank);
			else
				rank_over(team, rank, status);
		}
}

/*
 * Check whether no rank runs and no rank will be started. Then only output remains to be written.
 */
static bool draining(const struct team *team)
{
	return !team->running && (team->failed || team->next == team->count);
}

static bool asks_to_end(int signal)
{
	return signal == SIGINT || signal == SIGTERM;
}

/* Check whether a signal ends a process that does not handle the signal. */
static bool ends(int signal)
{
	return signal != SIGTSTP && signal != SIGCONT;
}

static void take_signal(struct team *team)
{
	struct signalfd_siginfo info;
	int signal;

	if (read(team->signals, &info, sizeof(info)) != sizeof(info))
		return;
	signal = info.ssi_signo;
	if (signal == SIGCHLD) {
		reap(team);
		return;
	}
	if (draining(team) ? ends(signal) : asks_to_end(signal) && ++team->stops > 1) {
		kill_all(team, 128 + signal);
		team->stopped = true;
		return;
	}
	team->passed = signal;
	/* the user may have continued the job in the foreground */
	if (signal == SIGCONT && terminal_rank(team))
		run_terminal_give(team->job->terminal, terminal_rank(team)->pid);
	signal_all(team, signal);
	/* ranks that have not been started cannot receive the signal, so end the other ranks */
	if (asks_to_end(signal) && team->next < team->count)
		end_all(team, 128 + signal);
}

static void take_time(struct team *team)
{
	char text[NAMED_MAX * RUN_RANK_TEXT + 64];
	uint64_t now = now_ms();

	if (now >= team->missing.at)
		run_missing_report(&team->missing, team->job, team->ranks,
				   team->failed || !team->running ? 0 : team->next, now);
	if (now >= team->kill_at && team->running) {
		team->kill_at = NEVER;
		run_log("did not end within %g s of SIGTERM, killed: %s",
			team->job->grace_ms / 1e3, who_runs(team, text, sizeof(text)));
		kill_ranks(team);
	}
	if (now >= team->timeout_at) {
		if (team->running)
			run_log("time-out of %g s: ending %s", team->job->timeout_ms / 1e3,
				who_runs(team, text, sizeof(text)));
		else
			run_log("time-out of %g s", team->job->timeout_ms / 1e3);
		end_all(team, RUN_TIMED_OUT);
	}
}

static int wait_ms(uint64_t at)
{
	uint64_t now = now_ms();

	if (at == NEVER)
		return -1;
	return at <= now ? 0 : at - now > 60000 ? 60000 : (int)(at - now);
}

static uint64_t team_next_at(const struct team *team)
{
	uint64_t at = team->kill_at < team->timeout_at ? team->kill_at : team->timeout_at;

	return at < team->missing.at ? at : team->missing.at;
}

static bool watch(int poll, int fd, uint64_t source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = source };

	return !epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

static void output_end(struct flow *flow, struct run_output *output)
{
	/*
	 * Remove the pipe from the epoll set explicitly. close() does not remove it, because a rank
	 * before its execve() also has the pipe open.
	 */
	if (output->from >= 0)
		epoll_ctl(flow->outputs, EPOLL_CTL_DEL, output->from, NULL);
	run_output_end(output);
}

/* Read outputs of the ranks until the stream is full. */
static void outputs_read(struct team *team, unsigned int i)
{
	struct flow *flow = &team->flows[i];
	struct epoll_event events[EVENTS];
	int count = epoll_wait(flow->outputs, events, EVENTS, 0), at;

	for (at = 0; at < count && !flow->paused; at++) {
		struct run_output *output = &team->outputs[events[at].data.u64];

		if (!run_output_read(output))
			output_end(flow, output);
		flow->paused = run_stream_full(&flow->stream);
	}
	if (flow->paused)
		epoll_ctl(team->watch, EPOLL_CTL_DEL, flow->outputs, NULL);
}

static void stream_written(struct team *team, unsigned int i)
{
	struct flow *flow = &team->flows[i];

	run_stream_woken(&flow->stream);
	if (!flow->paused || run_stream_full(&flow->stream))
		return;
	flow->paused = !watch(team->watch, flow->outputs, SOURCE_READABLE + i);
}

/*
 * Wait for events and handle them. Return the number of events; -1 if torus-run has died, or after
 * an error.
 */
static int round_take(struct team *team, int timeout_ms)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(team->watch, events, EVENTS, timeout_ms), i;

	for (i = 0; i < count; i++) {
		uint64_t source = events[i].data.u64;

		if (source == SOURCE_SIGNAL)
			take_signal(team);
		else if (source == SOURCE_LIFELINE)
			return -1;
		else if (source >= SOURCE_READABLE)
			outputs_read(team, source - SOURCE_READABLE);
		else if (source >= SOURCE_WRITTEN)
			stream_written(team, source - SOURCE_WRITTEN);
		else if (team->ranks[team->next - 1].starting >= 0)
			rank_started(team, team->next - 1);
	}
	if (count < 0)
		return errno == EINTR ? 0 : -1;
	return count;
}

/* Start the next rank if the previous rank is running its program. */
static void team_start(struct team *team)
{
	uint32_t number = team->next, i;
	struct run_rank *rank = &team->ranks[number];
	struct run_output *outputs = &team->outputs[2 * number];
	int status;

	if (number == team->count || team->failed ||
	    (number && team->ranks[number - 1].starting >= 0))
		return;
	team->next++;
	status = run_rank_start(team->job, number, rank, outputs);
	if (rank->pid)
		team->running++;
	run_missing_start(&team->missing, team->job, now_ms());
	for (i = 0; i < 2 && !status; i++)
		if (outputs[i].from >= 0 &&
		    !watch(team->flows[i].outputs, outputs[i].from, 2 * number + i))
			status = RUN_REFUSED;
	if (!status && !watch(team->watch, rank->starting, SOURCE_STARTED))
		status = RUN_REFUSED;
	if (status == RUN_REFUSED && rank->pid)
		run_log("rank %" PRIu32 ": cannot monitor its process: %s", number,
			strerror(errno));
	if (status)
		kill_all(team, status);
}

static bool flow_open(struct team *team, unsigned int i, int to)
{
	struct flow *flow = &team->flows[i];

	flow->outputs = epoll_create1(EPOLL_CLOEXEC);
	return flow->outputs >= 0 && run_stream_open(&flow->stream, to) &&
	       watch(team->watch, flow->outputs, SOURCE_READABLE + i) &&
	       watch(team->watch, flow->stream.wake, SOURCE_WRITTEN + i);
}

static bool team_open(struct team *team, const struct run_job *job, int lifeline,
		      const sigset_t *signals)
{
	uint32_t i;

	*team = (struct team){
		.job = job, .count = job->processes,
		.timeout_at = job->timeout_ms ? now_ms() + job->timeout_ms : NEVER,
		.kill_at = NEVER, .missing.at = NEVER,
	};
	team->ranks = calloc(team->count, sizeof(*team->ranks));
	team->outputs = calloc(2 * team->count, sizeof(*team->outputs));
	team->watch = epoll_create1(EPOLL_CLOEXEC);
	team->signals = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	for (i = 0; team->ranks && i < team->count; i++)
		team->ranks[i].starting = -1;
	for (i = 0; team->outputs && i < 2 * team->count; i++)
		team->outputs[i] = (struct run_output){
			.mpi = job->mpirun, .from = -1, .to = &team->flows[i % 2].stream,
		};
	return team->ranks && team->outputs && team->watch >= 0 && team->signals >= 0 &&
	       watch(team->watch, team->signals, SOURCE_SIGNAL) &&
	       watch(team->watch, lifeline, SOURCE_LIFELINE) &&
	       flow_open(team, 0, STDOUT_FILENO) && flow_open(team, 1, STDERR_FILENO);
}

static bool all_written(struct team *team)
{
	return !run_stream_waiting(&team->flows[0].stream) &&
	       !run_stream_waiting(&team->flows[1].stream);
}

/*
 * Write the remaining output of the ranks. If the job has ended by itself, wait for the reader of
 * the output until the job's time limit. After that, or if the job has failed, wait for the grace
 * period.
 */
static int team_drain(struct team *team)
{
	uint64_t until = NEVER;
	uint32_t i;
	int got;

	do {
		if (team->failed && until == NEVER)
			until = now_ms() + team->job->grace_ms;
		got = round_take(team, all_written(team) ? 0 :
				 wait_ms(team->failed ? until : team->timeout_at));
		take_time(team);
	} while (got >= 0 && !team->stopped && now_ms() < until && (got || !all_written(team)));
	/* Close the pipes here, because ranks that could not be killed may have them open. */
	for (i = 0; got >= 0 && i < 2 * team->count; i++)
		output_end(&team->flows[i % 2], &team->outputs[i]);
	while (got >= 0 && !team->stopped && now_ms() < until && !all_written(team))
		got = round_take(team, wait_ms(until));
	return got;
}

/*
 * Report how many bytes of standard output are lost. Also report write errors of standard output
 * and standard error.
 */
static void report_lost(struct team *team)
{
	static const char *const names[] = { "standard output", "standard error" };
	uint64_t until = now_ms() + FLUSH_MS;
	size_t waiting = run_stream_waiting(&team->flows[0].stream);
	unsigned int i;

	if (waiting)
		run_log("standard output has no reader: %zu bytes are lost", waiting);
	for (i = 0; i < 2; i++) {
		int error = run_stream_error(&team->flows[i].stream);

		/*
		 * a closed pipe is not an error if the job has failed, because the failure may have
		 * closed the pipe
		 */
		if (error && !(error == EPIPE && team->failed))
			run_log("%s: %s", names[i], strerror(error));
		if (error && !team->status)
			team->status = RUN_REFUSED;
	}
	while (run_stream_waiting(&team->flows[1].stream) && now_ms() < until &&
	       round_take(team, wait_ms(until)) >= 0)
		;
}

/**
 * run_ranks - run a job until all its ranks have ended
 * @job: the job
 * @lifeline: reading end of a pipe that is closed when torus-run dies
 * @signals: signals to forward to the ranks, and SIGCHLD; all are blocked
 *
 * No process survives that the ranks have started, except processes that this user may not kill.
 * The caller must exit next: the threads of the streams may be blocked in write(2).
 *
 * Return: the exit status of torus-run.
 */
int run_ranks(const struct run_job *job, int lifeline, const sigset_t *signals)
{
	static struct team team;
	unsigned int left;
	int got = 0;

	if (!team_open(&team, job, lifeline, signals)) {
		run_log("cannot monitor %" PRIu32 " ranks: %s", team.count, strerror(errno));
		return RUN_REFUSED;
	}
	run_log_to(&team.flows[1].stream);
	while (!draining(&team) && got >= 0) {
		team_start(&team);
		got = round_take(&team, draining(&team) ? 0 : wait_ms(team_next_at(&team)));
		take_time(&team);
	}
	left = run_reap();
	if (left && got >= 0 && !team.failed && !team.passed)
		run_log("killed %u process%s that outlived the ranks", left,
			left == 1 ? "" : "es");
	if (got >= 0)
		got = team_drain(&team);
	if (got < 0)
		return 128 + SIGKILL;
	report_lost(&team);
	return team.status;
}
