/* SPDX-License-Identifier: GPL-2.0 */
/* The router's first phase: what each event of a tick does.  Included by router.h. */

/* A packet that has arrived joins its slot. */
torus_inline void router_join(struct torus_domain *d, const struct torus_event *ev)
{
	const struct R(machine) *m = d->machine;
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue;
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	n->bypass = (n->bypass_at == (u32)d->now ? n->bypass : 0) | R_BIT(slot);
	n->bypass_at = (u32)d->now;
	if (torus_unlikely(m->control) && ev->kind == TORUS_EV_HEAD)
		torus_wheel_push(&d->wheel, d->now + R_wire_ticks(m, p), (struct torus_event){
			.kind = TORUS_EV_CONTROL_OWED, .node = ev->node, .queue = (u8)slot,
			.dir = (u8)(slot / R_VCS),
		});
	router_enqueue(d, n, ev->node, slot, ev->pkt, router_held(m, p, slot),
		       !(n->port_busy & R_BIT(slot)));
	router_touch_if(d, n, ev->node, router_head_acts(n, slot));
}

torus_inline void router_on_head(struct torus_domain *d, const struct torus_event *ev)
{
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	if (torus_unlikely(p->body != TORUS_NONE || d->f->crc_full ||
			   (p->flags & TORUS_PACKET_INVALID)))
		torus_link_arrive(d, ev->node, ev->queue, ev->pkt, ev->queue / R_VCS);
	router_join(d, ev);
}

torus_inline void router_port_free(struct torus_domain *d, struct router_node *n, u32 node,
				   u32 slot, u32 held)
{
	n->full[slot] = (R_COUNT)(n->full[slot] - held);
	n->port_busy &= ~R_BIT(slot);
	if (n->q[slot].head != TORUS_NONE)
		router_head(d, n, node, slot);
}

/* An event of a live link that came by a lane: it waits for the tick's others. */
static void router_later(struct torus_domain *d, enum torus_lane lane, const struct torus_short *s)
{
	struct torus_event ev = torus_short_event(lane, s);

	torus_link_later(d, &ev, ev.dir);
}

torus_inline void router_on_done(struct torus_domain *d, const struct torus_short *ev)
{
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue, dir = ev->dir;

	if (torus_likely(!(n->slow >> dir & 1)))
		n->link |= R_VC_MASK << (dir * R_VCS);
	else
		router_later(d, TORUS_LANE_DONE, ev);
	if (slot < R_VC_SLOTS) {
		u32 r = slot / R_VCS;

		n->bus[r]--;
		n->no_bus &= ~((R_SLOTS_T)R_VC_MASK << (r * R_VCS));
	} else {
		n->refill |= R_BIT(slot);
		router_prefetch_source(d, ev->node);
	}
	router_port_free(d, n, ev->node, slot, ev->tokens);
	router_touch_if(d, n, ev->node, !!(n->want_dir[dir] & n->ready) | !!n->refill |
			router_head_acts(n, slot));
}

/* Which VCs have room again: what it does for waiting packets is counted in the second phase. */
static void router_note_return(struct torus_domain *d, struct router_node *n, u32 i, u32 vc,
			       u32 tokens)
{
	const struct R(machine) *m = d->machine;
	R_MASK bit = (R_MASK)1 << i;

	d->tally.token_returns++;
	n->returned++;
	n->opened[0] |= R_enough(m, n->tokens[i] + tokens, vc, false) ? bit & ~n->room[0] : 0;
	n->opened[1] |= R_enough(m, n->tokens[i] + tokens, vc, true) ? bit & ~n->room[1] : 0;
}

torus_inline void router_add_tokens(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens)
{
	const struct R(machine) *m = d->machine;
	struct router_node *n = router_node(d, node);
	u32 i = dir * R_VCS + vc;

	if (torus_unlikely(m->unblocking))
		router_note_return(d, n, i, vc, tokens);
	n->tokens[i] = (R_COUNT)(n->tokens[i] + tokens);
	router_tokens_changed(m, n, i, vc);
	router_touch_if(d, n, node, false);
}

torus_inline void router_on_token(struct torus_domain *d, const struct torus_short *ev)
{
	if (torus_unlikely(router_node(d, ev->node)->slow >> ev->dir & 1))
		router_later(d, TORUS_LANE_TOKEN, ev);
	else
		router_add_tokens(d, ev->node, ev->dir, ev->vc, ev->tokens);
}

/*
 * "There is a dedicated bus between each receiver and its corresponding reception
 * FIFO", and one to the high-priority FIFO.
 */
torus_inline u32 router_reception_bus(u32 r, bool priority)
{
	return 1u << (r + (priority ? 16 : 0));
}

torus_inline void router_on_received(struct torus_domain *d, const struct torus_event *ev)
{
	const struct R(machine) *m = d->machine;
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue;
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	n->sink_busy &= ~router_reception_bus(slot / R_VCS, R_priority(p));
	/* a deposited copy has used the bus only: its packet is still in the buffer, or gone on */
	if (torus_likely(ev->kind == TORUS_EV_RECEIVED))
		router_port_free(d, n, ev->node, slot, router_held(m, p, slot));
	router_touch_if(d, n, ev->node, router_head_acts(n, slot));
	if (torus_unlikely(p->flags & TORUS_PACKET_USER || d->hand_over)) {
		d->received[d->nreceived++] = *ev;
		return;
	}
	torus_tally_deliver(d, ev->node, p);
	torus_packet_free(d, ev->pkt);
}

/* A packet has been received, or space has freed up: the link's other end is to be told. */
static void router_on_owed(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);

	if (ev->kind == TORUS_EV_CONTROL_ACK)
		n->owing_ack |= (u8)(1u << TORUS_REVERSE(ev->dir));
	router_owe(d, n, ev->node, ev->queue, ev->tokens);
}

static void router_on_control_sent(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);

	if (!(n->slow >> ev->dir & 1))
		n->link |= R_VC_MASK << (ev->dir * R_VCS);
	else
		torus_link_later(d, ev, ev->dir);
	router_touch(d, n, ev->node);
}

/* What does not come by a lane. */
static void router_apply(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);
	struct torus_short s = {
		.node = ev->node, .tokens = (u16)ev->tokens, .dir = ev->dir, .queue = ev->queue,
	};

	switch (ev->kind) {
	case TORUS_EV_HEAD:
		router_on_head(d, ev);
		break;
	case TORUS_EV_DONE:
		router_on_done(d, &s);
		break;
	case TORUS_EV_TOKEN:
		router_on_token(d, &s);
		break;
	case TORUS_EV_RECEIVED:
	case TORUS_EV_COPIED:
		router_on_received(d, ev);
		break;
	case TORUS_EV_SOURCE:
		n->refill |= ~R_VC_SLOT_MASK;
		router_prefetch_source(d, ev->node);
		router_touch(d, n, ev->node);
		break;
	case TORUS_EV_READY:
		router_touch(d, n, ev->node);
		router_port_free(d, n, ev->node, ev->queue, 0);
		break;
	case TORUS_EV_CONTROL_OWED:
	case TORUS_EV_CONTROL_ACK:
		router_on_owed(d, ev);
		break;
	case TORUS_EV_CONTROL_SENT:
		router_on_control_sent(d, ev);
		break;
	case TORUS_EV_LINK_HEAD:
		torus_link_later(d, ev, ev->queue / R_VCS);
		break;
	default:
		torus_link_later(d, ev, ev->dir);
	}
}

/* What happens to live links in this tick, in its order (link/order.c). */
static void router_links(struct torus_domain *d)
{
	u32 i;

	torus_link_sort(d);
	for (i = 0; i < d->nlater; i++) {
		const struct torus_event *ev = &d->later[i].ev;

		switch (ev->kind) {
		case TORUS_EV_LINK_HEAD:
			if (torus_link_receive(d, ev->node, ev->queue / R_VCS, ev->pkt))
				router_join(d, ev);
			break;
		case TORUS_EV_DONE:
		case TORUS_EV_CONTROL_SENT:
			if (torus_link_free(d, ev->node, ev->dir))
				router_node(d, ev->node)->link |= R_VC_MASK << (ev->dir * R_VCS);
			break;
		case TORUS_EV_TOKEN:
		case TORUS_EV_TOKEN_SURE:
			if (!torus_link_token(d, ev))
				router_add_tokens(d, ev->node, ev->dir, ev->vc, ev->tokens);
			break;
		case TORUS_EV_FAULT_BEGIN:
		case TORUS_EV_FAULT_END:
			torus_fault_fire(d, ev);
			break;
		default:
			torus_link_event(d, ev);
		}
	}
	d->nlater = 0;
}

/* Distances in events at which a node, then its packet, are fetched ahead. */
#define R_AHEAD_NODE	10
#define R_AHEAD_PACKET	4
#define R_AHEAD_ARBITRATE 3

/* The index of an event some way ahead; at the end any that is there will do. */
#define R_AHEAD(i, n, by)	((i) + (by) < (n) ? (i) + (by) : (i))

torus_inline void router_prefetch_packet(struct torus_domain *d, u32 pkt)
{
	torus_prefetch(torus_packet_at(d, pkt == TORUS_NONE ? 0 : pkt));
}

static void router_tokens(struct torus_domain *d, u64 now)
{
	struct torus_block *blk, *next;

	for (blk = torus_wheel_take_lane(&d->wheel, TORUS_LANE_TOKEN, now); blk; blk = next) {
		u32 i, n = blk->n;

		next = blk->next;
		torus_prefetch(next);
		torus_prefetch((const char *)next + 64);
		torus_prefetch((const char *)next + 128);
		for (i = 0; i < n && i < R_AHEAD_NODE; i++) {
			const char *a = (const char *)router_node(d, blk->shorts[i].node);

			torus_prefetch(a);
			torus_prefetch(a + 64);
			torus_prefetch(a + 128);
		}
		for (i = 0; i < n; i++) {
			const char *a = (const char *)router_node(d,
				blk->shorts[R_AHEAD(i, n, R_AHEAD_NODE)].node);
			torus_prefetch(a);
			torus_prefetch(a + 64);
			torus_prefetch(a + 128);
			router_on_token(d, &blk->shorts[i]);
		}
		d->tally.events += n;
		torus_wheel_put(&d->wheel, blk);
	}
}

static void router_dones(struct torus_domain *d, u64 now)
{
	struct torus_block *blk, *next;

	for (blk = torus_wheel_take_lane(&d->wheel, TORUS_LANE_DONE, now); blk; blk = next) {
		u32 i, n = blk->n;

		next = blk->next;
		torus_prefetch(next);
		torus_prefetch((const char *)next + 64);
		torus_prefetch((const char *)next + 128);
		for (i = 0; i < n && i < R_AHEAD_NODE; i++)
			router_prefetch(d, blk->shorts[i].node, blk->shorts[i].queue);
		for (i = 0; i < n; i++) {
			const struct torus_short *a = &blk->shorts[R_AHEAD(i, n, R_AHEAD_NODE)];
			const struct torus_short *p = &blk->shorts[R_AHEAD(i, n, R_AHEAD_PACKET)];
			router_prefetch(d, a->node, a->queue);
			router_prefetch_packet(d, router_node(d, p->node)->q[p->queue].head);
			router_on_done(d, &blk->shorts[i]);
		}
		d->tally.events += n;
		torus_wheel_put(&d->wheel, blk);
	}
}

static void router_heads(struct torus_domain *d, u64 now)
{
	struct torus_block *blk, *next;

	for (blk = torus_wheel_take_lane(&d->wheel, TORUS_LANE_HEAD, now); blk; blk = next) {
		u32 i, n = blk->n;

		next = blk->next;
		torus_prefetch(next);
		torus_prefetch((const char *)next + 64);
		torus_prefetch((const char *)next + 128);
		for (i = 0; i < n && i < R_AHEAD_NODE; i++)
			router_prefetch(d, blk->ev[i].node, blk->ev[i].queue);
		for (i = 0; i < n; i++) {
			const struct torus_event *a = &blk->ev[R_AHEAD(i, n, R_AHEAD_NODE)];

			router_prefetch(d, a->node, a->queue);
			torus_prefetch(torus_packet_at(d, blk->ev[R_AHEAD(i, n, R_AHEAD_PACKET)].pkt));
			router_on_head(d, &blk->ev[i]);
		}
		d->tally.events += n;
		torus_wheel_put(&d->wheel, blk);
	}
}

static void router_events(struct torus_domain *d, u64 now)
{
	struct torus_block *blk, *next;

	router_heads(d, now);
	router_dones(d, now);
	router_tokens(d, now);
	for (blk = torus_wheel_take(&d->wheel, now); blk; blk = next) {
		u32 i, n = blk->n;

		next = blk->next;
		torus_prefetch(next);
		torus_prefetch((const char *)next + 64);
		torus_prefetch((const char *)next + 128);
		for (i = 0; i < n && i < R_AHEAD_NODE; i++)
			router_prefetch(d, blk->ev[i].node, blk->ev[i].queue);
		for (i = 0; i < n; i++) {
			const struct torus_event *ev = &blk->ev[i];
			const struct torus_event *a = &blk->ev[R_AHEAD(i, n, R_AHEAD_NODE)];
			const struct torus_event *p = &blk->ev[R_AHEAD(i, n, R_AHEAD_PACKET)];

			router_prefetch(d, a->node, a->queue);
			router_prefetch_packet(d, torus_event_has_packet(p) ? p->pkt : TORUS_NONE);
			if (torus_unlikely(ev->residue)) {
				torus_wheel_push(&d->wheel, now + ev->residue, *ev);
				d->tally.events--;
				continue;
			}
			router_apply(d, ev);
		}
		d->tally.events += n;
		torus_wheel_put(&d->wheel, blk);
	}
}
