/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fetching what the next ticks touch.  A small domain has a handful of events a tick:
 * none of them is far enough ahead of another in its list, and each would be waited
 * for.  Where the fabric is one domain the lists are long, and fetching within them is
 * enough.  A thread with several domains comes to each only once a window, and fetches
 * what the next one begins with.
 */
#ifndef TORUS_ROUTER_AHEAD_H
#define TORUS_ROUTER_AHEAD_H

/* Ticks ahead at which lists are fetched, then nodes and packets, then packets behind those. */
#define ROUTER_TICKS_LISTS	4
#define ROUTER_TICKS_NODES	2
#define ROUTER_TICKS_BEHIND	1

/* Pointers of a cache line. */
#define ROUTER_LINE_LISTS	(64 / sizeof(struct torus_block *))

/* The newest block of a lane's list; older ones are full, and fetch ahead by themselves. */
torus_inline const struct torus_block *router_list(const struct torus_domain *d,
						   enum torus_lane lane, u64 at)
{
	return *torus_wheel_list(&d->wheel, lane, at);
}

torus_inline void router_fetch_lists(const struct torus_domain *d, u64 at)
{
	enum torus_lane lane;

	for (lane = TORUS_LANE_ANY; lane < TORUS_LANES; lane++) {
		const char *blk = (const char *)router_list(d, lane, at);

		torus_prefetch(blk);
		torus_prefetch(blk + 64);
		torus_prefetch(blk + 128);
	}
}

/* What a list's events touch, by two of lanes.h's functions. */
torus_inline void router_fetch_events(struct torus_domain *d, enum torus_lane lane, u64 at,
				      router_event_fn *far, router_event_fn *near)
{
	const struct torus_block *blk = router_list(d, lane, at);
	u32 i;

	for (i = 0; blk && i < blk->n; i++) {
		far(d, &blk->ev[i]);
		near(d, &blk->ev[i]);
	}
}

torus_inline void router_fetch_shorts(struct torus_domain *d, enum torus_lane lane, u64 at,
				      router_short_fn *fetch)
{
	const struct torus_block *blk = router_list(d, lane, at);
	u32 i;

	for (i = 0; blk && i < blk->n; i++)
		fetch(d, &blk->shorts[i]);
}

/* Of a transfer that ends the link, too: free again, it will hardly stay so. */
torus_inline void router_fetch_done(struct torus_domain *d, const struct torus_short *ev)
{
	router_far_done(d, ev);
	torus_prefetch(router_hot(d, ev->node, ev->dir));
}

torus_inline void router_fetch_source(struct torus_domain *d, const struct torus_event *ev)
{
	router_prefetch_source(d, ev->node);
	router_near_any(d, ev);
}

torus_inline void router_fetch_nodes(struct torus_domain *d, u64 at)
{
	router_fetch_events(d, TORUS_LANE_HEAD, at, router_far_head, router_near_head);
	router_fetch_shorts(d, TORUS_LANE_DONE, at, router_fetch_done);
	router_fetch_shorts(d, TORUS_LANE_TOKEN, at, router_far_token);
	router_fetch_events(d, TORUS_LANE_RECEIVED, at, router_far_received, router_near_head);
#if ROUTER_STAGES == 2
	router_fetch_events(d, TORUS_LANE_STAGE_HEAD, at, router_far_received, router_near_head);
	router_fetch_shorts(d, TORUS_LANE_STAGE_DONE, at, router_far_stage_done);
#endif
	router_fetch_events(d, TORUS_LANE_ANY, at, router_far_any, router_fetch_source);
}

/* The packets behind those that will have left: their queues have come. */
torus_inline void router_fetch_behind(struct torus_domain *d, u64 at)
{
	router_fetch_shorts(d, TORUS_LANE_DONE, at, router_near_done);
#if ROUTER_STAGES == 2
	router_fetch_shorts(d, TORUS_LANE_STAGE_DONE, at, router_near_stage_done);
#endif
}

/* What the ticks behind @now touch, of a domain among others. */
torus_inline void router_fetch_ticks(struct torus_domain *d, u64 now)
{
	if (!d->where)
		return;
	router_fetch_lists(d, now + ROUTER_TICKS_LISTS);
	router_fetch_nodes(d, now + ROUTER_TICKS_NODES);
	router_fetch_behind(d, now + ROUTER_TICKS_BEHIND);
}

/*
 * What the thread's next domain begins its window with, fetched while this one's is
 * simulated: the lists and its mail; of the domain after that, where they are found.
 */
torus_inline void router_fetch_window(const struct torus_domain *d, u64 start, u64 until)
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

/* The nodes that the next domain's first ticks touch: the lists have come. */
torus_inline void router_fetch_first(struct torus_domain *d, u64 start)
{
	u64 at;

	if (!d->after)
		return;
	for (at = start; at < start + ROUTER_TICKS_NODES; at++)
		router_fetch_nodes(d->after, at);
}

#endif
