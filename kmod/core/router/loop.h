/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The loop: tick by tick, every event of the tick is applied, then the nodes that they
 * touched are arbitrated.  A router file includes it behind its hooks.
 *
 * A hop is three events.  The grant at tick t takes the packet off its slot and
 * sends: HEAD at the next node at t + latency, DONE here when the last byte has
 * left (link, read port, bus and buffer space are free again).  DONE sends the third:
 * TOKEN at the upstream node one acknowledgement delay later; sent by the grant, it
 * would lie in the wheel for as long as DONE does.
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

/* Injection slots that have room are filled. */
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

/* Hand over the packets that arrived in this tick, in an order that no event order can change. */
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

	/* the queues have come: now the packets */
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

/* The nodes of the list that the last tick left for this one. */
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

/* Distances in nodes at which what an arbitration reads is fetched ahead. */
#define ROUTER_AHEAD_ARBITRATE	3
#define ROUTER_AHEAD_BANKS	2	/* with STAGES 2 */
#define ROUTER_AHEAD_HEADS	1

/* The index of a node some way ahead; at the end any that is there will do. */
torus_inline u32 router_index_ahead(u32 i, u32 n, u32 by)
{
	return i + (by & -(u32)(i + by < n));
}

/* What the nodes behind the @i-th of @n touched ones will read. */
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
	/* a drop during arbitration touches its node anew */
	for (i = n; i < d->ntouched; i++) {
		struct router_node *node = router_node(d, d->touched[i]);

		node->touched &= (u8)~TORUS_TOUCHED;
		router_again(d, node, d->touched[i], d->now + 1);
	}
	d->ntouched = 0;
}

/* Every event of the domain before @until; named by the machine. */
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
