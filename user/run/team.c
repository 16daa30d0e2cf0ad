// SPDX-License-Identifier: GPL-2.0
/* All ranks: started, watched, ended together. */
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

#include "orphans.h"
#include "run.h"
#include "team.h"

#define NEVER		UINT64_MAX
#define NAMED_MAX	8	/* ranks that a message names */
#define EVENTS		64
#define WHO_BYTES	(WORD_COORDS_MAX + 48)

/* What an event is of; an output's place comes behind these. */
enum source {
	SOURCE_SIGNAL,
	SOURCE_LIFELINE,
	SOURCE_OUTPUT,
};

/**
 * struct team - the ranks of a job, under way
 * @job: the job
 * @count: number of ranks
 * @ranks: their processes
 * @outputs: two a rank
 * @open: outputs that are not at their end
 * @running: ranks that have not ended
 * @watch: epoll's
 * @signals: signalfd's
 * @stops: how often SIGINT or SIGTERM has come
 * @passed: the last signal that was passed on
 * @status: exit status
 * @failed: it is decided
 * @timeout_at: when the job has taken too long, in ms of the clock
 * @kill_at: when the grace is over
 */
struct team {
	const struct run_job *job;
	uint32_t count;
	struct run_rank *ranks;
	struct run_output *outputs;
	uint32_t open;
	uint32_t running;
	int watch;
	int signals;
	unsigned int stops;
	int passed;
	int status;
	bool failed;
	uint64_t timeout_at;
	uint64_t kill_at;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

static const char *who(const struct team *team, uint32_t rank, char *text, size_t size)
{
	const struct run_place *at = &team->job->env.places.at[rank];
	char node[WORD_COORDS_MAX];

	snprintf(text, size, "rank %" PRIu32 " (node %s, pid %d)", rank,
		 query_text(&team->job->env.machine->fabric, at->node, node, sizeof(node)),
		 team->ranks[rank].pid);
	return text;
}

/* The ranks that still run, the first few by name. */
static const char *who_runs(const struct team *team, char *text, size_t size)
{
	uint32_t rank, named = 0;
	char one[WHO_BYTES];
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

/* SIGTERM, and SIGKILL when the grace is over. */
static void end_all(struct team *team, int status)
{
	team->failed = true;
	team->status = status;
	team->timeout_at = NEVER;
	if (!team->running)
		return;
	signal_all(team, SIGTERM);
	/* One that is stopped must go on to end. */
	signal_all(team, SIGCONT);
	team->kill_at = now_ms() + team->job->grace_ms;
}

static void kill_all(struct team *team, int status)
{
	if (!team->failed)
		team->status = status;
	team->failed = true;
	team->timeout_at = NEVER;
	team->kill_at = NEVER;
	signal_all(team, SIGKILL);
}

static void tell_failed(const struct team *team, uint32_t rank, int status)
{
	char one[WHO_BYTES], others[48] = "";

	who(team, rank, one, sizeof(one));
	if (team->running)
		snprintf(others, sizeof(others), "; ending the other%s (%" PRIu32 ")",
			 team->running == 1 ? "" : "s", team->running);
	if (WIFSIGNALED(status))
		run_tell("%s was killed by signal %d (%s)%s", one, WTERMSIG(status),
			 strsignal(WTERMSIG(status)), others);
	else
		run_tell("%s ended with status %d%s", one, WEXITSTATUS(status), others);
}

static void rank_over(struct team *team, uint32_t rank, int status)
{
	int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);

	team->ranks[rank].over = true;
	team->running--;
	if (!code || team->failed)
		return;
	/* Who asked for it need not be told. */
	if (!WIFSIGNALED(status) || WTERMSIG(status) != team->passed)
		tell_failed(team, rank, status);
	end_all(team, code);
}

static void reap(struct team *team)
{
	uint32_t rank;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (rank = 0; rank < team->count; rank++)
			if (team->ranks[rank].pid == pid && !team->ranks[rank].over)
				rank_over(team, rank, status);
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
	if ((signal == SIGINT || signal == SIGTERM) && ++team->stops > 1) {
		kill_all(team, 128 + signal);
		return;
	}
	team->passed = signal;
	signal_all(team, signal);
}

static void take_time(struct team *team)
{
	char text[NAMED_MAX * WHO_BYTES + 64];
	uint64_t now = now_ms();

	if (now >= team->kill_at) {
		team->kill_at = NEVER;
		run_tell("did not end within %g s of SIGTERM, killed: %s",
			 team->job->grace_ms / 1e3, who_runs(team, text, sizeof(text)));
		signal_all(team, SIGKILL);
	}
	if (now >= team->timeout_at) {
		run_tell("time-out of %g s: ending %s", team->job->timeout_ms / 1e3,
			 who_runs(team, text, sizeof(text)));
		end_all(team, RUN_TIMED_OUT);
	}
}

static int wait_ms(const struct team *team)
{
	uint64_t at = team->kill_at < team->timeout_at ? team->kill_at : team->timeout_at;
	uint64_t now = now_ms();

	if (at == NEVER)
		return -1;
	return at <= now ? 0 : at - now > 60000 ? 60000 : (int)(at - now);
}

/* One round of events: how many there were. */
static int round_take(struct team *team, int timeout_ms)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(team->watch, events, EVENTS, timeout_ms), i;

	for (i = 0; i < count; i++) {
		uint64_t source = events[i].data.u64;

		if (source == SOURCE_SIGNAL)
			take_signal(team);
		else if (source >= SOURCE_OUTPUT)
			team->open -= !run_output_read(&team->outputs[source - SOURCE_OUTPUT]);
		else
			return -1;
	}
	if (count < 0)
		return errno == EINTR ? 0 : -1;
	return count;
}

static bool watch(struct team *team, int fd, uint64_t source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = source };

	return !epoll_ctl(team->watch, EPOLL_CTL_ADD, fd, &event);
}

/* 0, or the exit status when a rank could not be started. */
static int team_start(struct team *team)
{
	uint32_t rank, i;
	int status;

	for (rank = 0; rank < team->count; rank++) {
		status = run_rank_start(team->job, rank, &team->ranks[rank],
					&team->outputs[2 * rank], &team->outputs[2 * rank + 1]);
		if (status)
			return status;
		team->running++;
		for (i = 2 * rank; i < 2 * rank + 2; i++)
			if (team->outputs[i].from >= 0 && watch(team, team->outputs[i].from,
								SOURCE_OUTPUT + i))
				team->open++;
	}
	return 0;
}

static bool team_open(struct team *team, const struct run_job *job, int lifeline,
		      const sigset_t *signals)
{
	uint32_t i;

	*team = (struct team){
		.job = job, .count = job->env.places.count,
		.timeout_at = job->timeout_ms ? now_ms() + job->timeout_ms : NEVER,
		.kill_at = NEVER,
	};
	team->ranks = calloc(team->count, sizeof(*team->ranks));
	team->outputs = calloc(2 * team->count, sizeof(*team->outputs));
	team->watch = epoll_create1(EPOLL_CLOEXEC);
	team->signals = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	for (i = 0; team->outputs && i < 2 * team->count; i++)
		team->outputs[i].from = -1;
	return team->ranks && team->outputs && team->watch >= 0 && team->signals >= 0 &&
	       watch(team, team->signals, SOURCE_SIGNAL) && watch(team, lifeline, SOURCE_LIFELINE);
}

static void team_close(struct team *team)
{
	uint32_t i;

	for (i = 0; team->outputs && i < 2 * team->count; i++)
		run_output_end(&team->outputs[i]);
	free(team->ranks);
	free(team->outputs);
	close(team->watch);
	close(team->signals);
}

/**
 * run_team - run a job to its end
 * @job: the job
 * @lifeline: reading end of a pipe: at its end nobody waits for the job any more
 * @signals: what is passed on, and SIGCHLD; blocked
 *
 * Nothing that the ranks have started is left.
 *
 * Return: the exit status of torus-run.
 */
int run_team(const struct run_job *job, int lifeline, const sigset_t *signals)
{
	struct team team;
	unsigned int left;
	int got = 0;

	if (!team_open(&team, job, lifeline, signals)) {
		run_tell("cannot watch %" PRIu32 " ranks: %s", team.count, strerror(errno));
		team_close(&team);
		return RUN_REFUSED;
	}
	team.status = team_start(&team);
	if (team.status)
		kill_all(&team, team.status);
	while (team.running && got >= 0) {
		got = round_take(&team, wait_ms(&team));
		take_time(&team);
	}
	left = run_orphans_kill();
	if (left && got >= 0 && !team.failed && !team.passed)
		run_tell("the ranks left %u process%s behind: killed", left,
			 left == 1 ? "" : "es");
	/* Whoever wrote is dead: what there is can be had without waiting. */
	while (team.open && got >= 0 && round_take(&team, 0) > 0)
		;
	team_close(&team);
	return got < 0 ? 128 + SIGKILL : team.status;
}
