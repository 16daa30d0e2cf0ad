/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DEPOSIT: "A bit in the header may be set that causes a packet to be broadcast down any Cartesian
 * dimension and deposited at each node". @deposit: slots whose head must leave a copy here before
 * it continues.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_DEPOSIT
#define ROUTER_DEPOSIT_MEMBERS	router_slots_t deposit;
#else
#define ROUTER_DEPOSIT_MEMBERS
#endif

#else

torus_inline router_slots_t router_deposits(const struct router_node *n)
{
#if ROUTER_DEPOSIT
	return n->deposit;
#else
	return 0;
#endif
}

torus_inline void router_deposit_forget(struct router_node *n, router_slots_t slots)
{
#if ROUTER_DEPOSIT
	n->deposit &= ~slots;
#endif
}

/*
 * Mark the new head of a slot for a deposit. The caller has checked that this node is not its
 * destination.
 */
torus_inline void router_deposit_note(struct router_node *n, const struct torus_packet *p, u32 slot)
{
#if ROUTER_DEPOSIT
	if (torus_unlikely(machine_deposit(p)) && slot < ROUTER_LINK_SLOTS)
		n->deposit |= ROUTER_BIT(slot);
#endif
}

/*
 * Send a copy over the receiver's bus to the reception FIFO. The packet itself may continue at
 * once.
 */
torus_inline void router_deposit(struct torus_domain *d, struct router_node *n, u32 node, u32 slot)
{
#if ROUTER_DEPOSIT
	u32 copy = torus_packet_clone(d, n->q[slot].head);
	struct torus_packet *p;

	n->deposit &= ~ROUTER_BIT(slot);
	if (copy == TORUS_NONE)
		return;
	p = torus_packet_at(d, copy);
	torus_stats_deposit(d, node, p);
	torus_wheel_push(&d->wheel, d->now + machine_receive_ticks(d->machine, p),
			 (struct torus_event){
		.kind = TORUS_EV_COPIED, .node = node, .pkt = copy, .queue = (u8)slot,
	});
#endif
}

/* Let the packet continue without a copy, because no client at this node accepts the copy. */
torus_inline void router_no_deposit(struct torus_domain *d, struct router_node *n, u32 node,
				    u32 slot, u32 reason)
{
#if ROUTER_DEPOSIT
	n->deposit &= ~ROUTER_BIT(slot);
	d->stats.deposits++;
	d->stats.dropped[reason]++;
	torus_completion_not_copied(d, node, router_packet(d, n, slot), reason);
	torus_trace_detail(d, TORUS_TRACE_DROP, node, 0, 0, reason, router_packet(d, n, slot));
#endif
}

/* At the last node of a broadcast, assign the packet itself to the client of that node. */
torus_inline void router_deposit_last(struct torus_domain *d, u32 node, struct torus_packet *p)
{
#if ROUTER_DEPOSIT
	if (torus_unlikely(machine_deposit(p)))
		torus_stats_claim(d, node, p);
#endif
}

/*
 * Check whether a packet is a broadcast, which may have left its copy already. Such a packet skips
 * the write into a buffer: afterwards it would be routed again, and would leave a second copy.
 */
torus_inline bool router_deposit_made(const struct torus_packet *p)
{
#if ROUTER_DEPOSIT
	return machine_deposit(p);
#else
	return false;
#endif
}

#endif
