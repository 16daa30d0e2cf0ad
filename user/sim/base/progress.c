// SPDX-License-Identifier: GPL-2.0
/* Progress reports on standard error, with an estimate of the remaining time. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/workload/traffic.h"
#include "core/run/fabric.h"
#include "progress.h"

#define NS_PER_S	1e9
#define SHARE_ONE	65536.0	/* value of torus_traffic_progress() for finished traffic */
#define FIRST_S		0.3	/* seconds before the first report; shorter work prints no report */
#define TERMINAL_S	0.2	/* seconds between reports on a terminal */
#define LOG_S		2.0	/* seconds between reports in a log file */
/* share of the work below which an estimate of the remaining time is too inaccurate */
#define SHARE_LEAST	0.005

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / NS_PER_S;
}

/**
 * sim_wall_s - wall time in seconds
 *
 * Return: seconds of a monotonic clock.
 */
double sim_wall_s(void)
{
	return seconds(CLOCK_MONOTONIC);
}

/**
 * sim_cpu_s - processor time of this process in seconds
 *
 * Return: sum over all threads.
 */
double sim_cpu_s(void)
{
	return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/**
 * sim_cpu_thread_s - processor time of the calling thread in seconds
 *
 * Return: seconds.
 */
double sim_cpu_thread_s(void)
{
	return seconds(CLOCK_THREAD_CPUTIME_ID);
}

/**
 * sim_progress_begin - start reporting progress
 * @progress: [out] initialized
 * @on: false: never report
 * @all: number of parts, which are equal amounts of work
 */
void sim_progress_begin(struct sim_progress *progress, bool on, u32 all)
{
	*progress = (struct sim_progress){
		.on = on,
		.terminal = isatty(STDERR_FILENO),
		.all = all,
		.began_s = sim_wall_s(),
	};
	progress->reported_s = progress->began_s;
}

static void print_left(double left_s)
{
	unsigned long left = (unsigned long)(left_s + 0.5);

	if (left >= 3600)
		fprintf(stderr, ", %lu h %02lu min left", left / 3600, left / 60 % 60);
	else if (left >= 60)
		fprintf(stderr, ", %lu min %02lu s left", left / 60, left % 60);
	else
		fprintf(stderr, ", %lu s left", left);
}

/**
 * sim_progress_due - check whether it is time for a report
 * @progress: the progress
 *
 * Return: true if a report is due.
 */
bool sim_progress_due(const struct sim_progress *progress)
{
	double now = sim_wall_s();
	double pause = progress->terminal ? TERMINAL_S : LOG_S;

	return progress->on && now - progress->began_s >= FIRST_S &&
	       (!progress->shown || now - progress->reported_s >= pause);
}

/**
 * sim_progress_show - report progress if a report is due
 * @progress: the progress
 * @fabric: fabric of the current part, of which no run is in progress
 */
void sim_progress_show(struct sim_progress *progress, struct torus_fabric *fabric)
{
	if (sim_progress_due(progress))
		sim_progress_report(progress, torus_traffic_progress(fabric) / SHARE_ONE, fabric);
}

/**
 * sim_progress_at - report progress if a report is due
 * @progress: the progress
 * @share: finished share of the current part, 0 to 1
 * @fabric: fabric of the current part, of which no run is in progress, or NULL
 */
void sim_progress_at(struct sim_progress *progress, double share, struct torus_fabric *fabric)
{
	if (sim_progress_due(progress))
		sim_progress_report(progress, share, fabric);
}

/**
 * sim_progress_report - report progress now
 * @progress: the progress
 * @share: finished share of the current part, 0 to 1
 * @fabric: fabric of the current part, of which no run is in progress, or NULL
 */
void sim_progress_report(struct sim_progress *progress, double share, struct torus_fabric *fabric)
{
	double now = sim_wall_s();

	share = (progress->done + share) / progress->all;
	fprintf(stderr, "%storus-sim: ", progress->terminal ? "\r" : "");
	if (progress->run)
		fprintf(stderr, "run %u, ", progress->run);
	fprintf(stderr, "%.1f %%", 100 * share);
	if (progress->all > 1)
		fprintf(stderr, ", run %u of %u", progress->done + 1, progress->all);
	if (fabric)
		fprintf(stderr, ", tick %llu, %llu packets in flight", torus_fabric_clock(fabric),
			torus_fabric_in_flight(fabric));
	if (share >= SHARE_LEAST)
		print_left((now - progress->began_s) * (1 - share) / share);
	fputs(progress->terminal ? "\033[K" : "\n", stderr);
	progress->reported_s = now;
	progress->shown = true;
}

/**
 * sim_progress_end - erase the report from the terminal and stop reporting
 * @progress: the progress
 */
void sim_progress_end(struct sim_progress *progress)
{
	if (progress->shown && progress->terminal)
		fputs("\r\033[K", stderr);
	progress->shown = false;
	progress->on = false;
}
