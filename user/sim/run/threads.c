// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that simulate one fabric. The calling thread is the leader. Worker threads simulate each
 * piece of a workload together with the leader. Between two pieces the workers sleep, so that the
 * leader may read the fabric. A piece begins only after every worker has finished the previous
 * piece.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/workload/traffic.h"
#include "core/run/measure.h"
#include "threads.h"
#include "core/run/windows.h"

/**
 * struct sim_worker - a worker thread
 * @team: leader and workers
 * @thread: thread ID
 * @number: number of the worker, 1 .. threads - 1
 */
struct sim_worker {
	struct sim_team *team;
	pthread_t thread;
	u32 number;
};

/**
 * struct sim_team - leader and workers
 * @fabric: the fabric that they simulate
 * @threads: number of threads, leader included
 * @started: number of workers that have a thread
 * @lock: protects @piece, @busy and @quit
 * @begin: signalled when a piece begins, or when @quit is set
 * @end: signalled when the last worker has finished its part of the piece
 * @piece: number of the current piece
 * @busy: number of workers that have not finished their part
 * @quit: workers must exit
 * @workers: the worker threads
 */
struct sim_team {
	struct torus_fabric *fabric;
	u32 threads;
	u32 started;
	pthread_mutex_t lock;
	pthread_cond_t begin;
	pthread_cond_t end;
	u64 piece;
	u32 busy;
	bool quit;
	struct sim_worker workers[];
};

static void *work(void *data)
{
	struct sim_worker *worker = data;
	struct sim_team *team = worker->team;
	u64 piece = 0;

	pthread_mutex_lock(&team->lock);
	for (;;) {
		while (team->piece == piece && !team->quit)
			pthread_cond_wait(&team->begin, &team->lock);
		if (team->quit)
			break;
		piece = team->piece;
		pthread_mutex_unlock(&team->lock);
		torus_fabric_work(team->fabric, worker->number);
		pthread_mutex_lock(&team->lock);
		if (!--team->busy)
			pthread_cond_signal(&team->end);
	}
	pthread_mutex_unlock(&team->lock);
	return NULL;
}

/**
 * sim_team_new - start the workers
 * @fabric: the fabric
 * @threads: number of threads, caller included
 *
 * Return: the team, or NULL with errno ENOMEM, or EAGAIN if a thread cannot be created.
 */
struct sim_team *sim_team_new(struct torus_fabric *fabric, u32 threads)
{
	struct sim_team *team = calloc(1, sizeof(*team) + threads * sizeof(team->workers[0]));

	if (!team)
		return NULL;
	team->fabric = fabric;
	team->threads = threads;
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->begin, NULL);
	pthread_cond_init(&team->end, NULL);
	for (; team->started + 1 < threads; team->started++) {
		struct sim_worker *worker = &team->workers[team->started];

		worker->team = team;
		worker->number = team->started + 1;
		if (!pthread_create(&worker->thread, NULL, work, worker))
			continue;
		sim_team_free(team);
		errno = EAGAIN;
		return NULL;
	}
	return team;
}

/**
 * sim_team_step - simulate a piece of the fabric's workload
 * @team: the team
 * @budget: maximum number of windows
 *
 * Return: true while the workload is not finished.
 */
bool sim_team_step(struct sim_team *team, u64 budget)
{
	bool more;

	/*
	 * a finished workload starts no run of the fabric, for which workers would wait
	 * indefinitely
	 */
	if (team->threads == 1 || !torus_traffic_runs(team->fabric))
		return torus_traffic_step(team->fabric, budget, 1);

	pthread_mutex_lock(&team->lock);
	team->busy = team->threads - 1;
	team->piece++;
	pthread_cond_broadcast(&team->begin);
	pthread_mutex_unlock(&team->lock);

	more = torus_traffic_step(team->fabric, budget, team->threads);

	pthread_mutex_lock(&team->lock);
	while (team->busy)
		pthread_cond_wait(&team->end, &team->lock);
	pthread_mutex_unlock(&team->lock);
	return more;
}

/**
 * sim_team_free - stop and free the workers
 * @team: the team, between two pieces
 */
void sim_team_free(struct sim_team *team)
{
	u32 i;

	pthread_mutex_lock(&team->lock);
	team->quit = true;
	pthread_cond_broadcast(&team->begin);
	pthread_mutex_unlock(&team->lock);
	for (i = 0; i < team->started; i++)
		pthread_join(team->workers[i].thread, NULL);
	pthread_cond_destroy(&team->end);
	pthread_cond_destroy(&team->begin);
	pthread_mutex_destroy(&team->lock);
	free(team);
}
