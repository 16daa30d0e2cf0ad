// SPDX-License-Identifier: GPL-2.0
/*
 * Injection pacing: see pacing.h.
 */
#include <string.h>
#include "../context/context.h"
#include "pacing.h"

#define PER_PEAK	1000	/* pacing's unit */

/* Crossings of a dimension's busiest link for a packet from each node: @over / @under. */
static void pace_crossings(__u32 length, bool mesh, __u64 *over, __u64 *under)
{
	*over = (__u64)length * length / 4;
	*under = mesh ? length : 2 * length;
}

/**
 * torus_pace_set() - limit the rate of injection
 * @pace: the bucket, which is full at first
 * @context: the machine
 * @pacing: thousandths of the peak of an all-to-all; 0: no limit
 */
void torus_pace_set(struct pace *pace, const struct torus_context *context, __u32 pacing)
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

/* Does the engine sleep, and nobody do its work, so that nothing is on its way? */
static bool pace_at_rest(const struct torus_context *context)
{
	const __u32 *at = (const __u32 *)(context->status + context->info.status_flags_offset);
	__u32 flags = __atomic_load_n(at, __ATOMIC_RELAXED);

	/* in virtual time that is chance: the program's own clock moves */
	return !context->clock && flags & TORUS_STATUS_DOORBELL && !(flags & TORUS_STATUS_LENT);
}

/**
 * torus_pace_refill() - put in what the time has brought
 * @pace: the bucket
 * @context: whose fabric's clock it follows
 */
void torus_pace_refill(struct pace *pace, const struct torus_context *context)
{
	__u64 clock, ticks;

	if (!pace->gain)
		return;
	clock = torus_context_clock(context);
	/* A fabric that is reset starts again at 0. */
	ticks = clock > pace->clock ? clock - pace->clock : 0;
	pace->clock = clock;
	if (pace_at_rest(context) || ticks >= (pace->most - pace->level) / pace->gain)
		pace->level = pace->most;
	else
		pace->level += ticks * pace->gain;
}

/**
 * torus_pace_ready() - may a packet of any length be injected now?
 * @pace: the bucket
 *
 * Return: true if so.
 */
bool torus_pace_ready(const struct pace *pace)
{
	return !pace->gain || pace->level >= pace->most / PACE_BURST;
}

/**
 * torus_pace_spend() - a packet was injected
 * @pace: the bucket
 * @chunks: its length
 */
void torus_pace_spend(struct pace *pace, unsigned int chunks)
{
	if (pace->gain)
		pace->level -= pace->cost * (chunks * pace->chunk_ticks + pace->wire_ticks);
}
