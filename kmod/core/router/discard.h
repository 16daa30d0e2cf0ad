/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Discard or reroute the packets of a slot or of a link. These functions run between two runs of
 * the fabric. Included by ops.h.
 */
#ifndef TORUS_CORE_ROUTER_DISCARD_H
#define TORUS_CORE_ROUTER_DISCARD_H

/*
 * Return tokens to the sender of a slot's packets between two runs. Push the event into the
 * sender's wheel directly: domains exchange no mail between two runs.
 */
static void router_return_tokens_held(struct torus_fabric *f, u32 node, u32 slot, u32 tokens)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const machine_params_t *m = d->machine;
	struct router_node *n = router_node(d, node);
	u32 dir = slot / ROUTER_VCS, up = router_reverse_peer(n, dir);

#if ROUTER_CONTROL
	if (router_controls(m)) {
		router_owe(d, node, slot, tokens);
		return;
	}
#endif
	torus_wheel_push(&torus_domain_of(f, up)->wheel, d->wheel.now + m->timing.ack_delay +
			 machine_far(m, n, TORUS_REVERSE(dir)), (struct torus_event){
		.kind = TORUS_EV_TOKEN, .node = up, .dir = (u8)dir, .vc = (u8)(slot % ROUTER_VCS),
		.tokens = tokens,
	});
}

/* Discard the head of a slot, between two runs. */
static void router_discard(struct torus_fabric *f, u32 node, u32 slot, u32 reason)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);
	u32 pkt = n->q[slot].head, held;
	struct torus_packet *p = torus_packet_at(d, pkt);

	held = router_held(d->machine, p, slot);
	router_pop(n, slot, p);
	n->full[slot] = (router_count_t)(n->full[slot] - held);
	if (slot < ROUTER_LINK_SLOTS && held)
		router_return_tokens_held(f, node, slot, held);
	torus_stats_drop(d, node, pkt, reason);
}

/*
 * Advance a domain's clock to the fabric's clock. Call this before a node of the domain is changed
 * between two runs.
 */
static void router_catch_up(struct torus_domain *d)
{
	d->now = d->now < d->f->clock ? d->f->clock : d->now;
}

/*
 * Route the head of a slot again. If the new route drops the packet, continue with the next packet.
 */
static void router_slot_reroute(struct torus_fabric *f, u32 node, u32 slot)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);

	while (n->q[slot].head != TORUS_NONE) {
		struct torus_packet *p = router_packet(d, n, slot);
		struct router_way way = router_find_way(d, n, node, slot, p);

		if (!way.drop) {
			router_aim(d, n, node, slot, p, way);
			break;
		}
		router_discard(f, node, slot, way.drop - 1u);
		if (slot >= ROUTER_LINK_SLOTS)
			n->refill |= ROUTER_BIT(slot);
	}
	router_op_touch(f, node);
}

static void router_op_reroute(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);
	router_slots_t slots = n->ready;

	router_catch_up(d);
	for (; slots; slots &= slots - 1)
		router_slot_reroute(f, node, torus_ctz(slots));
}

static void router_op_discard_link(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);
	router_slots_t slots = n->ready;

	router_catch_up(d);
	router_stage_discard_link(d, n, node, dir);
	for (; slots; slots &= slots - 1) {
		u32 slot = torus_ctz(slots);

		if (router_link_discarded(d, n, node, router_want(d->machine, n, slot)))
			router_slot_reroute(f, node, slot);
	}
	router_op_touch(f, node);
}

static void router_op_reclaim_tokens(struct torus_fabric *f, u32 node, u32 slot, u32 tokens)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);

	n->tokens[slot] = (router_count_t)(n->tokens[slot] + tokens);
	router_tokens_changed(d->machine, n, slot, slot % ROUTER_VCS);
	router_op_touch(f, node);
}

/*
 * Discard the packets that wait in a slot and, with STAGES 2, in the queues that its input feeds. A
 * packet whose transmission has begun is not discarded.
 */
static void router_op_flush(struct torus_fabric *f, u32 node, u32 slot, u32 reason)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct router_node *n = router_node(d, node);

	router_catch_up(d);
	while (n->q[slot].head != TORUS_NONE)
		router_discard(f, node, slot, reason);
	router_stage_flush(d, n, node, slot, reason);
	if (slot >= ROUTER_LINK_SLOTS)
		n->refill |= ROUTER_BIT(slot);
	router_op_touch(f, node);
}

#endif
