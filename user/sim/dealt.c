// SPDX-License-Identifier: GPL-2.0
/*
 * Points dealt out to ranks: each simulates whole ones, and the first gets what the others have
 * measured.
 */
#include <stdlib.h>
#include <string.h>

#include "dealt.h"
#include "sim.h"
#include "transport/ranks.h"

/* A point on its way, and what it points to behind it. */
struct parcel {
	char *data;
	size_t used;
	size_t room;
	bool failed;
};

/**
 * sim_dealt_here - is a point this rank's?
 * @number: of the point
 *
 * Return: true if so; all are where there is one rank.
 */
bool sim_dealt_here(u32 number)
{
	struct torus_ranks *ranks = sim_ranks();

	return !ranks || number % ranks->count == ranks->rank;
}

static void parcel_add(struct parcel *parcel, const void *data, size_t bytes)
{
	char *more = parcel->data;

	if (parcel->used + bytes > parcel->room) {
		parcel->room = 2 * (parcel->used + bytes);
		more = realloc(parcel->data, parcel->room);
	}
	if (!more || !bytes) {
		parcel->failed |= !more;
		return;
	}
	parcel->data = more;
	memcpy(parcel->data + parcel->used, data, bytes);
	parcel->used += bytes;
}

static void parcel_pack(struct parcel *parcel, const struct sim_point *point)
{
	const struct sim_measure *m = &point->measure;
	const struct torus_latencies *l = m->statistics.latencies;

	parcel_add(parcel, point, sizeof(*point));
	parcel_add(parcel, m->series.points, m->series.npoints * sizeof(*m->series.points));
	if (!l)
		return;
	parcel_add(parcel, l, sizeof(*l) + l->hops * sizeof(l->network[0]));
	parcel_add(parcel, l->sent, l->nodes * sizeof(*l->sent));
	parcel_add(parcel, l->received, l->nodes * sizeof(*l->received));
	parcel_add(parcel, m->statistics.sends, l->nodes * sizeof(*m->statistics.sends));
}

/* A copy of what comes next, of as many bytes; NULL without memory. */
static void *parcel_take(const char **from, size_t bytes, void *to)
{
	if (to)
		memcpy(to, *from, bytes);
	*from += bytes;
	return to;
}

static bool parcel_unpack_statistics(struct sim_statistics *statistics, const char *from)
{
	const struct torus_latencies *l = (const void *)from;
	size_t bytes = sizeof(*l) + l->hops * sizeof(l->network[0]);
	struct torus_latencies *copy = parcel_take(&from, bytes, torus_alloc(bytes));

	statistics->latencies = copy;
	statistics->sends = NULL;
	if (!copy)
		return false;
	bytes = copy->nodes * sizeof(*copy->sent);
	copy->sent = parcel_take(&from, bytes, torus_alloc(bytes));
	copy->received = parcel_take(&from, bytes, torus_alloc(bytes));
	statistics->sends = parcel_take(&from, copy->nodes, malloc(copy->nodes));
	return copy->sent && copy->received && statistics->sends;
}

/* What another rank has measured, as if it had been measured here. */
static bool parcel_unpack(struct sim_points *points, u32 number, const char *from)
{
	struct sim_point *point = &points->point[number];
	struct sim_measure *m = &point->measure;
	struct sim_options options;
	bool statistics;
	size_t bytes;

	parcel_take(&from, sizeof(*point), point);
	statistics = m->statistics.latencies;
	/* places in another process's memory */
	m->statistics.latencies = NULL;
	m->statistics.sends = NULL;
	bytes = m->series.npoints * sizeof(*m->series.points);
	m->series.points = parcel_take(&from, bytes, malloc(bytes + 1));
	if (!m->series.points ||
	    (statistics && !parcel_unpack_statistics(&m->statistics, from)) ||
	    sim_point_options(points, number, &points->base, &options))
		return false;
	/* words are where they were typed: here */
	m->context.arch = options.config.arch->name;
	m->context.pattern = options.load.pattern;
	m->context.vcs = m->vcs;
	m->context.perf = &m->perf;
	sim_options_free(&options);
	return true;
}

/**
 * sim_dealt_gather - bring what all ranks have measured to the first
 * @points: the points; each has simulated its own
 *
 * Return: SIM_OK, or SIM_FAILED after telling why not.
 */
int sim_dealt_gather(struct sim_points *points)
{
	struct torus_ranks *ranks = sim_ranks();
	struct parcel parcel = { .data = NULL };
	const char *all;
	size_t got;
	u32 i;

	for (i = 0; ranks && i < points->count; i++) {
		parcel.used = 0;
		if (sim_dealt_here(i))
			parcel_pack(&parcel, &points->point[i]);
		if (parcel.failed)
			break;
		all = ranks->pass(ranks, parcel.data, parcel.used, &got);
		/* one answers */
		if (!ranks->rank && !sim_dealt_here(i) && !parcel_unpack(points, i, all))
			break;
	}
	free(parcel.data);
	/* the others hear of it in place of what they wait for */
	if (ranks && i < points->count)
		return sim_failed("no memory for %u points of all ranks", points->count);
	sim_ranks_tell();
	return SIM_OK;
}
