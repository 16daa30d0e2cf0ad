// SPDX-License-Identifier: GPL-2.0
/*
 * Find a cycle of channels that wait for each other.
 *
 * A channel is identified by a VC and by the node and input at which its packets arrive. Packets in
 * a channel wait for outputs of that node, and so for the channels that begin at these outputs.
 */
#include <string.h>
#include "check.h"
#include "cycle.h"

#define CHANNELS(map)	((map)->nodes * XT_DIRS * XT_VCS)

/*
 * Return the channel to which the lowest bit of @waits leads; XT_NONE if that output has no cable.
 * Callers loop over the set bits with `waits &= waits - 1`, because most channels wait for few
 * outputs.
 */
static uint32_t onward(const struct xt_map *map, uint32_t channel, uint32_t waits)
{
	uint32_t node = channel / (XT_DIRS * XT_VCS), bit = (uint32_t)__builtin_ctz(waits);
	uint32_t dir = bit / XT_VCS, to = map->next[node][dir];

	if (to == XT_NONE)
		return XT_NONE;
	return (to * XT_DIRS + XT_REVERSE(dir)) * XT_VCS + bit % XT_VCS;
}

static struct xt_channel named(const struct xt_map *map, uint32_t channel)
{
	uint32_t node = channel / (XT_DIRS * XT_VCS), in = channel / XT_VCS % XT_DIRS;

	return (struct xt_channel){ .node = map->next[node][in], .dir = XT_REVERSE(in),
				    .vc = channel % XT_VCS };
}

/*
 * Remove channels for which no channel waits, until all remaining ones have waiters. Return:
 * number of remaining channels.
 */
static uint32_t strip(const struct xt_map *map, const uint16_t *waits, uint32_t *waiters,
		      uint32_t *queue)
{
	uint32_t channels = CHANNELS(map), head = 0, tail = 0, channel, left, to;

	memset(waiters, 0, channels * sizeof(*waiters));
	for (channel = 0; channel < channels; channel++)
		for (left = waits[channel]; left; left &= left - 1) {
			to = onward(map, channel, left);
			if (to != XT_NONE)
				waiters[to]++;
		}
	for (channel = 0; channel < channels; channel++)
		if (!waiters[channel])
			queue[tail++] = channel;
	while (head < tail) {
		channel = queue[head++];
		for (left = waits[channel]; left; left &= left - 1) {
			to = onward(map, channel, left);
			if (to != XT_NONE && !--waiters[to])
				queue[tail++] = to;
		}
	}
	return channels - tail;
}

/*
 * Store a cycle in @path. Each remaining channel has a waiter that also remains, so a walk from
 * waiter to waiter must reach a cycle. Return: the cycle's length.
 */
static uint32_t trace(const struct xt_map *map, const uint16_t *waits, const uint32_t *waiters,
		      uint32_t *before, struct xt_channel *path)
{
	uint32_t channels = CHANNELS(map), channel, left, to, at, length = 0;

	memset(before, 0xff, channels * sizeof(*before));
	for (channel = 0; channel < channels; channel++)
		for (left = waiters[channel] ? waits[channel] : 0; left; left &= left - 1) {
			to = onward(map, channel, left);
			if (to != XT_NONE)
				before[to] = channel;
		}
	for (at = 0; !waiters[at]; at++)
		;
	/* After as many steps as there are channels, the walk is on a cycle. */
	for (channel = 0; channel < channels; channel++)
		at = before[at];
	channel = at;
	do {
		length++;
		channel = before[channel];
	} while (channel != at);
	for (left = length; left--; channel = before[channel])
		path[left] = named(map, channel);
	return length;
}

/**
 * xt_cycle_find() - find channels that may wait for each other in a cycle
 * @waits: by node, input and VC: outputs and VCs for which packets may wait, as bits 2 * output
 *    + VC
 * @work: scratch, two entries per channel
 * @path: [out] channels of the cycle in the order of waits; one entry per channel of the
 *    machine
 *
 * Return: length of the cycle; 0 if there is none.
 */
uint32_t xt_cycle_find(const struct xt_map *map, const uint16_t *waits, uint32_t *work,
		       struct xt_channel *path)
{
	uint32_t *waiters = work, *other = work + CHANNELS(map);

	if (!strip(map, waits, waiters, other))
		return 0;
	return trace(map, waits, waiters, other, path);
}
