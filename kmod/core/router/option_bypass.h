/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BYPASS: "The bypass channel allows packets, under appropriate circumstances, to flow
 * through a node without entering the VC buffers": in the tick in which they come,
 * when nothing of their VC waits before them.  Others, and those that are not served
 * in that tick, are written into their VC buffers before they can be read again.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_BYPASS
#define ROUTER_BYPASS_OFF	0
#define ROUTER_BYPASS_OPEN	1
#define ROUTER_BYPASS_WATCHED	2	/* closed while a VC of the receiver is too full */

/* @bypass: slots into which a packet came in the tick whose low half is @bypass_at. */
#define ROUTER_BYPASS_MEMBERS	router_slots_t bypass; u32 bypass_at; u8 bypass_mode;
#else
#define ROUTER_BYPASS_MEMBERS
#endif

#else

/* A packet has come to a slot. */
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

/* The bypass of receivers that have none now, or whose VCs are too full. */
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
/* A slot of which something came in this tick: it was no other's turn before. */
torus_inline bool router_bypass_first(const struct router_node *n, u32 slot)
{
	return n->q[slot].head == n->q[slot].tail;
}

/* Is a slot's head on the bypass?  What waited behind others is written into the buffer. */
torus_inline bool router_on_bypass(const struct router_node *n, u32 slot)
{
	return torus_unlikely(n->bypass >> slot & 1) && router_bypass_first(n, slot);
}
#endif

/* Before arbitration: who is on the bypass? */
torus_inline void router_bypass_begin(struct torus_domain *d, struct router_node *n, u32 node)
{
#if ROUTER_BYPASS
	router_slots_t fresh;

	n->bypass &= -(router_slots_t)(n->bypass_at == (u32)d->now);
	if (torus_likely(n->bypass_mode == ROUTER_BYPASS_OPEN &&
			 !machine_buffer_ticks(d->machine)))
		return;	/* the few that it matters to are asked: router_on_bypass() */
	for (fresh = n->bypass; fresh; fresh &= fresh - 1)
		if (!router_bypass_first(n, torus_ctz(fresh)))
			n->bypass &= ~(fresh & -fresh);
	if (n->bypass_mode != ROUTER_BYPASS_OPEN && n->bypass)
		router_close_bypass(d, n, node);
#endif
}

/* A slot's head is dropped in arbitration: what came behind it had to wait. */
torus_inline void router_bypass_missed(struct router_node *n, u32 slot)
{
#if ROUTER_BYPASS
	n->bypass &= ~ROUTER_BIT(slot);
#endif
}

/* After it: who was on the bypass and did not win goes into the buffer. */
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
