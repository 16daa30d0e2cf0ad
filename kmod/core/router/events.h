/* SPDX-License-Identifier: GPL-2.0 */
/*
 * First half of a tick: apply each event. The events of a tick are applied in no particular order,
 * so their effects must commute. Events of live links do not commute: they are sorted, and applied
 * after all others. Included by loop.h.
 */
#include "core/link/fault.h"
#include "core/link/link.h"
#include "core/link/event_order.h"
#include "core/link/receive.h"

/* Append a packet that has arrived to its slot. */
torus_inline void router_join(struct torus_domain *d, const struct torus_event *ev)
{
	const machine_params_t *m = d->machine;
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue;
	struct torus_packet *p = torus_packet_at(d, ev->pkt);
	bool acts;

	router_bypass_note(d, n, slot);
	router_control_head(d, ev);
	acts = router_enqueue(d, n, ev->node, slot, ev->pkt, router_held(m, p, slot),
			      !(n->port_busy & ROUTER_BIT(slot)));
	router_touch_if(d, n, ev->node, acts);
}

torus_inline void router_on_head(struct torus_domain *d, const struct torus_event *ev)
{
	struct torus_packet *p = torus_packet_at(d, ev->pkt);

	if (torus_unlikely(p->body != TORUS_NONE || d->f->crc_full ||
			   (p->flags & TORUS_PACKET_INVALID)))
		torus_link_arrive(d, ev->node, ev->queue, ev->pkt, ev->queue / ROUTER_VCS);
	router_join(d, ev);
}

#if ROUTER_STAGES == 1
torus_inline void router_on_done(struct torus_domain *d, const struct torus_short *ev)
{
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue;
	bool acts;

	router_link_done(d, n, ev);
	if (slot < ROUTER_LINK_SLOTS) {
		router_bus_free(n, slot);
	} else {
		n->refill |= ROUTER_BIT(slot);
		router_prefetch_source(d, ev->node);
		router_prefetch_sent(d, ev->node, slot);
	}
	acts = router_port_free(d, n, ev->node, slot, ev->tokens);
	router_touch_if(d, n, ev->node,
			((n->want_dir[ev->dir] & n->ready) != 0) | (n->refill != 0) | acts);
}

torus_inline void router_on_received(struct torus_domain *d, const struct torus_event *ev)
{
	const machine_params_t *m = d->machine;
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue;
	struct torus_packet *p = torus_packet_at(d, ev->pkt);
	bool acts;

	n->sink_busy &= ~router_reception_bus(p, slot / ROUTER_VCS);
	/*
	 * a deposited copy used only the bus; it freed no buffer space, because the packet itself
	 * continues
	 */
	if (torus_likely(ev->kind == TORUS_EV_RECEIVED))
		acts = router_port_free(d, n, ev->node, slot, router_held(m, p, slot));
	else
		acts = router_head_acts(m, n, slot);
	router_touch_if(d, n, ev->node, acts);
	router_received(d, ev);
}
#endif

torus_inline void router_add_tokens(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens)
{
	struct router_node *n = router_node(d, node);
	u32 i = dir * ROUTER_VCS + vc;

	router_note_return(d, n, node, i, vc, tokens);
	n->tokens[i] = (router_count_t)(n->tokens[i] + tokens);
	router_tokens_changed(d->machine, n, i, vc);
	router_touch_if(d, n, node, router_output_acts(n, dir));
}

torus_inline void router_on_token(struct torus_domain *d, const struct torus_short *ev)
{
	if (torus_unlikely(router_node(d, ev->node)->slow >> ev->dir & 1))
		router_later(d, TORUS_LANE_TOKEN, ev);
	else
		router_add_tokens(d, ev->node, ev->dir, ev->vc, ev->tokens);
}

/* Apply an event of TORUS_LANE_ANY. */
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
	case TORUS_EV_NIC:
		d->f->arch->hand(d, ev->node, ev->pkt);
		n->refill |= ~ROUTER_LINK_BITS;
		torus_touch(d, &n->touched, ev->node);
		break;
	case TORUS_EV_SOURCE:
		n->refill |= ~ROUTER_LINK_BITS;
		router_prefetch_source(d, ev->node);
		torus_touch(d, &n->touched, ev->node);
		break;
	case TORUS_EV_READY:
		router_touch(d, n, ev->node);
		router_port_free(d, n, ev->node, ev->queue, 0);
		break;
	case TORUS_EV_LINK_HEAD:
		torus_link_later(d, ev, ev->queue / ROUTER_VCS);
		break;
	default:
		if (!router_control_event(d, ev) && !router_stage_event(d, ev))
			torus_link_later(d, ev, ev->dir);
	}
}

/* Apply the events of live links in this tick, in canonical order (link/event_order.c). */
static void router_links(struct torus_domain *d)
{
	u32 i;

	torus_link_sort(d);
	for (i = 0; i < d->nlater; i++) {
		const struct torus_event *ev = &d->later[i].ev;

		switch (ev->kind) {
		case TORUS_EV_LINK_HEAD:
			if (torus_link_receive(d, ev->node, ev->queue / ROUTER_VCS, ev->pkt))
				router_join(d, ev);
			break;
		case TORUS_EV_DONE:
		case TORUS_EV_CONTROL_SENT:
			if (torus_link_tx_done(d, ev->node, ev->dir))
				router_node(d, ev->node)->link |= ROUTER_DIR_BITS(ev->dir);
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
