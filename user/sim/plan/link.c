// SPDX-License-Identifier: GPL-2.0
/*
 * What it takes until others have heard: threads at a window's end, a hop into another domain, a
 * message between two processes.  The least of several tries counts: others want the processors,
 * too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/run/fabric.h"
#include "../measure.h"
#include "../progress.h"
#include "../sim.h"
#include "../threads.h"
#include "box.h"
#include "link.h"
#include "probe.h"

#define TRIES		12
#define MEETINGS	200	/* windows of a try */
#define MEET_NODES	64
#define MAIL_HOPS	150000	/* of a try */
#define STEP_TICKS	500
#define PINGS		200
#define MESSAGE		(1u << 18)
#define LEAST_S		0.000001
#define LENGTHS		8	/* messages of a try */
#define FOREVER		(1ull << 40)

/* A machine with its workload, in some domains. */
static int make(struct torus_fabric **f, const struct sim_options *options,
		const struct torus_config *config, u32 domains, u64 load)
{
	struct sim_options small = *options;
	int status;

	small.config = *config;
	small.config.domains = domains;
	small.config.threads = domains;
	small.config.ranks = NULL;
	small.load.traffic.load = load;
	small.load.traffic.cycles = FOREVER;
	small.load.traffic.warmup = 0;
	status = sim_fabric_new(&small, f);
	if (status)
		return status;
	status = sim_measure_start(*f, &small);
	if (status)
		torus_fabric_destroy(*f);
	return status;
}

/* Two threads at the ends of windows in which next to nothing happens. */
static int measure_meet(struct plan_link *link, const struct sim_options *options,
			const struct torus_config *config)
{
	struct torus_config tiny;
	struct torus_fabric *f;
	struct sim_team *team;
	double wall_s;
	u32 i;
	int status;

	link->meet_s = 0;
	if (!plan_scale(&tiny, config, MEET_NODES) || tiny.geo.nodes < 2)
		return SIM_OK;
	status = make(&f, options, &tiny, 2, 1u << 22);
	if (status)
		return status;
	team = sim_team_new(f, 2);
	if (!team) {
		torus_fabric_destroy(f);
		return sim_failed("threads 2: the system has none left");
	}
	for (i = 0; i < TRIES; i++) {
		wall_s = sim_wall_s();
		sim_team_step(team, MEETINGS);
		wall_s = (sim_wall_s() - wall_s) / MEETINGS;
		link->meet_s = i && link->meet_s < wall_s ? link->meet_s : wall_s;
	}
	sim_team_free(team);
	torus_fabric_destroy(f);
	return SIM_OK;
}

/* Seconds of a processor a hop, of one thread that simulates so many domains. */
static int hop_cost(double *hop_s, const struct sim_options *options,
		    const struct torus_config *config, u32 domains)
{
	struct torus_point from, to;
	struct torus_fabric *f;
	double cpu_s;
	u32 i;
	int status = make(&f, options, config, domains, options->load.traffic.load);

	if (status)
		return status;
	*hop_s = 0;
	for (i = 0; i < TRIES / 4; i++) {
		torus_traffic_point(f, &from);
		cpu_s = 0;
		do {
			torus_traffic_pause(f, torus_fabric_clock(f) + STEP_TICKS);
			cpu_s -= sim_cpu_thread_s();
			if (!torus_traffic_step(f, 0, 1))
				break;
			cpu_s += sim_cpu_thread_s();
			torus_traffic_point(f, &to);
		} while (to.hops - from.hops < MAIL_HOPS);
		cpu_s /= (double)(to.hops - from.hops + 1);
		*hop_s = i && *hop_s < cpu_s ? *hop_s : cpu_s;
	}
	torus_fabric_destroy(f);
	return SIM_OK;
}

/**
 * plan_link_threads - between threads of this machine
 * @link: gets it
 * @options: the workload that was asked for
 * @config: a small machine that is like the one that was asked for
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after telling why not.
 */
int plan_link_threads(struct plan_link *link, const struct sim_options *options,
		      const struct torus_config *config)
{
	struct torus_config two = *config;
	struct plan_boxes boxes;
	double one_s, two_s;
	int status = measure_meet(link, options, config);

	if (!status)
		status = hop_cost(&one_s, options, config, 1);
	if (!status)
		status = hop_cost(&two_s, options, config, 2);
	if (status)
		return status;
	two.domains = 2;
	two.threads = 2;
	two.ranks = NULL;
	plan_boxes_cut(&boxes, &two);
	link->mail_s = boxes.part_links && two_s > one_s ?
		       (two_s - one_s) * (double)boxes.links / (double)boxes.part_links : 0;
	return SIM_OK;
}

/* ------------------------------------------------------------- two processes */

static bool all_of(int fd, char *data, size_t bytes, bool out)
{
	size_t done;
	ssize_t n;

	for (done = 0; done < bytes; done += (size_t)n) {
		n = out ? send(fd, data + done, bytes - done, MSG_NOSIGNAL) :
			  recv(fd, data + done, bytes - done, 0);
		if (n <= 0 && errno != EINTR)
			return false;
		n = n > 0 ? n : 0;
	}
	return true;
}

/* The other process: it answers each message, of @bytes, with one as long as @back says. */
static void answer(int fd, char *data, u32 times, size_t bytes, size_t back)
{
	while (times--)
		if (!all_of(fd, data, bytes, false) || !all_of(fd, data, back, true))
			_exit(1);
}

/* Seconds of the fastest of some messages there and back. */
static bool ask(int fd, char *data, u32 times, size_t bytes, size_t back, double *least_s)
{
	double wall_s;
	u32 i;

	for (i = 0; i < times; i++) {
		wall_s = sim_wall_s();
		if (!all_of(fd, data, bytes, true) || !all_of(fd, data, back, false))
			return false;
		wall_s = sim_wall_s() - wall_s;
		*least_s = i && *least_s < wall_s ? *least_s : wall_s;
	}
	return true;
}

/**
 * plan_link_ranks - between two processes of this machine
 * @link: gets latency and bandwidth
 *
 * Return: SIM_OK, or SIM_FAILED after telling why not.
 */
int plan_link_ranks(struct plan_link *link)
{
	char *data = calloc(1, MESSAGE);
	double short_s = 0, long_s = 0;
	bool good;
	int ends[2];
	pid_t pid;

	if (!data)
		return sim_failed("no memory for messages of %u bytes", MESSAGE);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		free(data);
		return sim_failed("sockets between two ranks: %s", strerror(errno));
	}
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(ends[0]);
		answer(ends[1], data, PINGS, 64, 64);
		answer(ends[1], data, LENGTHS, MESSAGE, 64);
		_exit(0);
	}
	close(ends[1]);
	good = pid > 0 && ask(ends[0], data, PINGS, 64, 64, &short_s) &&
	       ask(ends[0], data, LENGTHS, MESSAGE, 64, &long_s);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	free(data);
	if (!good)
		return sim_failed("a second process, to measure what lies between two: %s",
				  pid < 0 ? strerror(errno) : "it has gone");
	link->latency_s = short_s / 2;
	long_s -= short_s;
	link->bytes_s = MESSAGE / (long_s > LEAST_S ? long_s : LEAST_S);
	link->measured = true;
	return SIM_OK;
}
