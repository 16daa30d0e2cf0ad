// SPDX-License-Identifier: GPL-2.0
/*
 * Threads of a replay. Its slices may be as short as the latency of a barrier, so workers do not
 * sleep between two slices: they poll for the next.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "threads.h"
#include "core/run/windows.h"

/**
 * struct replay_worker - a worker thread
 * @number: number of the worker, from 1 to the number of threads - 1
 */
struct replay_worker {
	struct replay_threads *team;
	pthread_t thread;
	u32 number;
};

/**
 * struct replay_threads - the leader, which is the caller, and the workers
 * @fabric: fabric that the threads simulate
 * @threads: number of threads, including the leader
 * @runs: number of runs that the leader has started
 * @quit: true if the workers must end
 * @workers: threads other than the leader
 */
struct replay_threads {
	struct torus_fabric *fabric;
	u32 threads;
	u64 runs;
	u32 quit;
	struct replay_worker workers[];
};

/* Wait until the leader starts run number @run. Return: false if the workers must end. */
static bool wait_for(const struct replay_threads *team, u64 run)
{
	u32 spins = 0;

	while (torus_load_acquire(&team->runs) < run) {
		if (torus_load_acquire(&team->quit))
			return false;
		torus_relax();
		if (++spins > 4000) {
			torus_yield();
			spins = 0;
		}
	}
	return true;
}

static void *work(void *data)
{
	struct replay_worker *worker = data;
	u64 run;

	for (run = 1; wait_for(worker->team, run); run++)
		torus_fabric_work(worker->team->fabric, worker->number);
	return NULL;
}

static void dismiss(struct replay_threads *team, u32 threads)
{
	u32 i;

	torus_store_release(&team->quit, 1);
	for (i = 1; i < threads; i++)
		pthread_join(team->workers[i].thread, NULL);
}

/**
 * replay_threads_new - start the workers
 * @fabric: fabric to be simulated
 * @threads: number of threads, including the caller
 *
 * Return: the threads, or NULL with errno set: ENOMEM, or EAGAIN if the system has no more
 * threads.
 */
struct replay_threads *replay_threads_new(struct torus_fabric *fabric, u32 threads)
{
	struct replay_threads *team = calloc(1, sizeof(*team) + threads * sizeof(team->workers[0]));
	u32 i;

	if (!team)
		return NULL;
	team->fabric = fabric;
	team->threads = threads;
	for (i = 1; i < threads; i++) {
		struct replay_worker *worker = &team->workers[i];

		worker->team = team;
		worker->number = i;
		if (!pthread_create(&worker->thread, NULL, work, worker))
			continue;
		dismiss(team, i);
		free(team);
		errno = EAGAIN;
		return NULL;
	}
	return team;
}

/**
 * replay_threads_run - simulate a slice
 * @until: stop before this tick
 * @budget: maximum number of windows
 */
enum torus_run replay_threads_run(struct replay_threads *team, u64 until, u64 budget)
{
	torus_store_release(&team->runs, team->runs + 1);
	return torus_fabric_run(team->fabric, until, budget, team->threads);
}

/**
 * replay_threads_free - end the workers
 * @team: the threads; no slice may be running
 */
void replay_threads_free(struct replay_threads *team)
{
	dismiss(team, team->threads);
	free(team);
}
