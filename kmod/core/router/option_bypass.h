/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BYPASS: "The bypass channel allows packets, under appropriate circumstances, to flow through a
 * node without entering the VC buffers". A packet can pass only in the tick of its arrival, and
 * only if no earlier packet of its VC waits here. All other packets, except broadcasts, are written
 * into their VC buffers, from which they are read later.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_BYPASS
#define ROUTER_BYPASS_OFF	0
#define ROUTER_BYPASS_OPEN	1
#define ROUTER_BYPASS_WATCHED	2	/* bypass closed while a VC of its receiver is too full */

/* @bypass: slots in which a packet arrived in the tick whose low half is @bypass_at. */
#define ROUTER_BYPASS_MEMBERS	router_slots_t bypass; u32 bypass_at; u8 bypass_mode;
#else
#define ROUTER_BYPASS_MEMBERS
#endif

#else

/* Record that a packet has arrived in a slot. */
torus_inline void router_bypass_note(struct torus_domain *d, struct router_node *n, u32 slot)
{
#if ROUTER_BYPASS
	n->bypass &= -(router_slots_t)(n->bypass_at == (u32)d->now);
	n->bypass |= ROUTER_BIT(slot);
	n->bypass_at = (u32)d->now;
#endif
}

#if ROUTER_BYPASS
static void router_enter_buffers(struct torus_domain *d, struct router_node *n, u32 node,
				 router_slots_t slots)
{
	u32 i;

	for (slots &= n->ready; slots; slots &= slots - 1) {
		u32 slot = torus_ctz(slots);
		router_slots_t bit = ROUTER_BIT(slot);

		if (router_deposit_made(router_packet(d, n, slot)))
			continue;
		n->ready &= ~bit;
		n->local &= ~bit;
		router_enter_forget(n, bit);
		for (i = 0; i < ROUTER_DIRS; i++)
			n->want_dir[i] &= ~bit;
		n->port_busy |= bit;
		torus_wheel_push(&d->wheel, d->now + machine_buffer_ticks(d->machine),
				 (struct torus_event){
			.kind = TORUS_EV_READY, .node = node, .queue = (u8)slot,
		});
	}
}

/* Close a receiver's bypass if the node's bypass is off, or one of the receiver's VCs too full. */
static void router_close_bypass(struct torus_domain *d, struct router_node *n, u32 node)
{
	const machine_params_t *m = d->machine;
	router_slots_t closed = 0, came;

	for (came = n->bypass; came; came &= came - 1) {
		u32 slot = torus_ctz(came);
		const struct torus_packet *p = router_packet(d, n, slot);

		if (n->bypass_mode == ROUTER_BYPASS_OFF ||
		    !machine_bypass_open(m, n, node, slot, router_held(m, p, slot)))
			closed |= ROUTER_BIT(slot);
	}
	n->bypass &= ~closed;
	if (machine_buffer_ticks(m))
		router_enter_buffers(d, n, node, closed);
}
#endif

#if ROUTER_BYPASS
/*
 * Check that a slot has only one packet: the packet that arrived in this tick did not find another.
 */
torus_inline bool router_bypass_first(const struct router_node *n, u32 slot)
{
	return n->q[slot].head == n->q[slot].tail;
}

/*
 * Check whether a slot's head is on the bypass. If an earlier packet waits in the slot, the new
 * packet goes into the buffer instead.
 */
torus_inline bool router_on_bypass(const struct router_node *n, u32 slot)
{
	return torus_unlikely(n->bypass >> slot & 1) && router_bypass_first(n, slot);
}
#endif

/* Before arbitration, remove from @bypass all slots whose packet may not use the bypass. */
torus_inline void router_bypass_begin(struct torus_domain *d, struct router_node *n, u32 node)
{
#if ROUTER_BYPASS
	router_slots_t fresh;

	n->bypass &= -(router_slots_t)(n->bypass_at == (u32)d->now);
	if (torus_likely(n->bypass_mode == ROUTER_BYPASS_OPEN &&
			 !machine_buffer_ticks(d->machine)))
		return;	/* later readers of @bypass call router_on_bypass() */
	for (fresh = n->bypass; fresh; fresh &= fresh - 1)
		if (!router_bypass_first(n, torus_ctz(fresh)))
			n->bypass &= ~(fresh & -fresh);
	if (n->bypass_mode != ROUTER_BYPASS_OPEN && n->bypass)
		router_close_bypass(d, n, node);
#endif
}

/*
 * Close the bypass of a slot whose head was dropped in arbitration: the next packet has waited, so
 * it is in the buffer.
 */
torus_inline void router_bypass_missed(struct router_node *n, u32 slot)
{
#if ROUTER_BYPASS
	n->bypass &= ~ROUTER_BIT(slot);
#endif
}

/* After arbitration, write each packet on the bypass that won no link into its buffer. */
torus_inline void router_bypass_end(struct torus_domain *d, struct router_node *n, u32 node,
				    router_slots_t won)
{
#if ROUTER_BYPASS
	if (torus_unlikely(machine_buffer_ticks(d->machine)))
		router_enter_buffers(d, n, node, n->bypass & ~won);
	n->bypass = 0;
#endif
}

#endif
