/* SPDX-License-Identifier: GPL-2.0 */
/* The router's loop: tick by tick, both phases.  Included by router.h. */

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
	for (i = 0; i < d->nreceived; i++) {
		u32 slot = r[i].queue;
		struct torus_packet *p = torus_packet_at(d, r[i].pkt);

		if (p->flags & TORUS_PACKET_USER)
			torus_nic_receive(d, r[i].node, r[i].pkt, R_receive_fifo(p, slot));
		else
			torus_workload_receive(d, r[i].node, r[i].pkt, R_receive_fifo(p, slot));
	}
	d->nreceived = 0;
}

static void router_flush(struct torus_domain *d, struct router_grants *grants)
{
	u32 i;

	/* the queues have come: now the packets */
	for (i = 0; i < grants->n; i++) {
		const struct router_grant *g = &grants->list[i];

		torus_prefetch(torus_packet_at(d, router_node(d, g->node)->q[g->slot].head));
	}
	for (i = 0; i < grants->n; i++) {
		const struct router_grant *g = &grants->list[i];

		router_carry_out(d, router_node(d, g->node), g->node, g->slot, g->dir, g->vc);
	}
	grants->n = 0;
}

static void router_run(struct torus_domain *d, u64 until)
{
	struct router_grants grants;

	grants.n = 0;
	for (;;) {
		u64 now = router_next(d);
		u32 i, n;

		if (now >= until)
			break;
		d->now = now;
		d->wheel.now = now;
		n = 0;
		if (d->again_at == now) {
			for (i = 0; i < d->nagain; i++) {
				struct router_node *node = router_node(d, d->again[i]);

				node->touched &= (u8)~TORUS_AGAIN;
				router_touch(d, node, d->again[i]);
			}
			d->nagain = 0;
			d->again_at = ~0ull;
		}
		router_events(d, now);
		if (torus_unlikely(d->nlater))
			router_links(d);
		if (torus_unlikely(d->nreceived))
			router_hand_over(d);
		n = d->ntouched;
		for (i = 0; i < n; i++) {
			struct router_node *node = router_node(d, d->touched[i]);

			router_prefetch_arbitration(d, d->touched[R_AHEAD(i, n, R_AHEAD_ARBITRATE)]);
			node->touched &= (u8)~TORUS_TOUCHED;
			router_arbitrate(d, node, d->touched[i], &grants);
			if (grants.n >= R_GRANTS)
				router_flush(d, &grants);
		}
		router_flush(d, &grants);
		/* a drop during arbitration touches its node anew */
		for (i = n; i < d->ntouched; i++) {
			struct router_node *node = router_node(d, d->touched[i]);

			node->touched &= (u8)~TORUS_TOUCHED;
			router_again(d, node, d->touched[i], now + 1);
		}
		d->ntouched = 0;
		if (torus_unlikely(!torus_tick_done(d, now)))
			break;
	}
}
