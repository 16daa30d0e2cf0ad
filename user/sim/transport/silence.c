// SPDX-License-Identifier: GPL-2.0
/*
 * Ranks that say nothing.  A rank that is well says so now and then, while it waits and between two
 * pieces of what it simulates; whose silence lasts too long is given up.  Only who waits listens,
 * so that a silence begins with the wait at the earliest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "silence.h"
#include "wire.h"

/* Times that a rank says something before it would be given up. */
#define BEATS		4
#define MS_PER_S	1000.0

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/**
 * sim_silence_init - nobody has said anything
 * @silence: to be filled in
 * @ranks: how many there are
 *
 * Return: false: there is no memory.
 */
bool sim_silence_init(struct sim_silence *silence, uint32_t ranks)
{
	*silence = (struct sim_silence){ .heard_ms = calloc(ranks, sizeof(*silence->heard_ms)) };
	return silence->heard_ms;
}

/* Give it back. */
void sim_silence_free(struct sim_silence *silence)
{
	free(silence->heard_ms);
}

/**
 * sim_silence_begin - this rank begins to wait, and listens
 * @silence: what it has heard
 * @wire: of the ranks
 */
void sim_silence_begin(struct sim_silence *silence, const struct sim_wire *wire)
{
	if (wire->timeout_ms)
		silence->began_ms = now_ms();
}

/**
 * sim_silence_heard - a rank has said something
 * @silence: what was heard
 * @wire: of the ranks
 * @rank: which one
 */
void sim_silence_heard(struct sim_silence *silence, const struct sim_wire *wire, uint32_t rank)
{
	if (wire->timeout_ms)
		silence->heard_ms[rank] = now_ms();
}

/**
 * sim_silence_due - is it time to say something?
 * @silence: what was said
 * @wire: of the ranks
 *
 * Return: true if so, and the caller says it.
 */
bool sim_silence_due(struct sim_silence *silence, const struct sim_wire *wire)
{
	uint64_t now;

	if (!wire->timeout_ms)
		return false;
	now = now_ms();
	if (now < silence->told_ms + wire->timeout_ms / BEATS)
		return false;
	silence->told_ms = now;
	return true;
}

/* For how long has a rank been silent? */
static uint64_t silent_ms(const struct sim_silence *silence, uint32_t rank, uint64_t now)
{
	uint64_t since = silence->heard_ms[rank];

	if (since < silence->began_ms)
		since = silence->began_ms;
	return now > since ? now - since : 0;
}

/**
 * sim_silence_found - is another rank to be given up, and by this one?
 * @silence: what was heard, by a rank that waits
 * @wire: of the ranks
 *
 * All that wait find it at about the same time, and the first of them is to tell it; others do
 * if the ranks before them, which may be busy, leave it alone for as long as half the time.
 *
 * Return: true after telling which: the caller ends all.
 */
bool sim_silence_found(const struct sim_silence *silence, const struct sim_wire *wire)
{
	uint64_t now, limit = wire->timeout_ms;
	uint32_t i;

	if (!wire->timeout_ms)
		return false;
	now = now_ms();
	for (i = 0; i < wire->rank; i++)
		if (silent_ms(silence, i, now) <= wire->timeout_ms)
			limit = wire->timeout_ms + wire->timeout_ms / 2;
	for (i = 0; i < wire->count; i++)
		if (i != wire->rank && silent_ms(silence, i, now) > limit)
			break;
	if (i == wire->count)
		return false;
	fprintf(stderr, "torus-sim: rank %u has said nothing for %g s (--rank-timeout)\n", i,
		wire->timeout_ms / MS_PER_S);
	return true;
}
