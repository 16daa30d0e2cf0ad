// SPDX-License-Identifier: GPL-2.0
/* Gather the results of a sweep's points in process 0, if several processes simulate the points. */
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "../transport/marshal.h"
#include "../base/message.h"
#include "../transport/procs.h"

/* Serialize a point, followed by the arrays that it points to. */
static void buffer_pack(struct sim_buffer *buffer, const struct sim_point *point)
{
	const struct sim_measure *m = &point->measure;
	const struct torus_latencies *l = m->statistics.latencies;

	sim_buffer_add(buffer, point, sizeof(*point));
	sim_buffer_add(buffer, m->series.points, m->series.npoints * sizeof(*m->series.points));
	if (!l)
		return;
	sim_buffer_add(buffer, l, sizeof(*l) + l->hops * sizeof(l->network[0]));
	sim_buffer_add(buffer, l->sent, l->nodes * sizeof(*l->sent));
	sim_buffer_add(buffer, l->received, l->nodes * sizeof(*l->received));
	sim_buffer_add(buffer, m->statistics.sends, l->nodes * sizeof(*m->statistics.sends));
}

/* Take @bytes bytes from *@from, copy them to @to unless @to is NULL, and advance *@from. */
static void *buffer_take(const char **from, size_t bytes, void *to)
{
	if (to)
		memcpy(to, *from, bytes);
	*from += bytes;
	return to;
}

static bool buffer_unpack_statistics(struct sim_statistics *statistics, const char *from)
{
	const struct torus_latencies *l = (const void *)from;
	size_t bytes = sizeof(*l) + l->hops * sizeof(l->network[0]);
	struct torus_latencies *copy = buffer_take(&from, bytes, torus_alloc(bytes));

	statistics->latencies = copy;
	statistics->sends = NULL;
	if (!copy)
		return false;
	bytes = copy->nodes * sizeof(*copy->sent);
	copy->sent = buffer_take(&from, bytes, torus_alloc(bytes));
	copy->received = buffer_take(&from, bytes, torus_alloc(bytes));
	statistics->sends = buffer_take(&from, copy->nodes, malloc(copy->nodes));
	return copy->sent && copy->received && statistics->sends;
}

/* Restore the results of a point from another process. */
static bool buffer_unpack(struct sim_points *points, u32 number, const char *from)
{
	struct sim_point *point = &points->point[number];
	struct sim_measure *m = &point->measure;
	struct sim_run_config options;
	bool statistics;
	size_t bytes;

	buffer_take(&from, sizeof(*point), point);
	statistics = m->statistics.latencies;
	/* these pointers of the received struct are valid only in the sending process */
	m->statistics.latencies = NULL;
	m->statistics.sends = NULL;
	bytes = m->series.npoints * sizeof(*m->series.points);
	m->series.points = buffer_take(&from, bytes, malloc(bytes + 1));
	if (!m->series.points ||
	    (statistics && !buffer_unpack_statistics(&m->statistics, from)) ||
	    sim_point_options(points, number, &points->base, &options))
		return false;
	/*
	 * received pointers to option words are invalid here: use this process's own strings
	 */
	m->context.arch = options.config.arch->name;
	m->context.pattern = options.load.pattern;
	m->context.vcs = m->vcs;
	m->context.perf = &m->perf;
	sim_run_config_free(&options);
	return true;
}

/**
 * sim_sweep_gather - send the results of all processes to process 0
 * @points: the points; each process has simulated those for which sim_point_is_local() is true
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_sweep_gather(struct sim_points *points)
{
	struct torus_procs *ranks = sim_procs();
	struct sim_buffer buffer = { .data = NULL };
	const char *all;
	size_t got;
	u32 i;

	for (i = 0; ranks && i < points->count; i++) {
		buffer.used = 0;
		if (sim_point_is_local(i))
			buffer_pack(&buffer, &points->point[i]);
		if (buffer.failed)
			break;
		all = ranks->pass(ranks, buffer.data, buffer.used, &got);
		/* process 0 restores the results of the other processes, and prints all */
		if (!ranks->self && !sim_point_is_local(i) && !buffer_unpack(points, i, all))
			break;
	}
	free(buffer.data);
	/*
	 * this error ends the run: the other processes receive the notice of it instead of a point
	 */
	if (ranks && i < points->count)
		return sim_error("out of memory for the %u points of all ranks", points->count);
	sim_procs_report(false);
	return SIM_OK;
}
