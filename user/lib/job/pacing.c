// SPDX-License-Identifier: GPL-2.0
/* Limit the rate of injection: see pacing.h. */
#include <string.h>
#include "../context/context.h"
#include "pacing.h"

#define PER_PEAK	1000	/* unit of pacing: thousandths of an all-to-all's peak rate */

/*
 * Compute how often a packet from each node crosses the busiest link of a dimension: @over /
 * @under.
 */
static void pace_crossings(uint32_t length, bool mesh, __u64 *over, __u64 *under)
{
	*over = (__u64)length * length / 4;
	*under = mesh ? length : 2 * length;
}

/**
 * torus_pace_set() - set the limit of the injection rate
 * @pace: [out] the bucket, full at first
 * @context: context of the machine
 * @pacing: thousandths of the peak rate of an all-to-all; 0: no limit
 */
void torus_pace_set(struct pace *pace, const struct torus_context *context, uint32_t pacing)
{
	const struct torus_ioc_info *info = &context->info;
	__u64 over = 0, under = 1, of, by;
	unsigned int dim;

	memset(pace, 0, sizeof(*pace));
	pace->chunk_ticks = context->machine->chunk_ticks;
	pace->wire_ticks = (context->machine->wire_bytes * pace->chunk_ticks +
			    info->chunk_bytes - 1) / info->chunk_bytes;
	for (dim = 0; dim < info->ndims; dim++) {
		pace_crossings(info->dims[dim], info->mesh >> dim & 1, &of, &by);
		if (of * under > over * by) {
			over = of;
			under = by;
		}
	}
	if (!pacing || !over || info->nodes < 2)
		return;
	pace->cost = over * info->nodes * PER_PEAK;
	pace->gain = under * (info->nodes - 1) * pacing;
	pace->most = pace->cost * PACE_BURST *
		     (info->packet_chunks_max * pace->chunk_ticks + pace->wire_ticks);
	pace->level = pace->most;
	pace->clock = torus_context_clock(context);
}

/*
 * Check whether no packet is under way: the engine sleeps, and no program's doorbell call runs the
 * fabric.
 */
static bool pace_at_rest(const struct torus_context *context)
{
	const uint32_t *at =
		(const uint32_t *)(context->status + context->info.status_flags_offset);
	uint32_t flags = __atomic_load_n(at, __ATOMIC_RELAXED);

	/*
	 * not in virtual time: there the flags depend on real time, and the program's own clock
	 * advances
	 */
	return !context->clock && flags & TORUS_STATUS_DOORBELL &&
	       !(flags & TORUS_STATUS_INLINE_RUN);
}

/**
 * torus_pace_refill() - add the ticks that have passed to the bucket
 * @pace: the bucket
 * @context: context whose fabric's clock is read
 */
void torus_pace_refill(struct pace *pace, const struct torus_context *context)
{
	__u64 clock, ticks;

	if (!pace->gain)
		return;
	clock = torus_context_clock(context);
	/* The clock of a fabric restarts at 0 after a reset. */
	ticks = clock > pace->clock ? clock - pace->clock : 0;
	pace->clock = clock;
	if (pace_at_rest(context) || ticks >= (pace->most - pace->level) / pace->gain)
		pace->level = pace->most;
	else
		pace->level += ticks * pace->gain;
}

/**
 * torus_pace_ready() - check whether a packet of any length may be injected now
 * @pace: the bucket
 *
 * Return: true if the bucket has enough tokens, or there is no limit.
 */
bool torus_pace_ready(const struct pace *pace)
{
	return !pace->gain || pace->level >= pace->most / PACE_BURST;
}

/**
 * torus_pace_spend() - take the tokens of an injected packet out of the bucket
 * @pace: the bucket
 * @chunks: length of the packet
 */
void torus_pace_spend(struct pace *pace, unsigned int chunks)
{
	if (pace->gain)
		pace->level -= pace->cost * (chunks * pace->chunk_ticks + pace->wire_ticks);
}
