// SPDX-License-Identifier: GPL-2.0
/* Find cycles in the graph of channels whose packets wait for each other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proof.h"

static uint32_t channels(const struct proof *proof)
{
	return proof->machine.nodes * proof->machine.dirs * proof->machine.vcs;
}

static uint32_t number(const struct proof *proof, const struct proof_channel *channel)
{
	const struct proof_machine *m = &proof->machine;

	return (channel->node * m->dirs + channel->dir) * m->vcs + channel->vc;
}

static struct proof_channel named(const struct proof *proof, uint32_t channel)
{
	const struct proof_machine *m = &proof->machine;

	return (struct proof_channel){ .node = channel / (m->dirs * m->vcs),
				       .dir = channel / m->vcs % m->dirs,
				       .vc = channel % m->vcs };
}

/* Return the number of the node at the receiving end of a channel. */
static uint32_t end_of(const struct proof *proof, uint32_t channel)
{
	struct proof_channel held = named(proof, channel);

	return proof->machine.next(proof->machine.machine, held.node, held.dir);
}

/**
 * proof_init() - set up a graph without any waits
 * @proof: [out] freed with proof_free(), also after an error
 * @machine: copied; @machine->machine must outlive @proof
 */
int proof_init(struct proof *proof, const struct proof_machine *machine)
{
	size_t n;

	*proof = (struct proof){ .machine = *machine };
	n = channels(proof);
	proof->waits = malloc(n * sizeof(*proof->waits));
	proof->ring = malloc(n * sizeof(*proof->ring));
	proof->member = malloc(n * sizeof(*proof->member));
	proof->waiters = malloc(n * sizeof(*proof->waiters));
	proof->queue = malloc(n * sizeof(*proof->queue));
	proof->cycle = malloc(n * sizeof(*proof->cycle));
	if (!proof->waits || !proof->ring || !proof->member || !proof->waiters || !proof->queue ||
	    !proof->cycle)
		return -ENOMEM;
	proof_clear(proof);
	return 0;
}

/**
 * proof_free() - free the memory of a proof
 */
void proof_free(struct proof *proof)
{
	free(proof->waits);
	free(proof->ring);
	free(proof->member);
	free(proof->waiters);
	free(proof->queue);
	free(proof->cycle);
	memset(proof, 0, sizeof(*proof));
}

/**
 * proof_clear() - remove all waits and all rings from the graph
 */
void proof_clear(struct proof *proof)
{
	uint32_t n = channels(proof), channel;

	memset(proof->waits, 0, n * sizeof(*proof->waits));
	for (channel = 0; channel < n; channel++) {
		proof->ring[channel] = channel;
		proof->member[channel] = channel;
	}
	proof->circles = 0;
}

/**
 * proof_wait() - record that a packet in one channel may wait for another
 * @held: channel that the packet occupies
 * @wanted: channel for which the packet waits; starts at the node where @held ends
 */
void proof_wait(struct proof *proof, const struct proof_channel *held,
		const struct proof_channel *wanted)
{
	proof->waits[number(proof, held)] |=
		1ull << (wanted->dir * proof->machine.vcs + wanted->vc);
}

/**
 * proof_go_on() - record that a packet may continue in a ring protected by the bubble rule
 * @held: channel that the packet occupies
 * @wanted: next channel of the same ring. A packet that continues in the ring needs space only for
 *    itself; a packet that enters the ring must leave space for one more packet
 *
 * Joins the rings of both channels into one vertex of the graph.
 */
void proof_go_on(struct proof *proof, const struct proof_channel *held,
		 const struct proof_channel *wanted)
{
	uint32_t into = number(proof, held), from = number(proof, wanted), at = from, next;

	if (proof->ring[into] == proof->ring[from])
		return;
	do {
		proof->ring[at] = proof->ring[into];
		at = proof->member[at];
	} while (at != from);
	next = proof->member[into];
	proof->member[into] = proof->member[from];
	proof->member[from] = next;
}

/*
 * Remove the lowest channel from @set, a mask of channels that start at @node. Return: the ring
 * of that channel.
 */
static uint32_t take(const struct proof *proof, uint32_t node, uint64_t *set)
{
	uint32_t bit = (uint32_t)__builtin_ctzll(*set);

	*set &= *set - 1;
	return proof->ring[node * proof->machine.dirs * proof->machine.vcs + bit];
}

/*
 * Remove a ring for which no channel waits from the graph. Queue each ring that loses its last
 * waiter by this removal. Return: the new end of the queue.
 */
static uint32_t release(struct proof *proof, uint32_t ring, uint32_t tail)
{
	uint32_t channel = ring;
	uint64_t set;

	do {
		for (set = proof->waits[channel]; set;) {
			uint32_t to = take(proof, end_of(proof, channel), &set);

			if (!--proof->waiters[to])
				proof->queue[tail++] = to;
		}
		channel = proof->member[channel];
	} while (channel != ring);
	return tail;
}

/* Repeatedly remove all rings for which no other ring waits. Return: number of remaining rings. */
static uint32_t strip(struct proof *proof)
{
	uint32_t n = channels(proof), head = 0, tail = 0, rings = 0, channel;
	uint64_t set;

	memset(proof->waiters, 0, n * sizeof(*proof->waiters));
	for (channel = 0; channel < n; channel++)
		for (set = proof->waits[channel]; set;)
			proof->waiters[take(proof, end_of(proof, channel), &set)]++;
	for (channel = 0; channel < n; channel++) {
		if (proof->ring[channel] != channel)
			continue;
		rings++;
		if (!proof->waiters[channel])
			proof->queue[tail++] = channel;
	}
	while (head < tail)
		tail = release(proof, proof->queue[head++], tail);
	return rings - tail;
}

/*
 * Store a cycle in proof->cycle. Each remaining ring has a waiter that also remains, so a walk from
 * waiter to waiter must reach a cycle.
 */
static void trace(struct proof *proof)
{
	uint32_t n = channels(proof), *before = proof->queue, channel, at, i, count = 0;
	struct proof_channel *cycle = proof->cycle;
	uint64_t set;

	if (proof->circles)
		cycle += proof->ends[proof->circles - 1];
	for (channel = 0; channel < n; channel++)
		for (set = proof->waiters[proof->ring[channel]] ? proof->waits[channel] : 0; set;)
			before[take(proof, end_of(proof, channel), &set)] = channel;
	for (at = 0; !proof->waiters[at]; at++)
		;
	/*
	 * after as many steps from waiter to waiter as there are channels, the walk is on a cycle
	 */
	for (i = 0; i < n; i++)
		at = proof->ring[before[at]];
	channel = at;
	do {
		count++;
		channel = proof->ring[before[channel]];
	} while (channel != at);
	for (i = count; i--; channel = proof->ring[before[channel]])
		cycle[(i + count - 1) % count] = named(proof, before[channel]);
	proof->ends[proof->circles++] = (uint32_t)(cycle - proof->cycle) + count;
}

/*
 * Remove the waits of all channels of the last cycle, and of the rings of these channels, so that
 * strip() can find other cycles.
 */
static void open_circle(struct proof *proof)
{
	uint32_t count, i, channel, first;
	const struct proof_channel *cycle = proof_circle(proof, proof->circles - 1, &count);

	for (i = 0; i < count; i++) {
		first = number(proof, &cycle[i]);
		channel = first;
		do {
			proof->waits[channel] = 0;
			channel = proof->member[channel];
		} while (channel != first);
	}
}

/**
 * proof_check() - check that no channels wait for each other in a cycle
 * @proof: [in, out] up to PROOF_CIRCLES cycles are stored, and the waits of their channels are
 *    removed
 *
 * Return: true if there is no cycle.
 */
bool proof_check(struct proof *proof)
{
	proof->circles = 0;
	while (proof->circles < PROOF_CIRCLES && strip(proof)) {
		trace(proof);
		open_circle(proof);
	}
	return !proof->circles;
}
