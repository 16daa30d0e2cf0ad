/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of a router that the rest of the core calls, most of them between two runs. Written
 * once for all machines, over struct router_node. Included after loop.h.
 */
#ifndef TORUS_ROUTER_OPS_H
#define TORUS_ROUTER_OPS_H

#include "core/link/census.h"
#include "core/router/output_queue_ops.h"

static void router_op_touch(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);

	router_again(d, router_node(d, node), node, d->wheel.now + 1);
}

static void router_op_refill(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);

	router_node(d, node)->refill |= ~ROUTER_LINK_BITS;
	router_op_touch(f, node);
}

static void router_op_link_state(struct torus_fabric *f, u32 node, u32 dir, bool up)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);
	router_mask_t bits = ROUTER_DIR_BITS(dir);

	n->link = up ? n->link | bits : n->link & ~bits;
	/* a link that is not ready for data packets may still send a control packet */
	if (up || router_control_waits(d, node, dir))
		router_again(d, n, node, d->wheel.now + 1);
}

static void router_op_link_live(struct torus_fabric *f, u32 node, u32 dir, bool live)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);

	n->slow = (router_dirs_t)(live ? n->slow | ROUTER_DIR_BIT(dir) :
					 n->slow & ~ROUTER_DIR_BIT(dir));
	n->touched = (u8)(n->slow ? n->touched | ROUTER_LIVE : n->touched & ~ROUTER_LIVE);
}

/*
 * Connect each sender of a node to the receiver of the same node in the same direction, or restore
 * the normal links.
 */
static void router_op_loopback(struct torus_fabric *f, u32 node, bool on)
{
	struct router_node *n = router_node(torus_domain_of(f, node), node);
	u32 i;

	for (i = 0; i < ROUTER_DIRS; i++) {
		n->peer[i] = torus_geometry_neighbor(&f->cfg.geo, node, i);
		/*
		 * at the edge of a mesh, too: router_reverse_peer() must return the node itself, so
		 * that the tokens of the looped link in the other direction return to it
		 */
		if (on && f->cfg.geo.dims[TORUS_DIM(i)] > 1)
			n->peer[i] = node;
	}
}

static bool router_op_link_busy(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);

	return !(router_node(d, node)->link >> (dir * ROUTER_VCS) & 1);
}

/* Injection slot that an injection FIFO feeds. */
static u32 router_op_inject_slot(u32 fifo)
{
	return machine_inject_slot(fifo);
}

static void router_op_inject(struct torus_domain *d, u32 node, u32 fifo, u32 pkt)
{
	struct router_node *n = router_node(d, node);
	u32 slot = ROUTER_LINK_SLOTS + machine_inject_slot(fifo);

	router_port_sent(d, node, slot - ROUTER_LINK_SLOTS, pkt);
	router_enqueue(d, n, node, slot, pkt, torus_packet_at(d, pkt)->chunks,
		       !(n->port_busy & ROUTER_BIT(slot)));
}

static u32 router_op_inject_room(struct torus_fabric *f, u32 node, u32 fifo)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 full = router_node(d, node)->full[ROUTER_LINK_SLOTS + machine_inject_slot(fifo)];

	return full < f->arch->fifo_chunks ? f->arch->fifo_chunks - full : 0;
}

/*
 * Discard a damaged packet whose tail has arrived, if the packet is still here. The packet is
 * identified by the tick at which its tail arrives, because its index may have been reused. If
 * several packets end in this tick, each tail discards the next one, so the order of the tails does
 * not matter.
 */
static bool router_op_discard(struct torus_domain *d, u32 node, u32 slot)
{
	const machine_params_t *m = d->machine;
	struct router_node *n = router_node(d, node);
	u32 before, held, pkt = router_find_ended(d, n->q[slot].head, n->q[slot].tail, &before);
	struct torus_packet *p;

	/*
	 * the packet is not in the slot; its buffer space is free already, or is freed when the
	 * packet has crossed to its bank
	 */
	if (pkt == TORUS_NONE)
		return router_stage_discard(d, n, node, slot);
	p = torus_packet_at(d, pkt);
	held = router_held(m, p, slot);
	if (before == TORUS_NONE) {
		router_pop(n, slot, p);
		if (n->q[slot].head != TORUS_NONE && !(n->port_busy & ROUTER_BIT(slot)))
			router_head(d, n, node, slot);
	} else {
		torus_packet_at(d, before)->next = p->next;
		if (n->q[slot].tail == pkt)
			n->q[slot].tail = before;
	}
	n->full[slot] = (router_count_t)(n->full[slot] - held);
	if (held)
		router_return_tokens(d, n, node, slot, held);
	router_touch(d, n, node);
	torus_packet_free(d, pkt);
	return true;
}

/* Return tokens for freed buffer space of a slot to the upstream sender, during a tick's events. */
static void router_op_freed(struct torus_domain *d, u32 node, u32 slot, u32 tokens)
{
	router_return_tokens(d, router_node(d, node), node, slot, tokens);
}

#include "core/router/discard.h"

static u32 router_seed(u64 seed, u32 node)
{
	return (u32)torus_mix(seed ^ torus_mix(node)) | 1;
}

static void router_op_reseed(struct torus_fabric *f, u32 node)
{
	router_node(torus_domain_of(f, node), node)->rng = router_seed(f->cfg.seed, node);
}

static int router_op_place(struct torus_fabric *f, u32 node, u32 dir, u32 vc,
			   const struct torus_packet *packet)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const machine_params_t *m = d->machine;
	struct router_node *n = router_node(d, node);
	u32 up_node = router_reverse_peer(n, dir), i = dir * ROUTER_VCS + vc, pkt, need;
	struct torus_domain *up_domain;
	struct router_node *up;

	if (up_node == TORUS_NONE)
		return -ENOLINK;
	up_domain = torus_domain_of(f, up_node);
	up = router_node(up_domain, up_node);
	need = machine_tokens(m, packet, vc);
	if (up->tokens[i] < need)
		return -ENOSPC;
	pkt = torus_pool_get(&d->pool);
	if (pkt == TORUS_NONE)
		return -ENOMEM;
	torus_pool_fill(&d->pool, pkt, packet);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	up->tokens[i] = (router_count_t)(up->tokens[i] - need);
	router_tokens_changed(m, up, i, vc);
	router_enqueue(d, n, node, i, pkt, need, !(n->port_busy & ROUTER_BIT(i)));
	router_op_touch(f, node);
	return 0;
}

static u32 router_op_head(struct torus_fabric *f, u32 node, u32 slot, u64 *waits, bool *blocked)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);
	u32 pkt = n->q[slot].head;

	*waits = 0;
	*blocked = false;
	if (pkt == TORUS_NONE)
		return router_stage_waits(d, n, slot);
	if (n->port_busy & ROUTER_BIT(slot))
		return pkt;
	*waits = router_want(d->machine, n, slot);
	*blocked = *waits && router_stage_blocked(d, n, slot);
	return pkt;
}

/*
 * Count the space that a leaving packet still occupies both as used and as free: the bubble rule
 * counts this space as free already.
 */
static void router_census_leaving(struct torus_domain *d, struct torus_check *c, u32 node,
				  u32 slot, u32 held)
{
	u32 dir = slot / ROUTER_VCS;

	if (slot >= ROUTER_LINK_SLOTS)
		return;
	torus_check_held(c, router_reverse_peer(router_node(d, node), dir), dir, slot % ROUTER_VCS,
			 held);
	torus_check_free(c, router_reverse_peer(router_node(d, node), dir), dir, slot % ROUTER_VCS,
			 held);
}

static void router_census_event(struct torus_domain *d, struct torus_check *c,
				const struct torus_event *ev)
{
	const machine_params_t *m = d->machine;
	u32 slot = ev->queue, dir = ev->dir, vc = ev->vc;
	struct router_node *n = router_node(d, ev->node);
	struct torus_packet *p;

	switch (ev->kind) {
	case TORUS_EV_STAGE_HEAD:
		torus_check_packet(c, torus_packet_at(d, ev->pkt));
		break;
	case TORUS_EV_HEAD:
		p = torus_packet_at(d, ev->pkt);
		torus_check_packet(c, p);
		torus_check_tokens(c, router_reverse_peer(n, slot / ROUTER_VCS), slot / ROUTER_VCS,
				   slot % ROUTER_VCS, machine_tokens(m, p, slot % ROUTER_VCS));
		break;
	case TORUS_EV_TOKEN:
	case TORUS_EV_TOKEN_SURE:
	case TORUS_EV_LINK_TOKEN:
		torus_check_tokens(c, ev->node, dir, vc, ev->tokens);
		torus_check_free(c, ev->node, dir, vc, ev->tokens);
		break;
	/* With two stages, the packet has left its slot's buffer after crossing to its bank. */
	case TORUS_EV_DONE:
		if (ROUTER_STAGES == 1)
			router_census_leaving(d, c, ev->node, slot, ev->tokens);
		break;
	case TORUS_EV_STAGE_DONE:
		router_census_leaving(d, c, ev->node, slot, ev->tokens);
		break;
	case TORUS_EV_RECEIVED:
		p = torus_packet_at(d, ev->pkt);
		torus_check_packet(c, p);
		if (ROUTER_STAGES == 1)
			router_census_leaving(d, c, ev->node, slot, router_held(m, p, slot));
		break;
	case TORUS_EV_COPIED:
		torus_check_packet(c, torus_packet_at(d, ev->pkt));
		break;
	}
}

/* Count the packets and tokens of the events in a list of the wheel. */
static void router_census_bucket(struct torus_domain *d, struct torus_check *c, u32 b,
				 enum torus_lane lane)
{
	const struct torus_block *blk = d->wheel.bucket[b][lane];
	u32 i;

	for (; blk; blk = blk->next)
		for (i = 0; i < blk->n; i++) {
			bool whole = lane < TORUS_LANE_DONE;
			struct torus_event ev = whole ? blk->ev[i] :
						torus_short_event(lane, &blk->shorts[i]);

			router_census_event(d, c, &ev);
		}
}

static void router_census_events(struct torus_domain *d, struct torus_check *c)
{
	u32 i, lane;

	for (i = 0; i < TORUS_WHEEL_SIZE; i++)
		for (lane = 0; lane < TORUS_LANES; lane++)
			router_census_bucket(d, c, i, lane);
}

/* Count the packets in the slots of a node. */
static void router_census_slots(struct torus_domain *d, struct torus_check *c,
				const struct router_node *n)
{
	u32 i, pkt;

	for (i = 0; i < ROUTER_SLOTS; i++)
		for (pkt = n->q[i].head; pkt != TORUS_NONE;) {
			struct torus_packet *p = torus_packet_at(d, pkt);

			torus_check_packet(c, p);
			if (i < ROUTER_LINK_SLOTS)
				torus_check_held(c, router_reverse_peer(n, i / ROUTER_VCS),
						 i / ROUTER_VCS, i % ROUTER_VCS,
						 router_held(d->machine, p, i));
			pkt = pkt == n->q[i].tail ? TORUS_NONE : p->next;
		}
	router_stage_census(d, c, n);
}

/* Count the tokens of a node, and check the space of its buffers. */
static void router_census_tokens(struct torus_domain *d, struct torus_check *c, u32 node,
				 const struct router_node *n)
{
	u32 i;

	for (i = 0; i < ROUTER_LINK_SLOTS; i++) {
		u32 dir = i / ROUTER_VCS, vc = i % ROUTER_VCS, up = router_reverse_peer(n, dir);
		u32 owed = router_control_owed(d, node, i);

		if (n->peer[dir] != TORUS_NONE) {
			torus_check_tokens(c, node, dir, vc, n->tokens[i]);
			torus_check_free(c, node, dir, vc, n->tokens[i]);
		}
		if (up != TORUS_NONE) {
			/* a leaving packet subtracts as many chunks from full[] as it added */
			c->wrong += c->held[torus_check_index(c, up, dir, vc)] != n->full[i];
			torus_check_tokens(c, up, dir, vc, owed);
			torus_check_free(c, up, dir, vc, owed);
		}
	}
}

static void router_op_census(struct torus_domain *d, struct torus_check *c)
{
	u32 j, i;

	router_census_events(d, c);
	for (j = 0; j < d->count; j++) {
		u32 node = torus_domain_nth(d, j);
		struct router_node *n = router_node(d, node);

		router_census_slots(d, c, n);
		router_census_tokens(d, c, node, n);
		for (i = 0; d->links && i < router_dirs(d); i++)
			if (n->slow >> i & 1)
				torus_link_census(c, d, node, i, n->peer[i]);
	}
	for (i = 0; i < ROUTER_VCS; i++)
		c->capacity[i] = machine_capacity(d->machine, i);
}

/*
 * Schedule a control packet for a packet that a live link's receiver accepted; the packet's last
 * byte arrives at @at.
 */
static void router_op_acknowledge(struct torus_domain *d, u32 node, u32 dir, u64 at)
{
	torus_wheel_push(&d->wheel, at, (struct torus_event){
		.kind = TORUS_EV_CONTROL_ACK, .node = node, .dir = (u8)dir,
		.queue = (u8)(dir * ROUTER_VCS),
	});
}

static bool router_op_owes(struct torus_domain *d, u32 node, u32 dir)
{
	return router_control_waits(d, node, dir);
}

/* Number of control packets that a link has sent. */
static u32 router_op_controls(struct torus_fabric *f, u32 node, u32 dir)
{
#if ROUTER_CONTROL
	struct torus_domain *d = torus_domain_of(f, node);

	return router_controls(d->machine) ? router_cold(d->machine, node)->controls[dir] : 0;
#else
	return 0;
#endif
}

/* Add the chunks in the buffers of a domain, by VC. */
static void router_op_occupancy(struct torus_domain *d, u64 *chunks)
{
	u64 sum[ROUTER_VCS] = { 0 };
	u32 j, i;

	for (j = 0; j < d->count; j++) {
		struct router_node *n = router_node(d, torus_domain_nth(d, j));

#pragma GCC unroll 64
		for (i = 0; i < ROUTER_LINK_SLOTS; i++)
			sum[i % ROUTER_VCS] += n->full[i];
		router_stage_occupancy(n, chunks);
	}
	for (i = 0; i < ROUTER_VCS; i++)
		chunks[i] += sum[i];
}

/* Add the stalls of a link to @stalls. */
static void router_op_stalls(struct torus_fabric *f, u32 node, u32 dir, u64 *stalls)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 i;

	for (i = 0; i < TORUS_STALL_MAX; i++)
		stalls[i] += router_node(d, node)->stall[dir][i] +
			     (d->stalls ? 256u * router_stalls(d, node, dir)[i] : 0);
}

/*
 * Add the stall counters of a node to @folded, by link, and clear them. NULL: clear them and the
 * counts of control packets.
 */
static void router_op_stalls_fold(struct torus_domain *d, u32 node, u64 *folded)
{
	struct router_node *n = router_node(d, node);
	u32 i, j, hot = d->f->hot_stride;
	u64 stalls[TORUS_STALL_MAX];

	for (i = 0; i < router_dirs(d); i++) {
		memset(stalls, 0, sizeof(stalls));
		router_op_stalls(d->f, node, i, stalls);
		for (j = 0; folded && j < TORUS_STALL_MAX; j++)
			folded[i * d->f->fold_stride + hot + j] += stalls[j];
		memset(n->stall[i], 0, sizeof(n->stall[i]));
		if (d->stalls)
			memset(router_stalls(d, node, i), 0,
			       TORUS_STALL_MAX * sizeof(*d->stalls));
	}
#if ROUTER_CONTROL
	if (!folded && router_controls(d->machine))
		memset(router_cold(d->machine, node)->controls, 0,
		       sizeof(router_cold(d->machine, node)->controls));
#endif
}

/* Check whether an enabled option requires an arbitration after each event. */
static bool router_eager(const machine_params_t *m)
{
	bool eager = router_controls(m);

#if ROUTER_GAP
	eager |= machine_gap(m);
#endif
#if ROUTER_UNBLOCKING
	eager |= machine_unblocking(m);
#endif
#if ROUTER_BYPASS
	eager |= machine_buffer_ticks(m) != 0;
#endif
	return eager;
}

/* Initialize an idle node. */
static void router_init(struct torus_domain *d, u32 node, u64 seed)
{
	const machine_params_t *m = d->machine;
	struct router_node *n = router_node(d, node);
	u32 i;

	memset(n, 0, sizeof(*n));
#if ROUTER_COLD
	if (machine_cold(m))
		memset(router_cold(m, node), 0, ROUTER_COLD_BYTES);
#endif
	n->rng = router_seed(seed, node);
	n->touched = router_eager(m) ? ROUTER_EAGER : 0;
	for (i = 0; i < ROUTER_DIRS; i++)
		n->peer[i] = torus_geometry_neighbor(&d->f->cfg.geo, node, i);
	for (i = 0; i < ROUTER_SLOTS; i++) {
		n->q[i].head = TORUS_NONE;
		n->q[i].tail = TORUS_NONE;
	}
	router_winners_init(n);
	router_ports_init(n);
	router_stage_init(n);
	for (i = 0; i < ROUTER_LINK_SLOTS; i++) {
		if (n->peer[i / ROUTER_VCS] == TORUS_NONE)
			continue;
		n->tokens[i] = (router_count_t)machine_capacity(m, i % ROUTER_VCS);
		n->link |= (router_mask_t)1 << i;
		n->exists |= (router_mask_t)1 << i;
		router_tokens_changed(m, n, i, i % ROUTER_VCS);
	}
}

#include "core/router/snapshot.h"
#include "core/router/verify.h"

static u32 router_op_tokens(struct torus_fabric *f, const struct torus_packet *p, u32 vc)
{
	return machine_tokens(f->machine, p, vc);
}

#define ROUTER_OPS(names_) {			\
	.vcs = ROUTER_VCS,				\
	.vc_names = names_,			\
	.node_bytes = sizeof(struct router_node), \
	.cold_bytes = ROUTER_COLD_BYTES,	\
	.tokens = router_op_tokens,		\
	.inject = router_op_inject,		\
	.refill = router_op_refill,			\
	.inject_room = router_op_inject_room,	\
	.inject_slots = ROUTER_INJECT,		\
	.inject_slot = router_op_inject_slot,	\
	.ports = ROUTER_PORTS,			\
	.port = ROUTER_PORT_OF,			\
	.discard = router_op_discard,		\
	.run = machine_run,			\
	.touch = router_op_touch,		\
	.place = router_op_place,		\
	.link_state = router_op_link_state,	\
	.link_live = ROUTER_SURE_LINKS ? NULL : router_op_link_live, \
	.link_busy = router_op_link_busy,	\
	.acknowledge = router_op_acknowledge,	\
	.owes = router_op_owes,			\
	.controls = router_op_controls,		\
	.loopback = router_op_loopback,		\
	.freed = router_op_freed,		\
	.flush = router_op_flush,		\
	.reroute = router_op_reroute,		\
	.discard_link = router_op_discard_link,	\
	.reclaim_tokens = router_op_reclaim_tokens, \
	.reseed = router_op_reseed,		\
	.occupancy = router_op_occupancy,	\
	.stalls = router_op_stalls,		\
	.stalls_fold = router_op_stalls_fold,	\
	.census = router_op_census,		\
	.head = router_op_head,			\
	.snapshot = router_op_snapshot,		\
	.event = router_op_event,		\
	.snapshot_tail = router_op_snapshot_tail, \
	.verify = router_op_verify,		\
}

#endif
