// SPDX-License-Identifier: GPL-2.0
/*
 * Check whether tables can be replaced while packets are in flight.
 *
 * The old tables have brought a packet in flight to an input and a VC of some node. From there, the
 * new tables must bring the packet to its destination. Waits by the old and by the new tables
 * together must not close a cycle.
 */
#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "cycle.h"
#include "trace_packet.h"
#include "transition.h"

static void swap_dest(struct xt_transition *swap, struct xt_check *old, struct xt_check *new,
		      const struct xt_tables *before, const struct xt_tables *after, uint32_t dest)
{
	const struct xt_map *map = after->map;
	uint32_t src, i, tail = 0, known = 0;

	for (src = 0; src < map->nodes; src++) {
		if (src == dest)
			continue;
		xt_follow(old, before, XT_STATE(src, XT_PROCESSOR, 0), dest, &tail);
		if (xt_follow(new, after, XT_STATE(src, XT_PROCESSOR, 0), dest, &known) !=
		    XT_END_REACHED)
			swap->unreached++;
	}
	for (i = 0; i < tail; i++) {
		uint32_t at = old->state->order[i];

		/* packets that are still at their source follow only the new tables */
		if (at / XT_VCS % XT_PORTS == XT_PROCESSOR)
			continue;
		swap->states++;
		if (xt_follow(new, after, at, dest, &known) != XT_END_REACHED &&
		    old->state->seen[at].end == XT_END_REACHED)
			swap->stranded++;
	}
}

/**
 * xt_transition_check() - check whether tables can be replaced within one tick
 * @swap: [out] the results
 * @before: the old tables; their map has the cables over which packets in flight moved
 * @after: the new tables, of the same shape; their map has the cables that are left
 *
 * Return: 0, -ENOMEM.
 */
int xt_transition_check(struct xt_transition *swap, const struct xt_tables *before,
			const struct xt_tables *after)
{
	const struct xt_map *map = after->map;
	size_t channels = (size_t)map->nodes * XT_DIRS * XT_VCS, i;
	struct xt_check old, new;
	uint32_t dest;

	*swap = (struct xt_transition){ .states = 0 };
	if (xt_check_init(&old, map))
		return -ENOMEM;
	if (xt_check_init(&new, map)) {
		xt_check_free(&old);
		return -ENOMEM;
	}
	xt_check_begin(&old, map);
	xt_check_begin(&new, map);
	for (dest = 0; dest < map->nodes; dest++)
		swap_dest(swap, &old, &new, before, after, dest);
	for (i = 0; i < channels; i++)
		new.state->waits[i] |= old.state->waits[i];
	swap->circle = xt_cycle_find(map, new.state->waits, new.state->work, new.path);
	xt_check_free(&old);
	xt_check_free(&new);
	return 0;
}

/**
 * xt_transition_safe() - check whether a swap is safe
 *
 * Return: true if the new tables strand no packet in flight and there is no cycle of waits.
 */
bool xt_transition_safe(const struct xt_transition *swap)
{
	return !swap->stranded && !swap->circle;
}
