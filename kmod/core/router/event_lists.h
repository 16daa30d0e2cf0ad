/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Apply the event lists of a tick; a lane is a list of events of one kind, but TORUS_LANE_ANY has
 * events of any kind. While an event is applied, data for later events is prefetched: first
 * their nodes, then the packets in those nodes. Included by loop.h.
 */

/* Prefetch the node of the event this many events ahead, and the packet of a nearer event. */
#define ROUTER_NODES_AHEAD	10
#define ROUTER_PACKETS_AHEAD	4
/* With TABLES: prefetch the routing data of the packet this many events ahead. */
#define ROUTER_ROUTES_AHEAD	2

typedef void router_event_fn(struct torus_domain *d, const struct torus_event *ev);
typedef void router_short_fn(struct torus_domain *d, const struct torus_short *ev);

/* Prefetch the next block of a list while the events of this block are applied. */
torus_inline struct torus_block *router_next_block(const struct torus_block *blk)
{
	struct torus_block *next = blk->next;
	/* an integer, because @next may be NULL, and arithmetic on a null pointer is undefined */
	unsigned long at = (unsigned long)next;

	torus_prefetch((const void *)at);
	torus_prefetch((const void *)(at + 64));
	torus_prefetch((const void *)(at + 128));
	return next;
}

/*
 * Number of events to prefetch before the first event is applied. It is 0 if the first block has
 * few events, because they end before prefetched data arrives.
 */
torus_inline u32 router_first(const struct torus_block *blk)
{
	return blk && blk->n >= 2 * ROUTER_NODES_AHEAD ? ROUTER_NODES_AHEAD : 0;
}

/*
 * Check whether a list has more than one event. For a single event, prefetched data would arrive
 * too late.
 */
torus_inline bool router_many(const struct torus_block *blk)
{
	return blk && (blk->n > 1 || blk->next);
}

/*
 * Find the event @by places after event @i, in this block or the next. If neither has it, return
 * event @i: prefetching its data again does no harm.
 */
torus_inline const struct torus_event *router_event_ahead(const struct torus_block *blk,
							  const struct torus_block *next, u32 i,
							  u32 by)
{
	u32 at = i + by;

	if (at < blk->n)
		return &blk->ev[at];
	at -= blk->n;
	return next && at < next->n ? &next->ev[at] : &blk->ev[i];
}

torus_inline const struct torus_short *router_short_ahead(const struct torus_block *blk,
							  const struct torus_block *next, u32 i,
							  u32 by)
{
	u32 at = i + by;

	if (at < blk->n)
		return &blk->shorts[at];
	at -= blk->n;
	return next && at < next->n ? &next->shorts[at] : &blk->shorts[i];
}

/*
 * Apply a list of events. @node_fn, @pkt_fn and @route_fn prefetch, @apply applies an event; all
 * four are inlined.
 */
torus_inline void router_each_event(struct torus_domain *d, struct torus_block *blk,
				    router_event_fn *node_fn, router_event_fn *pkt_fn,
				    router_event_fn *route_fn, router_event_fn *apply)
{
	u32 i, first = router_first(blk);
	struct torus_block *next;
	bool many = router_many(blk);

	for (i = 0; i < first; i++)
		node_fn(d, &blk->ev[i]);
	for (; blk; blk = next) {
		next = router_next_block(blk);
		for (i = 0; i < blk->n; i++) {
			if (torus_likely(many)) {
				node_fn(d, router_event_ahead(blk, next, i, ROUTER_NODES_AHEAD));
				pkt_fn(d, router_event_ahead(blk, next, i, ROUTER_PACKETS_AHEAD));
				route_fn(d, router_event_ahead(blk, next, i, ROUTER_ROUTES_AHEAD));
			}
			apply(d, &blk->ev[i]);
		}
		d->stats.events += blk->n;
		torus_wheel_put(&d->wheel, blk);
	}
}

/*
 * Apply a list of short events. @node_fn, @pkt_fn and @route_fn prefetch, @apply applies an event;
 * all four are inlined.
 */
torus_inline void router_each_short(struct torus_domain *d, struct torus_block *blk,
				    router_short_fn *node_fn, router_short_fn *pkt_fn,
				    router_short_fn *route_fn, router_short_fn *apply)
{
	u32 i, first = router_first(blk);
	struct torus_block *next;
	bool many = router_many(blk);

	for (i = 0; i < first; i++)
		node_fn(d, &blk->shorts[i]);
	for (; blk; blk = next) {
		next = router_next_block(blk);
		for (i = 0; i < blk->n; i++) {
			if (torus_likely(many)) {
				node_fn(d, router_short_ahead(blk, next, i, ROUTER_NODES_AHEAD));
				pkt_fn(d, router_short_ahead(blk, next, i, ROUTER_PACKETS_AHEAD));
				route_fn(d, router_short_ahead(blk, next, i, ROUTER_ROUTES_AHEAD));
			}
			apply(d, &blk->shorts[i]);
		}
		d->stats.events += blk->n;
		torus_wheel_put(&d->wheel, blk);
	}
}

/*
 * ---------------------------------------------------------------- prefetch functions of each lane
 */

torus_inline void router_prefetch_no_route(struct torus_domain *d, const struct torus_event *ev)
{
}

torus_inline void router_prefetch_no_route_short(struct torus_domain *d,
						 const struct torus_short *ev)
{
}

/*
 * Prefetch the data for routing packet @pkt at a node. Both are in the cache. The hook reads the
 * packet; packet 0 stands for TORUS_NONE, because a branch would be mispredicted often. In a
 * restored domain a pool may have no memory yet, not even for packet 0.
 */
torus_inline void router_prefetch_route(struct torus_domain *d, u32 node, u32 pkt)
{
#if ROUTER_TABLES
	if (torus_likely(d->pool.segments))
		machine_prefetch_route(d->machine, router_node(d, node),
				       torus_packet_at(d, pkt + (pkt == TORUS_NONE)));
#endif
}

torus_inline void router_prefetch_head_route(struct torus_domain *d, const struct torus_event *ev)
{
	router_prefetch_route(d, ev->node, ev->pkt);
}

torus_inline void router_prefetch_head_node(struct torus_domain *d, const struct torus_event *ev)
{
	router_prefetch(d, ev->node, ev->queue);
}

torus_inline void router_prefetch_head_packet(struct torus_domain *d, const struct torus_event *ev)
{
	torus_packet_prefetch(torus_packet_at(d, ev->pkt));
}

/* Prefetch the node of an event: its packet was received, or joins an output queue. */
torus_inline void router_prefetch_received_node(struct torus_domain *d,
						const struct torus_event *ev)
{
	router_prefetch_done(d, ev->node, ev->bank, ev->queue);
	router_prefetch_received(d, ev);
}

torus_inline void router_prefetch_received_packet(struct torus_domain *d,
						  const struct torus_event *ev)
{
	torus_packet_prefetch(torus_packet_at(d, ev->pkt));
	router_prefetch_packet(d, router_behind(d, ev->node, ev->bank, ev->queue));
}

torus_inline void router_prefetch_done_node(struct torus_domain *d, const struct torus_short *ev)
{
	router_prefetch_done(d, ev->node, ev->bank, ev->queue);
}

torus_inline void router_prefetch_done_packet(struct torus_domain *d, const struct torus_short *ev)
{
	router_prefetch_packet(d, router_behind(d, ev->node, ev->bank, ev->queue));
}

torus_inline void router_prefetch_token_node(struct torus_domain *d, const struct torus_short *ev)
{
	router_prefetch_tokens(d, ev);
	router_prefetch_bank(d, ev->node, ev->dir);
}

torus_inline void router_prefetch_token_packet(struct torus_domain *d, const struct torus_short *ev)
{
}

torus_inline void router_prefetch_stage_done_node(struct torus_domain *d,
						  const struct torus_short *ev)
{
	router_prefetch(d, ev->node, ev->queue);
}

torus_inline void router_prefetch_stage_done_packet(struct torus_domain *d,
						    const struct torus_short *ev)
{
	router_prefetch_packet(d, router_node(d, ev->node)->q[ev->queue].head);
}

torus_inline void router_prefetch_stage_done_route(struct torus_domain *d,
						   const struct torus_short *ev)
{
	router_prefetch_route(d, ev->node, router_node(d, ev->node)->q[ev->queue].head);
}

/* Prefetch the node of an event in TORUS_LANE_ANY; most of these events are of sources. */
torus_inline void router_prefetch_any_node(struct torus_domain *d, const struct torus_event *ev)
{
	torus_prefetch(router_node(d, ev->node));
	router_prefetch_source(d, ev->node);
}

torus_inline void router_prefetch_any_packet(struct torus_domain *d, const struct torus_event *ev)
{
	if (torus_event_has_packet(ev))
		router_prefetch_packet(d, ev->pkt);
}

torus_inline void router_on_any(struct torus_domain *d, const struct torus_event *ev)
{
	if (torus_unlikely(ev->residue)) {
		torus_wheel_push(&d->wheel, d->now + ev->residue, *ev);
		d->stats.events--;
		return;
	}
	router_apply(d, ev);
}

/* ------------------------------------------------------------------- application of each lane */

static void router_heads(struct torus_domain *d, u64 now)
{
	router_each_event(d, torus_wheel_take_lane(&d->wheel, TORUS_LANE_HEAD, now),
			  router_prefetch_head_node, router_prefetch_head_packet,
			  router_prefetch_head_route, router_on_head);
}

static void router_dones(struct torus_domain *d, u64 now)
{
	router_each_short(d, torus_wheel_take_lane(&d->wheel, TORUS_LANE_DONE, now),
			  router_prefetch_done_node, router_prefetch_done_packet,
			  router_prefetch_no_route_short, router_on_done);
}

static void router_tokens(struct torus_domain *d, u64 now)
{
	router_each_short(d, torus_wheel_take_lane(&d->wheel, TORUS_LANE_TOKEN, now),
			  router_prefetch_token_node, router_prefetch_token_packet,
			  router_prefetch_no_route_short, router_on_token);
}

static void router_receptions(struct torus_domain *d, u64 now)
{
	router_each_event(d, torus_wheel_take_lane(&d->wheel, TORUS_LANE_RECEIVED, now),
			  router_prefetch_received_node, router_prefetch_received_packet,
			  router_prefetch_no_route, router_on_received);
}

/* Apply the events of packets on their way to the second stage. */
static void router_crossings(struct torus_domain *d, u64 now)
{
#if ROUTER_STAGES == 2
	router_each_event(d, torus_wheel_take_lane(&d->wheel, TORUS_LANE_STAGE_HEAD, now),
			  router_prefetch_received_node, router_prefetch_head_packet,
			  router_prefetch_no_route, router_on_stage_head);
	router_each_short(d, torus_wheel_take_lane(&d->wheel, TORUS_LANE_STAGE_DONE, now),
			  router_prefetch_stage_done_node, router_prefetch_stage_done_packet,
			  router_prefetch_stage_done_route, router_on_stage_done);
#endif
}

/* Check whether a lane has events in tick @now: with little traffic, most lanes are empty. */
torus_inline bool router_comes(const struct torus_domain *d, enum torus_lane lane, u64 now)
{
	return *torus_wheel_list(&d->wheel, lane, now);
}

static void router_events(struct torus_domain *d, u64 now)
{
	if (router_comes(d, TORUS_LANE_HEAD, now))
		router_heads(d, now);
	if (router_comes(d, TORUS_LANE_DONE, now))
		router_dones(d, now);
	if (router_comes(d, TORUS_LANE_TOKEN, now))
		router_tokens(d, now);
	if (router_comes(d, TORUS_LANE_RECEIVED, now))
		router_receptions(d, now);
	router_crossings(d, now);
	router_each_event(d, torus_wheel_take(&d->wheel, now), router_prefetch_any_node,
			  router_prefetch_any_packet, router_prefetch_no_route, router_on_any);
}
