/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hot loop: in each tick, apply the events of the tick, then arbitrate the nodes that they touched.
 * A router file includes this file after its hooks.
 *
 * With one stage, a hop is three events. The grant at tick t removes the packet from its slot and
 * schedules HEAD and DONE. HEAD happens at the next node at t + latency. DONE happens here when the
 * last byte has left: link, read port, bus and buffer space are free again. DONE schedules TOKEN at
 * the upstream node, one acknowledgement delay later. If the grant scheduled TOKEN, that event
 * would occupy the wheel for the whole time until DONE, too. With two stages, a crossing to a bank
 * has the further events STAGE_HEAD and STAGE_DONE, and STAGE_DONE schedules TOKEN.
 */
#ifndef TORUS_ROUTER_LOOP_H
#define TORUS_ROUTER_LOOP_H

#ifndef TORUS_ROUTER_MACHINE_H
#error "core/router/loop.h: core/router/machine.h comes first, then the machine's hooks"
#endif

#include "core/workload/source.h"
#include "core/nic/inject.h"
#include "core/router/queue.h"
#include "core/router/grants.h"

/* Fill injection slots that have space. */
torus_inline void router_refill(struct torus_domain *d, struct router_node *n, u32 node)
{
	if (torus_likely(!n->refill))
		return;
	router_refill_machine(d, node);
	if (d->queues)
		torus_queues_feed(d, node);
	if (d->sources || d->processors)
		torus_source_refill(d, node);
	if (d->f->nattached)
		torus_nic_refill(d, node);
	n->refill = 0;
}

#include "core/router/output_queues.h"
#include "core/router/events.h"
#include "core/router/event_lists.h"
#include "core/router/prefetch.h"
#if ROUTER_STAGES == 1
#include "core/router/arbitrate.h"
#endif

torus_inline u64 router_next(struct torus_domain *d)
{
	u64 next = torus_wheel_next(&d->wheel);

	return d->again_at < next ? d->again_at : next;
}

/*
 * Deliver the packets whose delivery was put off to the end of the tick's events, sorted, so that
 * the order of events does not matter.
 */
static void router_hand_over(struct torus_domain *d)
{
	struct torus_event *r = d->received;
	u32 i, j;

	for (i = 1; i < d->nreceived; i++) {
		struct torus_event ev = r[i];

		for (j = i; j && (r[j - 1].node > ev.node ||
				  (r[j - 1].node == ev.node &&
				   r[j - 1].queue > ev.queue)); j--)
			r[j] = r[j - 1];
		r[j] = ev;
	}
	for (i = 0; i < d->nreceived; i++)
		router_deliver(d, r[i].node, r[i].pkt, r[i].queue);
	d->nreceived = 0;
}

#if ROUTER_STAGES == 1
static void router_flush(struct torus_domain *d, struct router_grants *grants)
{
	u32 i;

	/* the queues of the granted slots are in the cache now: prefetch their packets */
	for (i = 0; i < grants->n; i++) {
		const struct router_grant *g = &grants->list[i];

		torus_packet_prefetch(router_packet(d, router_node(d, g->node), g->slot));
	}
	for (i = 0; i < grants->n; i++) {
		const struct router_grant *g = &grants->list[i];

		router_execute_grant(d, router_node(d, g->node), g->node, g->slot, g->dir, g->vc);
	}
	grants->n = 0;
}
#else
torus_inline void router_flush(struct torus_domain *d, struct router_grants *grants)
{
}
#endif

/* Touch the nodes that earlier ticks scheduled for this one. */
static void router_touch_again(struct torus_domain *d)
{
	u32 i;

	for (i = 0; i < d->nagain; i++) {
		struct router_node *n = router_node(d, d->again[i]);

		n->touched &= (u8)~TORUS_AGAIN;
		router_touch(d, n, d->again[i]);
	}
	d->nagain = 0;
	d->again_at = ~0ull;
}

/* Prefetch the data of an arbitration this many touched nodes ahead. */
#define ROUTER_AHEAD_ARBITRATE	9
#define ROUTER_AHEAD_BANKS	6	/* for STAGES 2 */
#define ROUTER_AHEAD_HEADS	3

/*
 * Index of the touched node @by places ahead. After the end of the list, return @i: prefetching a
 * node again does no harm.
 */
torus_inline u32 router_index_ahead(u32 i, u32 n, u32 by)
{
	return i + (by & -(u32)(i + by < n));
}

/* Prefetch data of the touched nodes after the @i-th of @n. */
torus_inline void router_prefetch_touched(struct torus_domain *d, u32 i, u32 n)
{
	u32 soon = router_index_ahead(i, n, ROUTER_AHEAD_ARBITRATE);

	router_prefetch_arbitration(d, d->touched[soon]);
	router_prefetch_banks(d, d->touched[router_index_ahead(i, n, ROUTER_AHEAD_BANKS)]);
	router_prefetch_heads(d, d->touched[router_index_ahead(i, n, ROUTER_AHEAD_HEADS)]);
}

static void router_arbitrate_touched(struct torus_domain *d, struct router_grants *grants)
{
	u32 i, n = d->ntouched;

	for (i = 0; i < n; i++) {
		struct router_node *node = router_node(d, d->touched[i]);

		if (torus_likely(n > 1))
			router_prefetch_touched(d, i, n);
		node->touched &= (u8)~TORUS_TOUCHED;
		router_arbitrate(d, node, d->touched[i], grants);
		if (grants->n >= ROUTER_GRANTS)
			router_flush(d, grants);
	}
	if (grants->n)
		router_flush(d, grants);
	/* nodes after the first @n were touched during arbitration, e.g. by a drop */
	for (i = n; i < d->ntouched; i++) {
		struct router_node *node = router_node(d, d->touched[i]);

		node->touched &= (u8)~TORUS_TOUCHED;
		router_again(d, node, d->touched[i], d->now + 1);
	}
	d->ntouched = 0;
}

/*
 * Process all events of the domain before @until, unless torus_tick_done() ends the run earlier.
 * The machine names this function.
 */
static void machine_run(struct torus_domain *d, u64 until)
{
	struct router_grants grants torus_uninit;
	u64 start = d->wheel.now + 1;

	grants.n = 0;
	router_prefetch_window(d, start, until);
	for (;;) {
		u64 now = router_next(d);

		if (now >= until)
			break;
		d->now = now;
		d->wheel.now = now;
		if (d->again_at == now)
			router_touch_again(d);
		router_prefetch_ticks(d, now);
		router_events(d, now);
		if (torus_unlikely(d->nlater))
			router_links(d);
		if (torus_unlikely(d->nreceived))
			router_hand_over(d);
		router_arbitrate_touched(d, &grants);
		if (torus_unlikely(!torus_tick_done(d, now)))
			break;
	}
	router_prefetch_first_ticks(d, start);
}

#endif
