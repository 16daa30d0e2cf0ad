/* SPDX-License-Identifier: GPL-2.0 */
/* The router's second phase: arbitration.  Included by router.h. */

/* The slots of the network that want a link which is free now, by direction. */
torus_inline R_MASK router_wanted(const struct router_node *n)
{
	R_MASK wanted = 0;
	u32 i;

	for (i = 0; i < R_DIRS; i++)
		if (n->want_dir[i] & n->ready & R_VC_SLOT_MASK)
			wanted |= R_VC_MASK << (i * R_VCS);
	return wanted;
}

/*
 * The slots that leave their receiver's last free bus alone, of two or more: a
 * priority packet beside them waits for its link.  Else they could take every bus
 * while the link is busy, and others the link while there is no bus, for ever; so
 * it waits for one packet until a bus is kept for it, and for one more on the link.
 */
torus_inline R_SLOTS_T router_kept_bus(const struct R(machine) *m, const struct router_node *n)
{
	R_SLOTS_T high = n->ready & ~n->local & ~n->deposit & R_PRIORITY_SLOTS & R_VC_SLOT_MASK;
	R_SLOTS_T kept = 0;

	for (; high; high &= high - 1) {
		u32 slot = torus_ctz(high), r = slot / R_VCS;
		R_MASK room = n->room[!(n->cont >> slot & 1)];

		if (n->want[slot] & room && R_BUSES(m) > 1 && n->bus[r] + 1u >= R_BUSES(m))
			kept |= ((R_SLOTS_T)R_VC_MASK << (r * R_VCS)) & ~R_BIT(slot);
	}
	return kept;
}

/* Why a head that wants a free link got nothing. */
torus_inline void router_stall(struct router_node *n, u32 slot, R_SLOTS_T no_bus)
{
	R_MASK free = n->want[slot] & n->link;
	u32 dir = torus_ctz(free) / R_VCS;
	u32 why = TORUS_STALL_TOKEN;

	if (no_bus & R_BIT(slot))
		why = TORUS_STALL_BUS;
	else if (free & n->room[0] & ~n->room[1])
		why = TORUS_STALL_BUBBLE;
	n->stall[dir][why]++;
}

/*
 * The best of a receiver, or an injection FIFO's head, is presented to its link; 0: none.
 * Return: a bit for the link.
 */
torus_inline u32 router_request(const struct R(machine) *m, const struct R(pass) *pass,
				struct router_node *n, u64 *best, u64 winner)
{
	u32 dir = (u32)(winner & 0xff) / R_VCS;
	u64 key = R_key_output(m, pass, n, winner) & -(u64)(winner != 0);

	if (torus_unlikely(best[dir] && winner))
		n->stall[dir][TORUS_STALL_LOST]++;
	best[dir] = key > best[dir] ? key : best[dir];
	return (u32)(winner != 0) << dir;
}

/*
 * "Eight-byte acknowledgment (ack-only) packets or combined token-acknowledgment
 * (token-ack) packets are returned"; "the senders give highest priority" to them.
 * What has come up while a link was busy goes in one.
 */
static void router_control(struct torus_domain *d, struct router_node *n, u32 node)
{
	const struct R(machine) *m = d->machine;
	u32 dir, vc;

	for (dir = 0; dir < R_DIRS; dir++) {
		u32 from = TORUS_REVERSE(dir), bit = 1u << dir;
		u64 told = d->now + m->timing.ack_delay + R_far(m, n, dir);
		bool slow = n->slow & bit;

		if (!(n->owing & bit) || (slow ? !torus_link_idle(d, node, dir) :
					  !(n->link >> (dir * R_VCS) & 1)))
			continue;
		n->owing &= (u8)~bit;
		n->controls[dir]++;
		n->link &= ~(R_VC_MASK << (dir * R_VCS));
		if (slow)
			torus_link_occupy(d, node, dir);
		torus_wheel_push(&d->wheel, d->now + R_CONTROL_TICKS, (struct torus_event){
			.kind = TORUS_EV_CONTROL_SENT, .node = node, .dir = (u8)dir,
		});
		for (vc = 0; vc < R_VCS; vc++) {
			u32 i = from * R_VCS + vc;

			if (!n->owed[i])
				continue;
			torus_send_event(d, told, (struct torus_event){
				.kind = TORUS_EV_TOKEN, .node = n->peer[dir], .dir = (u8)from,
				.vc = (u8)vc, .tokens = n->owed[i],
			});
			n->owed[i] = 0;
		}
		if (n->owing_ack & bit)
			torus_link_acknowledge(d, node, from, told);
		n->owing_ack &= (u8)~bit;
	}
}

/*
 * "A one-cycle gap in the arbitration pipeline of the receivers could occur when
 * all possible outgoing links and VCs were busy", which lets injection sneak in: a
 * head that found them so misses the cycle in which one is free again.
 */
static R_SLOTS_T router_gap(struct torus_domain *d, struct router_node *n, u32 node, R_MASK link)
{
	R_SLOTS_T heads = n->ready & ~n->local & R_VC_SLOT_MASK, busy = 0, missed;

	for (missed = heads; missed; missed &= missed - 1) {
		u32 slot = torus_ctz(missed);

		if (!(n->want[slot] & link & n->room[!(n->cont & R_BIT(slot))]))
			busy |= R_BIT(slot);
	}
	missed = n->all_busy & heads & ~busy;
	n->all_busy = busy;
	if (missed)
		router_again(d, n, node, d->now + 1);
	return missed;
}

/*
 * "The bypass channel allows packets, under appropriate circumstances, to flow
 * through a node without entering the VC buffers": in the tick in which they come,
 * when nothing of their VC waits before them.  Others, and those that are not served
 * in that tick, are written into their VC buffers before they can be read again.
 */
static void router_enter_buffers(struct torus_domain *d, struct router_node *n, u32 node,
				 R_SLOTS_T slots)
{
	const struct R(machine) *m = d->machine;
	u32 i;

	for (slots &= n->ready; slots; slots &= slots - 1) {
		u32 slot = torus_ctz(slots);
		R_SLOTS_T bit = R_BIT(slot);

		/* a broadcast whose copy has been made is not routed anew */
		if (R_deposit(torus_packet_at(d, n->q[slot].head)))
			continue;
		n->ready &= ~bit;
		n->local &= ~bit;
		n->cont &= ~bit;
		for (i = 0; i < R_DIRS; i++)
			n->want_dir[i] &= ~bit;
		n->port_busy |= bit;
		torus_wheel_push(&d->wheel, d->now + m->vc_delay, (struct torus_event){
			.kind = TORUS_EV_READY, .node = node, .queue = (u8)slot,
		});
	}
}

/* The bypass of receivers that have none now, or whose VCs are too full. */
static void router_close_bypass(struct torus_domain *d, struct router_node *n, u32 node)
{
	const struct R(machine) *m = d->machine;
	R_SLOTS_T closed = 0, came;

	for (came = n->bypass; came; came &= came - 1) {
		u32 slot = torus_ctz(came);
		const struct torus_packet *p = torus_packet_at(d, n->q[slot].head);

		if (n->bypass_mode == R_BYPASS_OFF ||
		    !R_bypass_open(m, n, node, slot, router_held(m, p, slot)))
			closed |= R_BIT(slot);
	}
	n->bypass &= ~closed;
	if (m->vc_delay)
		router_enter_buffers(d, n, node, closed);
}

/* Return: the slots that won a link. */
static R_SLOTS_T router_arbitrate_links(struct torus_domain *d, struct router_node *n, u32 node,
					struct router_grants *grants)
{
	const struct R(machine) *m = d->machine;
	/* strict injection is not for high priority */
	const R_SLOTS_T open = R_VC_SLOT_MASK | R_PRIORITY_SLOTS;
	R_SLOTS_T cand = 0, won = 0, gap = 0, no_bus = n->no_bus;
	u64 best[R_DIRS] = { 0 };
	R_MASK link, closed = 0;
	u32 asked = 0;
	struct R(pass) pass;
	u32 i, last = ~0u;
	u64 winner = 0;

	link = n->link;
	if (torus_unlikely(m->gap))
		gap = router_gap(d, n, node, link);
	if (!link)
		return 0;
#pragma GCC unroll 8
	for (i = 0; i < R_DIRS; i++)
		cand |= n->want_dir[i] & -(R_SLOTS_T)(link >> (i * R_VCS) & 1);
	cand &= n->ready & ~n->deposit & ~gap;
	if (!cand)
		return 0;
	n->touched |= TORUS_WAITS;

	pass = R_pass(m, n);
	if (torus_unlikely(m->strict_injection) && (cand & ~R_VC_SLOT_MASK))
		closed = router_wanted(n);
	if (torus_unlikely(n->ready & R_PRIORITY_SLOTS))
		no_bus |= router_kept_bus(m, n);

	/*
	 * First phase: each head picks what to ask for.  Second phase: the best of
	 * each receiver.  Third phase: the best of each link.
	 */
	do {
		u32 slot = torus_ctz(cand);
		R_SLOTS_T bit = R_BIT(slot);
		R_MASK mask = n->want[slot] & link & n->room[!(n->cont & bit)];
		u32 random, choice, port;
		u64 key;

		cand &= cand - 1;
		if (!(open & bit))
			mask &= ~closed;
		if (!mask || (no_bus & bit)) {
			router_stall(n, slot, no_bus);
			continue;
		}
		random = router_spread(pass.random, slot);
		choice = R_choose(m, n, mask, random);
		port = slot < R_VC_SLOTS ? slot / R_VCS : slot;
		if (port != last) {
			asked |= router_request(m, &pass, n, best, winner);
			winner = 0;
			last = port;
		}
		key = R_key_input(m, &pass, n, slot, choice, random);
		winner = key > winner ? key : winner;
	} while (cand);
	asked |= router_request(m, &pass, n, best, winner);
	if (!asked)
		return 0;
	for (; asked; asked &= asked - 1) {
		u32 dir = torus_ctz(asked), slot = best[dir] >> 8 & 0xff;

		won |= R_BIT(slot);
		link &= ~(R_VC_MASK << (dir * R_VCS));
		torus_prefetch(&n->q[slot]);
		torus_prefetch(router_hot(d, node, dir));
		grants->list[grants->n++] = (struct router_grant){
			.node = node, .slot = (u8)slot, .dir = (u8)dir,
			.vc = (u8)((best[dir] & 0xff) % R_VCS),
		};
	}
	cand = 0;
#pragma GCC unroll 8
	for (i = 0; i < R_DIRS; i++)
		cand |= n->want_dir[i] & -(R_SLOTS_T)(link >> (i * R_VCS) & 1);
	cand &= n->ready & ~won;
	n->touched &= (u8)~(cand ? 0 : TORUS_WAITS);
	/* Links are still free and wanted: the hardware arbitrates again in the next cycle. */
	if (cand)
		router_again(d, n, node, d->now + 1);
	return won;
}

/*
 * "The fraction of time in which a token-ack is returned that frees at least one
 * previously blocked packet to move": one that waited when the tick began, with no
 * room in any VC that it wants.  Where nobody is blocked there is nothing to free: the
 * returns to a node where somebody is are counted by themselves.
 */
static void router_count_unblocking(struct torus_domain *d, struct router_node *n)
{
	R_SLOTS_T waiting = n->waited & n->ready;
	R_MASK freeing = 0;
	bool blocked = false;

	for (; waiting; waiting &= waiting - 1) {
		u32 slot = torus_ctz(waiting);
		bool enter = !(n->cont & R_BIT(slot));
		R_MASK opened = n->opened[enter];

		if (n->want[slot] & n->room[enter] & ~opened)
			continue;
		blocked = true;
		freeing |= n->want[slot] & opened;
	}
	d->tally.token_needed += blocked ? n->returned : 0;
	d->tally.token_unblocks += torus_popcount(freeing);
	n->opened[0] = 0;
	n->opened[1] = 0;
	n->returned = 0;
}

static void router_arbitrate(struct torus_domain *d, struct router_node *n, u32 node,
			     struct router_grants *grants)
{
	const struct R(machine) *m = d->machine;
	R_SLOTS_T won, fresh;

	if (torus_unlikely(m->unblocking) && n->returned)
		router_count_unblocking(d, n);
	if (torus_unlikely(n->refill)) {
		torus_queues_feed(d, node);
		if (d->sources)
			torus_source_refill(d, node);
		if (d->f->nattached)
			torus_nic_refill(d, node);
		n->refill = 0;
	}
	n->bypass = n->bypass_at == (u32)d->now ? n->bypass : 0;
	for (fresh = n->bypass; fresh; fresh &= fresh - 1) {
		u32 slot = torus_ctz(fresh);

		/* it waits behind others: it is written into the buffer */
		if (n->q[slot].head != n->q[slot].tail)
			n->bypass &= ~R_BIT(slot);
	}
	if (torus_unlikely(n->bypass_mode != R_BYPASS_OPEN) && n->bypass)
		router_close_bypass(d, n, node);
	if (n->ready & (n->local | n->deposit))
		router_receive(d, n, node);
	if (torus_unlikely(m->control) && n->owing)
		router_control(d, n, node);
	n->touched &= (u8)~TORUS_WAITS;
	won = router_arbitrate_links(d, n, node, grants);
	n->touched |= n->ready & (n->local | n->deposit) ? TORUS_WAITS : 0;
	if (torus_unlikely(m->vc_delay))
		router_enter_buffers(d, n, node, n->bypass & ~won);
	n->bypass = 0;
	if (torus_unlikely(m->unblocking))
		n->waited = n->ready & ~n->local & ~won & R_VC_SLOT_MASK;
}
