// SPDX-License-Identifier: GPL-2.0
/* Messages between the processes in each phase. */
#include <stdlib.h>
#include <string.h>
#include "content.h"
#include "demo.h"
#include "options.h"
#include "phase.h"
#include "process.h"

/**
 * phase_ring() - pass a token around all ranks
 * @process: the process
 */
void phase_ring(struct process *process)
{
	uint32_t next = (process->rank + 1) % process->count;
	uint32_t last = (process->rank + process->count - 1) % process->count;
	struct torus_message_info info;
	unsigned int lap;

	for (lap = 0; lap < options.laps; lap++) {
		uint32_t length = content_lap_length(lap);
		void *bytes = process_prepare(process, next, lap, length);

		if (process->rank)
			process_expect(process, last, lap, length, &info);
		process_must(process, torus_message_send(process->job, next, lap, bytes, length),
			     "send");
		if (!process->rank)
			process_expect(process, last, lap, length, &info);
		free(bytes);
	}
}

/*
 * Return: the rank of the neighbour in direction @dir (0 = x+, 1 = x-, 2 = y+ ..), or -1 if there
 * is none.
 */
static long long halo_neighbour(struct process *process, unsigned int dir)
{
	const struct torus_ioc_info *info = torus_context_info(process->context);
	uint32_t coords[TORUS_DIMS_MAX];
	unsigned int dim = dir / 2;
	bool plus = !(dir & 1);
	uint32_t node;

	if (info->dims[dim] == 1)
		return -1;
	memcpy(coords, info->coords, sizeof(coords));
	if (info->mesh >> dim & 1 && coords[dim] == (plus ? info->dims[dim] - 1 : 0))
		return -1;
	coords[dim] = (coords[dim] + (plus ? 1 : info->dims[dim] - 1)) % info->dims[dim];
	process_must(process, torus_node_locate(process->context, coords, &node), "locate");
	return torus_job_rank_at(process->job, node);
}

/**
 * phase_halo() - exchange messages with all neighbours
 * @process: the process
 */
void phase_halo(struct process *process)
{
	unsigned int dirs = 2 * torus_context_info(process->context)->ndims;
	long long neighbours[2 * TORUS_DIMS_MAX];
	void *bytes[2 * TORUS_DIMS_MAX];
	struct torus_message_info info;
	unsigned int i, dir;

	for (dir = 0; dir < dirs; dir++)
		neighbours[dir] = halo_neighbour(process, dir);
	for (i = 0; i < options.iterations; i++) {
		for (dir = 0; dir < dirs; dir++) {
			uint32_t tag = i * dirs + dir;

			bytes[dir] = NULL;
			if (neighbours[dir] < 0)
				continue;
			bytes[dir] = process_prepare(process, neighbours[dir], tag,
						     options.halo_bytes);
			process_must(process,
				     torus_message_start(process->job, neighbours[dir], tag,
							 bytes[dir], options.halo_bytes, NULL),
				     "send");
		}
		/* The message of the neighbour in x+ was sent in its direction x-, and so on. */
		for (dir = 0; dir < dirs; dir++)
			if (neighbours[dir] >= 0)
				process_expect(process, neighbours[dir], i * dirs + (dir ^ 1),
					       options.halo_bytes, &info);
		process_must(process, torus_message_flush(process->job, options.timeout_s * 1000),
			     "flush");
		for (dir = 0; dir < dirs; dir++)
			free(bytes[dir]);
	}
}

/**
 * phase_all() - send messages of mixed lengths from each rank to each rank
 * @process: the process
 */
void phase_all(struct process *process)
{
	void **bytes = calloc(process->count, sizeof(*bytes));
	unsigned char *seen = calloc(process->count, 1);
	struct torus_message_info info;
	unsigned int round;
	uint32_t i;

	if (!bytes || !seen)
		process_fail(process, "out of memory");
	for (round = 0; round < options.rounds; round++) {
		for (i = 0; i < process->count; i++) {
			uint32_t dest = (process->rank + i) % process->count;
			uint32_t length = content_mixed_length(process->rank, dest, round,
							       process->count);

			bytes[i] = process_prepare(process, dest, round, length);
			process_must(process, torus_message_start(process->job, dest, round,
								  bytes[i], length, NULL), "send");
		}
		for (i = 0; i < process->count; i++) {
			process_expect(process, TORUS_MESSAGE_ANY, round, 0, &info);
			if (seen[info.source]++ != round)
				process_fail(process, "message %u from rank %u arrived twice",
					     round,
					     info.source);
		}
		process_must(process, torus_message_flush(process->job, options.timeout_s * 1000),
			     "flush");
		for (i = 0; i < process->count; i++)
			free(bytes[i]);
	}
	free(seen);
	free(bytes);
}
