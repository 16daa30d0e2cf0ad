// SPDX-License-Identifier: GPL-2.0
/*
 * Check live links that were read from a file: resend FIFOs, sequence numbers, and copies and
 * messages in transit must be consistent.
 *
 * A sender keeps the packets that its receiver has not acknowledged, numbered without a gap up to
 * the next number. The receiver expects one of these numbers, or the next. A copy that the
 * receiver may still accept must be one of a packet that the sender keeps. A message reports only
 * accepted packets. Copies and messages in transit therefore cannot create, lose or duplicate a
 * packet.
 */
#include "core/link/internal.h"
#include "core/link/verify.h"

/* An acknowledgement or nack must be older than the expected packet by fewer packets than this. */
#define LAG_MAX	16384u

/**
 * struct link_kept - resend FIFOs of the senders that feed a node, indexed by position
 * @list: by direction: array of packet indices; NULL until the list is first needed
 * @n: by direction: number of packets
 */
struct link_kept {
	u32 *list[2 * TORUS_DIMS_MAX];
	u32 n[2 * TORUS_DIMS_MAX];
};

static u32 link_next(struct torus_domain *d, const struct torus_link *l, u32 pkt)
{
	return pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
}

/* Return the number of packets in a resend FIFO. */
static u32 link_count(struct torus_domain *d, const struct torus_link *l)
{
	u32 pkt, n = 0;

	for (pkt = l->head; pkt != TORUS_NONE; pkt = link_next(d, l, pkt))
		n++;
	return n;
}

/* Check the sequence numbers, sizes and CRCs of the packets in a resend FIFO. */
static void link_verify_kept(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir,
			     const struct torus_link_timing *t)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 pkt, n = link_count(d, l);
	u64 bytes = 0;
	u32 seq;

	if (!torus_snapshot_check(snap, n <= TORUS_LINK_WINDOW_MAX,
				  "number of packets in a resend FIFO =", n))
		return;
	seq = l->next_seq - n;
	for (pkt = l->head; pkt != TORUS_NONE && torus_snapshot_ok(snap);
	     pkt = link_next(d, l, pkt), seq++) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		bytes += torus_link_packet_bytes(d->f, p);
		torus_snapshot_check(snap, p->link_seq == seq,
				     "sequence number of a packet on a link =", p->link_seq);
		torus_snapshot_check(snap, !(p->flags & TORUS_PACKET_NOTOKEN),
				     "flags of a packet in a resend FIFO =", p->flags);
		torus_snapshot_check(snap, torus_packet_crc_right(d, pkt),
				     "wrong CRC of a packet of source", p->src);
	}
	torus_snapshot_check(snap, bytes == l->bytes && bytes <= t->window_bytes,
			     "number of bytes in a resend FIFO =", l->bytes);
}

/* Check that the receiver expects a packet in the sender's resend FIFO, or the next new packet. */
static void link_verify_expected(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
				 u32 dir)
{
	struct torus_fabric *f = d->f;
	const struct torus_link *l = torus_link_at(d, node, dir);
	u32 peer = torus_link_peer(f, node, dir);
	u32 expected;

	if (!torus_node_here(f, peer))
		return;
	expected = torus_link_at(torus_domain_of(f, peer), peer, dir)->expected;
	torus_snapshot_check(snap, l->next_seq - expected <= link_count(d, l),
			     "sequence number that a receiver expects =", expected);
}

/*
 * Check the state of a link's sender: an event must free a busy link, and a timer must be set while
 * packets wait for acknowledgement.
 */
static void link_verify_state(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			      u32 dir,
			      const struct torus_moving *moving, u32 timers)
{
	const struct torus_link *l = torus_link_at(d, node, dir);
	u64 clock = d->f->clock;
	bool waits = l->head != TORUS_NONE && !l->parked && !l->no_resend;

	torus_snapshot_check(snap, l->busy == (moving->sending >> dir & 1),
			     "a busy link in direction",
			     dir);
	torus_snapshot_check(snap, !(moving->granted >> dir & 1) ||
			     (!l->busy && !l->parked && !l->disabled && l->resend == TORUS_NONE),
			     "a free link in direction", dir);
	torus_snapshot_check(snap, timers == l->timer && (l->timer || !waits),
			     "wrong number of timers of direction", dir);
	torus_snapshot_check(snap, l->resent_at <= clock || l->resent_at == ~0ull,
			     "tick of the last resend of a link =", l->resent_at);
	torus_snapshot_check(snap, l->deadline < clock + (1ull << 36), "deadline of a link =",
			     l->deadline);
}

static void link_verify_sender(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			       u32 dir,
			       const struct torus_moving *moving, u32 timers)
{
	struct torus_link_timing t;

	if (!torus_link_at(d, node, dir)->live) {
		torus_snapshot_check(snap, !timers, "wrong number of timers of direction", dir);
		return;
	}
	d->f->arch->timing(d->f, node, dir, &t);
	link_verify_kept(snap, d, node, dir, &t);
	link_verify_expected(snap, d, node, dir);
	link_verify_state(snap, d, node, dir, moving, timers);
}

/*
 * Check an acknowledgement or nack, which reports all packets before @seq as accepted: the receiver
 * must have accepted these packets.
 */
static void link_verify_message(struct torus_snapshot *snap, struct torus_domain *d,
				const struct torus_event *ev, u32 seq)
{
	u32 peer = torus_link_peer(d->f, ev->node, ev->dir);
	const struct torus_link *far;

	if (!torus_node_here(d->f, peer))
		return;
	far = torus_link_at(torus_domain_of(d->f, peer), peer, ev->dir);
	torus_snapshot_check(snap, far->expected - seq < LAG_MAX, "sequence number of a message =",
			     ev->seq);
}

/* List the packets of a resend FIFO: that of the sender at @from in direction @dir. */
static bool link_keep(struct torus_snapshot *snap, struct torus_domain *d, u32 from, u32 dir,
		      struct link_kept *kept)
{
	const struct torus_link *l = torus_link_at(d, from, dir);
	u32 pkt, n = 0;

	if (kept->list[dir])
		return true;
	kept->n[dir] = link_count(d, l);
	kept->list[dir] = torus_alloc(((size_t)kept->n[dir] + 1) * sizeof(u32));
	if (!kept->list[dir]) {
		torus_snapshot_no_memory(snap);
		return false;
	}
	for (pkt = l->head; pkt != TORUS_NONE; pkt = link_next(d, l, pkt))
		kept->list[dir][n++] = pkt;
	return true;
}

static void link_forget(struct link_kept *kept)
{
	u32 dir;

	for (dir = 0; dir < 2 * TORUS_DIMS_MAX; dir++)
		torus_free(kept->list[dir], ((size_t)kept->n[dir] + 1) * sizeof(u32));
}

/*
 * Check that @p is a copy of @kept. If @p has a body, an undetected error may have changed its
 * header.
 */
static bool link_same(const struct torus_packet *p, const struct torus_packet *kept)
{
	return p->chunks == kept->chunks && p->slot == kept->slot && p->src == kept->src &&
	       p->seq == kept->seq && p->hops == kept->hops && p->born == kept->born &&
	       p->entered == kept->entered &&
	       !((p->flags ^ kept->flags) & (TORUS_PACKET_INVALID | TORUS_PACKET_DEPOSIT |
					     TORUS_PACKET_COPY)) &&
	       (p->body != TORUS_NONE ||
		(p->dst == kept->dst && p->group == kept->group &&
		 !memcmp(p->header, kept->header, sizeof(p->header))));
}

/*
 * Check a copy on a link: the sender must keep its packet, unless the receiver will discard the
 * copy.
 */
static void link_verify_copy(struct torus_snapshot *snap, struct torus_domain *d,
			     const struct torus_snapshot_event *one, struct link_kept *kept)
{
	const struct torus_packet *p = torus_packet_at(d, one->ev.pkt);
	struct torus_fabric *f = d->f;
	u32 dir = one->ev.queue / f->vcs, node = one->ev.node, place, from;
	u32 expected = torus_link_at(d, node, dir)->expected;
	struct torus_domain *up;

	if (!torus_snapshot_check(snap, p->slot == one->ev.queue &&
				  !(p->flags & TORUS_PACKET_NOTOKEN), "buffer of a copy of a "
								      "packet =",
				  p->slot))
		return;
	/* the receiver never accepts an old sequence number */
	if (torus_link_before(p->link_seq, expected))
		return;
	from = torus_link_from(f, node, dir);
	if (!torus_node_here(f, from))
		return;
	up = torus_domain_of(f, from);
	if (!link_keep(snap, up, from, dir, kept))
		return;
	place = kept->n[dir] - (torus_link_at(up, from, dir)->next_seq - p->link_seq);
	torus_snapshot_check(snap, place < kept->n[dir] &&
			     link_same(p, torus_packet_at(up, kept->list[dir][place])),
			     "wrong copy of a packet with sequence number", p->link_seq);
}

/**
 * torus_links_verify() - check a node's links that were read from a file
 * @snap: the snapshot
 * @d: the domain of a fabric with live links; all nodes have been read
 * @node: the node
 * @events: the node's events
 * @moving: transmissions in progress, as the router derives them from @events
 */
void torus_links_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			const struct torus_snapshot_events *events,
			const struct torus_moving *moving)
{
	u32 timers[2 * TORUS_DIMS_MAX] = { 0 }, dir;
	struct link_kept kept = { .n = { 0 } };
	size_t i;

	for (i = 0; i < events->count && torus_snapshot_ok(snap); i++) {
		const struct torus_event *ev = &events->list[i].ev;

		switch (ev->kind) {
		case TORUS_EV_LINK_TIMER:
			timers[ev->dir]++;
			break;
		case TORUS_EV_LINK_ACK:
			link_verify_message(snap, d, ev, ev->seq + 1);
			break;
		case TORUS_EV_LINK_NACK:
			link_verify_message(snap, d, ev, ev->seq);
			break;
		case TORUS_EV_LINK_HEAD:
			link_verify_copy(snap, d, &events->list[i], &kept);
			break;
		}
	}
	link_forget(&kept);
	for (dir = 0; dir < d->f->dirs && torus_snapshot_ok(snap); dir++)
		link_verify_sender(snap, d, node, dir, moving, timers[dir]);
}
