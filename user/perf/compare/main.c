// SPDX-License-Identifier: GPL-2.0
/*
 * torus-perf: compare messages over the torus with messages over sockets, pipes and shared memory.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../common/answer.h"
#include "../../common/escape.h"
#include "perf.h"
#include "options.h"
#include "partner.h"
#include "measure.h"
#include "print.h"
#include "torus.h"
#include "transport.h"
#include "poll_wait.h"

static bool torus_wanted(const struct call *call)
{
	unsigned int way;

	for (way = 0; way < call->nways; way++)
		if (transports[call->ways[way].transport].torus)
			return true;
	return false;
}

static struct perf_shared *shared_make(const struct call *call)
{
	struct perf_shared *shared = mmap(NULL, shared_bytes(call), PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t attributes;

	if (shared == MAP_FAILED)
		return NULL;
	pthread_barrierattr_init(&attributes);
	pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->all, &attributes, call->ranks);
	pthread_barrierattr_destroy(&attributes);
	return shared;
}

/* Create the channels of a transport between all ranks that exchange messages. */
static int channels_make_one(const struct call *call, unsigned int transport)
{
	unsigned int a, b;
	int ret = 0;

	for (a = 0; !ret && a < call->ranks; a++)
		for (b = a + 1; !ret && b < call->ranks; b++)
			if (partner_ever(call, a, b))
				ret = transports[transport].make(transport, a, b);
	return ret;
}

static int channels_make(const struct call *call)
{
	struct rlimit limit;
	unsigned int way, made = 0;
	int ret = 0;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (way = 0; !ret && way < call->nways; way++) {
		unsigned int transport = call->ways[way].transport;

		if (made >> transport & 1 || !transports[transport].make)
			continue;
		made |= 1u << transport;
		ret = channels_make_one(call, transport);
		if (ret)
			fprintf(stderr, "torus-perf: %s between %u ranks: %s\n",
				transports[transport].name, call->ranks, strerror(-ret));
	}
	return ret;
}

static size_t longest(const struct call *call)
{
	size_t bytes = 0;
	unsigned int i;

	for (i = 0; i < call->sizes.count; i++)
		if (call->sizes.bytes[i] > bytes)
			bytes = call->sizes.bytes[i];
	return bytes;
}

/* Run the process of a rank. Return: its exit status. */
static int rank_live(const struct call *call, struct perf_shared *shared, unsigned int number)
{
	struct perf_rank rank = { .call = call, .shared = shared, .number = number };
	int ret = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	rank.buffer = calloc(1, longest(call));
	if (!rank.buffer)
		ret = poll_wait_failed(&rank, "calloc", -ENOMEM);
	if (!ret && torus_wanted(call))
		ret = torus_join(&rank);
	if (!ret)
		ret = measure_rank(&rank);
	if (ret)
		torus_escape_message(stderr, "torus-perf: rank %u: %s\n", number, rank.why);
	else
		torus_leave(&rank);
	free(rank.buffer);
	return ret ? 1 : 0;
}

/*
 * Wait for the processes of all ranks. If a rank fails, kill the others, which would wait for the
 * failed rank. Return: 1 if a rank failed.
 */
static int ranks_wait(pid_t *ranks, unsigned int count)
{
	unsigned int left, i;
	int status, failed = 0;
	pid_t pid;

	for (left = count; left; left--) {
		do
			pid = wait(&status);
		while (pid < 0 && errno == EINTR);
		for (i = 0; i < count && ranks[i] != pid; i++)
			;
		if (i < count)
			ranks[i] = 0;
		if (!status)
			continue;
		if (!failed && WIFSIGNALED(status))
			fprintf(stderr, "torus-perf: rank %u was killed by signal %d\n", i,
				WTERMSIG(status));
		for (i = 0; !failed && i < count; i++)
			if (ranks[i] > 0)
				kill(ranks[i], SIGKILL);
		failed = 1;
	}
	return failed;
}

static int ranks_run(const struct call *call, struct perf_shared *shared)
{
	pid_t ranks[RANKS_MAX] = { 0 };
	unsigned int i, started;
	int ret = 0;

	for (started = 0; !ret && started < call->ranks; started++) {
		ranks[started] = fork();
		if (!ranks[started])
			_exit(rank_live(call, shared, started));
		if (ranks[started] < 0)
			ret = -errno;
	}
	if (ret) {
		fprintf(stderr, "torus-perf: rank %u: fork: %s\n", --started, strerror(-ret));
		for (i = 0; i < started; i++)
			kill(ranks[i], SIGKILL);
	}
	return ranks_wait(ranks, started) || ret ? 1 : 0;
}

static int perf_run(int argc, char **argv)
{
	struct torus_fabric_info info = { 0 };
	struct perf_shared *shared;
	struct call call;
	int status;

	status = perf_options(&call, argc, argv);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	if (torus_wanted(&call) && torus_ranks_fit(&call, &info))
		return 1;
	shared = shared_make(&call);
	if (!shared) {
		fprintf(stderr, "torus-perf: out of memory for %u rounds\n", call.rounds);
		return 1;
	}
	if (channels_make(&call) || ranks_run(&call, shared))
		return 1;
	table_print(&call, shared, torus_wanted(&call) ? &info : NULL);
	free(call.sizes.bytes);
	return 0;
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-perf", perf_run(argc, argv), 1);
}
