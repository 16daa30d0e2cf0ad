// SPDX-License-Identifier: GPL-2.0
/* Find cycles in the graph of channels whose packets wait for each other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cdg.h"

static uint32_t channels(const struct cdg *cdg)
{
	return cdg->machine.nodes * cdg->machine.dirs * cdg->machine.vcs;
}

static uint32_t channel_number(const struct cdg *cdg, const struct cdg_channel *channel)
{
	const struct cdg_machine *m = &cdg->machine;

	return (channel->node * m->dirs + channel->dir) * m->vcs + channel->vc;
}

static struct cdg_channel named(const struct cdg *cdg, uint32_t channel)
{
	const struct cdg_machine *m = &cdg->machine;

	return (struct cdg_channel){ .node = channel / (m->dirs * m->vcs),
				     .dir = channel / m->vcs % m->dirs,
				     .vc = channel % m->vcs };
}

/* Return the number of the node at the receiving end of a channel. */
static uint32_t end_of(const struct cdg *cdg, uint32_t channel)
{
	struct cdg_channel held = named(cdg, channel);

	return cdg->machine.next(cdg->machine.machine, held.node, held.dir);
}

/**
 * cdg_init() - set up a graph without any waits
 * @cdg: [out] freed with cdg_free(), also after an error
 * @machine: copied; @machine->machine must outlive @cdg
 *
 * Return: 0, -ENOMEM.
 */
int cdg_init(struct cdg *cdg, const struct cdg_machine *machine)
{
	size_t n;

	*cdg = (struct cdg){ .machine = *machine };
	n = channels(cdg);
	cdg->waits = malloc(n * sizeof(*cdg->waits));
	cdg->ring = malloc(n * sizeof(*cdg->ring));
	cdg->member = malloc(n * sizeof(*cdg->member));
	cdg->waiters = malloc(n * sizeof(*cdg->waiters));
	cdg->queue = malloc(n * sizeof(*cdg->queue));
	cdg->cycle = malloc(n * sizeof(*cdg->cycle));
	if (!cdg->waits || !cdg->ring || !cdg->member || !cdg->waiters || !cdg->queue ||
	    !cdg->cycle)
		return -ENOMEM;
	cdg_clear(cdg);
	return 0;
}

/**
 * cdg_free() - free the memory of a graph
 */
void cdg_free(struct cdg *cdg)
{
	free(cdg->waits);
	free(cdg->ring);
	free(cdg->member);
	free(cdg->waiters);
	free(cdg->queue);
	free(cdg->cycle);
	memset(cdg, 0, sizeof(*cdg));
}

/**
 * cdg_clear() - remove all waits and all rings from the graph
 */
void cdg_clear(struct cdg *cdg)
{
	uint32_t n = channels(cdg), channel;

	memset(cdg->waits, 0, n * sizeof(*cdg->waits));
	for (channel = 0; channel < n; channel++) {
		cdg->ring[channel] = channel;
		cdg->member[channel] = channel;
	}
	cdg->ncycles = 0;
}

/**
 * cdg_wait() - record that a packet in one channel may wait for another
 * @held: channel that the packet occupies
 * @wanted: channel for which the packet waits; starts at the node where @held ends
 */
void cdg_wait(struct cdg *cdg, const struct cdg_channel *held,
	      const struct cdg_channel *wanted)
{
	cdg->waits[channel_number(cdg, held)] |=
		1ull << (wanted->dir * cdg->machine.vcs + wanted->vc);
}

/**
 * cdg_join_ring() - record that a packet may continue in a ring protected by the bubble rule
 * @held: channel that the packet occupies
 * @wanted: next channel of the same ring. A packet that continues in the ring needs space only for
 *    itself; a packet that enters the ring must leave space for one more packet
 *
 * Joins the rings of both channels into one vertex of the graph.
 */
void cdg_join_ring(struct cdg *cdg, const struct cdg_channel *held,
		   const struct cdg_channel *wanted)
{
	uint32_t into = channel_number(cdg, held), from = channel_number(cdg, wanted);
	uint32_t at = from, next;

	if (cdg->ring[into] == cdg->ring[from])
		return;
	do {
		cdg->ring[at] = cdg->ring[into];
		at = cdg->member[at];
	} while (at != from);
	next = cdg->member[into];
	cdg->member[into] = cdg->member[from];
	cdg->member[from] = next;
}

/*
 * Remove the lowest channel from @set, a mask of channels that start at @node. Return: the ring
 * of that channel.
 */
static uint32_t take_lowest(const struct cdg *cdg, uint32_t node, uint64_t *set)
{
	uint32_t bit = (uint32_t)__builtin_ctzll(*set);

	*set &= *set - 1;
	return cdg->ring[node * cdg->machine.dirs * cdg->machine.vcs + bit];
}

/*
 * Remove a ring for which no channel waits from the graph. Queue each ring that loses its last
 * waiter by this removal. Return: the new end of the queue.
 */
static uint32_t release(struct cdg *cdg, uint32_t ring, uint32_t tail)
{
	uint32_t channel = ring;
	uint64_t set;

	do {
		for (set = cdg->waits[channel]; set;) {
			uint32_t to = take_lowest(cdg, end_of(cdg, channel), &set);

			if (!--cdg->waiters[to])
				cdg->queue[tail++] = to;
		}
		channel = cdg->member[channel];
	} while (channel != ring);
	return tail;
}

/* Repeatedly remove all rings for which no ring waits. Return: number of remaining rings. */
static uint32_t strip(struct cdg *cdg)
{
	uint32_t n = channels(cdg), head = 0, tail = 0, rings = 0, channel;
	uint64_t set;

	memset(cdg->waiters, 0, n * sizeof(*cdg->waiters));
	for (channel = 0; channel < n; channel++)
		for (set = cdg->waits[channel]; set;)
			cdg->waiters[take_lowest(cdg, end_of(cdg, channel), &set)]++;
	for (channel = 0; channel < n; channel++) {
		if (cdg->ring[channel] != channel)
			continue;
		rings++;
		if (!cdg->waiters[channel])
			cdg->queue[tail++] = channel;
	}
	while (head < tail)
		tail = release(cdg, cdg->queue[head++], tail);
	return rings - tail;
}

/*
 * Store a cycle in cdg->cycle. Each remaining ring has a waiter that also remains, so a walk from
 * waiter to waiter must reach a cycle.
 */
static void trace(struct cdg *cdg)
{
	uint32_t n = channels(cdg), *before = cdg->queue, channel, at, i, count = 0;
	struct cdg_channel *cycle = cdg->cycle;
	uint64_t set;

	if (cdg->ncycles)
		cycle += cdg->ends[cdg->ncycles - 1];
	for (channel = 0; channel < n; channel++)
		for (set = cdg->waiters[cdg->ring[channel]] ? cdg->waits[channel] : 0; set;)
			before[take_lowest(cdg, end_of(cdg, channel), &set)] = channel;
	for (at = 0; !cdg->waiters[at]; at++)
		;
	/*
	 * after as many steps from waiter to waiter as there are channels, the walk is on a cycle
	 */
	for (i = 0; i < n; i++)
		at = cdg->ring[before[at]];
	channel = at;
	do {
		count++;
		channel = cdg->ring[before[channel]];
	} while (channel != at);
	for (i = count; i--; channel = cdg->ring[before[channel]])
		cycle[(i + count - 1) % count] = named(cdg, before[channel]);
	cdg->ends[cdg->ncycles++] = (uint32_t)(cycle - cdg->cycle) + count;
}

/*
 * Remove the waits of all channels of the last cycle, and of the rings of these channels, so that
 * strip() can find other cycles.
 */
static void open_cycle(struct cdg *cdg)
{
	uint32_t count, i, channel, first;
	const struct cdg_channel *cycle = cdg_cycle(cdg, cdg->ncycles - 1, &count);

	for (i = 0; i < count; i++) {
		first = channel_number(cdg, &cycle[i]);
		channel = first;
		do {
			cdg->waits[channel] = 0;
			channel = cdg->member[channel];
		} while (channel != first);
	}
}

/**
 * cdg_check() - check that no channels wait for each other in a cycle
 * @cdg: [in, out] up to CDG_CYCLES cycles are stored, and the waits of their rings are removed
 *
 * Return: true if there is no cycle.
 */
bool cdg_check(struct cdg *cdg)
{
	cdg->ncycles = 0;
	while (cdg->ncycles < CDG_CYCLES && strip(cdg)) {
		trace(cdg);
		open_cycle(cdg);
	}
	return !cdg->ncycles;
}
