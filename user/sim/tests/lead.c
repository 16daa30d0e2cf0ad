// SPDX-License-Identifier: GPL-2.0
/*
 * Stubs of the launcher and of torus-sim's messages, for tests of processes that simulate
 * together.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../transport/local.h"
#include "core/tests/rig.h"
#include "../transport/mpi_loader.h"
#include "../transport/procs.h"
#include "lead.h"

/* seconds after which a hanging test is killed; long enough for a loaded machine */
#define HANGS_S	600

struct lead_asked lead_asked;

static char load[8] = "--load", half[4] = ".5", third[4] = ".3";
static char *words[] = { load, half, NULL };

struct sim_transport *sim_mpi_load(char *why, size_t size)
{
	struct sim_transport *transport = sim_transport_local(lead_asked.ranks, lead_asked.delay_us,
							      lead_asked.seed, why, size);

	words[1] = lead_asked.other && transport->rank == lead_asked.other ? third : half;
	return transport;
}

u64 sim_mpi_program(void)
{
	/*
	 * with @stranger, all processes except process 0, which has forked them, report another
	 * program
	 */
	return lead_asked.stranger && getpid() != lead_asked.leader;
}

static void note(const char *format, va_list args)
{
	char text[LEAD_SAID_MAX];

	vsnprintf(text, sizeof(text), format, args);
	if (sim_procs_hushed())
		sim_procs_hush(text);
	else
		fprintf(stderr, "torus-sim: %s\n", text);
}

int sim_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	note(format, args);
	va_end(args);
	return SIM_FAILED;
}

/**
 * lead_ranks - run a function in several processes that simulate together
 * @rank: function that each process calls
 * @arg: argument of the function
 * @said: [out] messages of all processes, LEAD_SAID_MAX bytes
 *
 * Return: exit status of process 0; LEAD_KILLED if a signal killed it.
 */
int lead_ranks(int (*rank)(const void *arg), const void *arg, char *said)
{
	char why[LEAD_SAID_MAX];
	int ends[2], status;
	ssize_t n, used = 0;
	pid_t leader;

	assert_int_equal(pipe(ends), 0);
	leader = fork();
	assert_true(leader >= 0);
	if (!leader) {
		close(ends[0]);
		dup2(ends[1], STDERR_FILENO);
		lead_asked.leader = getpid();
		/* SIGALRM kills process 0 if it waits indefinitely, and the others end with it */
		alarm(HANGS_S);
		if (sim_procs_begin(words, why, sizeof(why)))
			status = rank(arg);
		else
			status = strcmp(why, " ") ? sim_error("%s", why) : 0;
		_exit(sim_procs_end(status));
	}
	close(ends[1]);
	while (used < LEAD_SAID_MAX - 1 &&
	       (n = read(ends[0], said + used, LEAD_SAID_MAX - 1 - (size_t)used)) > 0)
		used += n;
	said[used] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(leader, &status, 0), leader);
	return WIFEXITED(status) ? WEXITSTATUS(status) : LEAD_KILLED;
}
