/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefetch the data of the next ticks. A small domain has only a few events per tick. Prefetching
 * within one tick's list is then too late, and each access would stall. A fabric of one domain has
 * long lists, and prefetching within these lists is enough. A thread with several domains runs each
 * domain once per window. Meanwhile it prefetches what the next domain needs first.
 */
#ifndef TORUS_CORE_ROUTER_PREFETCH_H
#define TORUS_CORE_ROUTER_PREFETCH_H

/*
 * Prefetch this many ticks ahead: first the event lists, then the nodes and packets of their
 * events, at last the packets that follow in queues.
 */
#define ROUTER_TICKS_LISTS	4
#define ROUTER_TICKS_NODES	2
#define ROUTER_TICKS_BEHIND	1

/* Number of pointers in a cache line. */
#define ROUTER_LINE_LISTS	(64 / sizeof(struct torus_block *))

/*
 * Newest block of a lane's list at tick @at. Older blocks are full, so prefetching within the list
 * is enough for them.
 */
torus_inline const struct torus_block *router_list(const struct torus_domain *d,
						   enum torus_lane lane, u64 at)
{
	return *torus_wheel_list(&d->wheel, lane, at);
}

torus_inline void router_prefetch_lists(const struct torus_domain *d, u64 at)
{
	enum torus_lane lane;

	for (lane = TORUS_LANE_ANY; lane < TORUS_LANES; lane++) {
		const char *blk = (const char *)router_list(d, lane, at);

		torus_prefetch(blk);
		torus_prefetch(blk + 64);
		torus_prefetch(blk + 128);
	}
}

/* Prefetch the data of a list's events with two functions of event_lists.h. */
torus_inline void router_prefetch_events(struct torus_domain *d, enum torus_lane lane, u64 at,
					 router_event_fn *node_fn, router_event_fn *pkt_fn)
{
	const struct torus_block *blk = router_list(d, lane, at);
	u32 i;

	for (i = 0; blk && i < blk->n; i++) {
		node_fn(d, &blk->ev[i]);
		pkt_fn(d, &blk->ev[i]);
	}
}

torus_inline void router_prefetch_shorts(struct torus_domain *d, enum torus_lane lane, u64 at,
					 router_short_fn *fetch)
{
	const struct torus_block *blk = router_list(d, lane, at);
	u32 i;

	for (i = 0; blk && i < blk->n; i++)
		fetch(d, &blk->shorts[i]);
}

/*
 * Prefetch the node of a DONE event, and the counters of its link: the next packet will soon use
 * the link.
 */
torus_inline void router_prefetch_done_link(struct torus_domain *d, const struct torus_short *ev)
{
	router_prefetch_done_node(d, ev);
	torus_prefetch(router_hot(d, ev->node, ev->dir));
}

torus_inline void router_prefetch_source_event(struct torus_domain *d, const struct torus_event *ev)
{
	router_prefetch_source(d, ev->node);
	router_prefetch_any_packet(d, ev);
}

torus_inline void router_prefetch_nodes(struct torus_domain *d, u64 at)
{
	router_prefetch_events(d, TORUS_LANE_HEAD, at, router_prefetch_head_node,
			       router_prefetch_head_packet);
	router_prefetch_shorts(d, TORUS_LANE_DONE, at, router_prefetch_done_link);
	router_prefetch_shorts(d, TORUS_LANE_TOKEN, at, router_prefetch_token_node);
	router_prefetch_events(d, TORUS_LANE_RECEIVED, at, router_prefetch_received_node,
			       router_prefetch_head_packet);
#if ROUTER_STAGES == 2
	router_prefetch_events(d, TORUS_LANE_STAGE_HEAD, at, router_prefetch_received_node,
			       router_prefetch_head_packet);
	router_prefetch_shorts(d, TORUS_LANE_STAGE_DONE, at, router_prefetch_stage_done_node);
#endif
	router_prefetch_events(d, TORUS_LANE_ANY, at, router_prefetch_any_node,
			       router_prefetch_source_event);
}

/*
 * For each transfer that ends at tick @at, prefetch the next packet of its queue. The queues are in
 * the cache.
 */
torus_inline void router_prefetch_next_packets(struct torus_domain *d, u64 at)
{
	router_prefetch_shorts(d, TORUS_LANE_DONE, at, router_prefetch_done_packet);
#if ROUTER_STAGES == 2
	router_prefetch_shorts(d, TORUS_LANE_STAGE_DONE, at, router_prefetch_stage_done_packet);
#endif
}

/* Prefetch the data of the ticks after @now, if the domain is one of several. */
torus_inline void router_prefetch_ticks(struct torus_domain *d, u64 now)
{
	if (!d->where)
		return;
	router_prefetch_lists(d, now + ROUTER_TICKS_LISTS);
	router_prefetch_nodes(d, now + ROUTER_TICKS_NODES);
	router_prefetch_next_packets(d, now + ROUTER_TICKS_BEHIND);
}

/*
 * Prefetch the start of the next domain's window while this domain runs: lists and mail. For the
 * domain after that, prefetch the heads of its lists.
 */
torus_inline void router_prefetch_window(const struct torus_domain *d, u64 start, u64 until)
{
	const struct torus_domain *next = d->after;
	enum torus_lane lane;
	u64 at;

	if (!next)
		return;
	torus_mail_fetch(next, d->parity ^ 1);
	for (lane = TORUS_LANE_ANY; lane < TORUS_LANES; lane++)
		for (at = start; at < start + ROUTER_TICKS_LISTS; at++)
			torus_prefetch(router_list(next, lane, at));
	next = next->after;
	if (!next)
		return;
	torus_prefetch(next);
	torus_prefetch((const char *)next + 64);
	for (lane = TORUS_LANE_ANY; lane < TORUS_LANES; lane++)
		for (at = start; at < until + ROUTER_LINE_LISTS; at += ROUTER_LINE_LISTS)
			torus_prefetch(torus_wheel_list(&next->wheel, lane, at));
}

/* Prefetch the nodes of the next domain's first ticks; the lists are in the cache. */
torus_inline void router_prefetch_first_ticks(struct torus_domain *d, u64 start)
{
	u64 at;

	if (!d->after)
		return;
	for (at = start; at < start + ROUTER_TICKS_NODES; at++)
		router_prefetch_nodes(d->after, at);
}

#endif
