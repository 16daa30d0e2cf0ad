// SPDX-License-Identifier: GPL-2.0
/* The sender's half of a live link; link.h describes the protocol as a whole. */
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/link/receive.h"
#include "core/state/interrupt.h"
#include "core/link/internal.h"
#include "core/base/random.h"

/* Length in bits of an acknowledgement or token message, for bit errors: 8 bytes. */
#define CONTROL_BITS	64

static int links_allocate(struct torus_fabric *f)
{
	u32 i;

	if (!f->links)
		f->links = torus_alloc((size_t)f->nodes * f->dirs * sizeof(*f->links));
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].links = f->links;
	return f->links ? torus_link_crcs_init(f) : -ENOMEM;
}

/**
 * torus_links_free() - free the state of all live links, so that no link is live
 * @f: the fabric; no run may be in progress
 */
void torus_links_free(struct torus_fabric *f)
{
	u32 i;

	torus_free(f->links, (size_t)f->nodes * f->dirs * sizeof(*f->links));
	f->links = NULL;
	for (i = 0; f->domain && i < f->ndomains; i++)
		f->domain[i].links = NULL;
}

/**
 * torus_links_live() - allocate what a fabric with live links needs
 * @f: the fabric; no run may be in progress
 * @err: [out] error message
 *
 * Return: 0 or -ENOMEM.
 */
int torus_links_live(struct torus_fabric *f, struct torus_error *err)
{
	if (links_allocate(f))
		return torus_fail(err, ENOMEM, "no memory for the links of %u nodes", f->nodes);
	f->links_live = true;
	torus_packets_widen(f);
	return 0;
}

/**
 * torus_link_live() - make a link live: simulate its protocol from now on
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction, which has a link
 * @err: [out] error message
 *
 * Return: 0, -EOPNOTSUPP or -ENOMEM.
 */
int torus_link_live(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err)
{
	u32 peer = torus_link_peer(f, node, dir);
	struct torus_domain *d = torus_domain_of(f, node), *pd = torus_domain_of(f, peer);
	struct torus_link *l;

	if (!f->router->link_live)
		return torus_fail(err, EOPNOTSUPP, "%s does not support link faults",
				  f->arch->name);
	if (torus_links_live(f, err))
		return -ENOMEM;
	l = torus_link_at(d, node, dir);
	if (l->live)
		return 0;
	l->live = true;
	l->rng = torus_random_seed(f->cfg.seed, 3, (u64)node * f->dirs + dir);
	l->head = TORUS_NONE;
	l->tail = TORUS_NONE;
	l->resend = TORUS_NONE;
	l->error_in = ~0ull;
	l->busy = f->router->link_busy(f, node, dir);
	l->next_seq = torus_link_packets(d, node, dir);
	torus_link_at(pd, peer, dir)->expected = l->next_seq;
	f->router->link_live(f, node, dir, true);
	return 0;
}

static u32 link_resend_next(struct torus_domain *d, const struct torus_link *l, u32 pkt)
{
	return pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
}

/* Transmit a copy of the packet @kept. @again: the copy is a retransmission. */
static void link_transmit(struct torus_domain *d, u32 node, u32 dir, u32 peer, u32 kept, bool again)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;
	struct torus_packet *p = torus_packet_at(d, kept);
	u32 copy;

	p->sent++;
	copy = torus_packet_clone(d, kept);
	if (copy == TORUS_NONE)
		return;
	p = torus_packet_at(d, copy);
	if (!torus_link_corrupt(d, node, dir, p, again)) {
		torus_packet_free(d, copy);
		return;
	}
	d->f->arch->timing(d->f, node, dir, &t);
	torus_send_packet(d, d->now + t.latency + l->delay, (struct torus_event){
		.kind = TORUS_EV_LINK_HEAD, .node = peer, .pkt = copy, .queue = p->slot,
	});
}

void torus_link_arm_timer(struct torus_domain *d, u32 node, u32 dir, u64 deadline)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->deadline = deadline;
	if (l->timer || l->parked)
		return;
	l->timer = true;
	torus_wheel_push(&d->wheel, deadline, (struct torus_event){
		.kind = TORUS_EV_LINK_TIMER, .node = node, .dir = (u8)dir,
	});
}

/* Return the retransmission time-out in ticks, including injected link delay. */
u64 torus_link_timeout(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	d->f->arch->timing(d->f, node, dir, &t);
	return t.timeout + l->delay;
}

/**
 * torus_link_send() - send a packet to which the router granted a live link
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 * @slot: buffer into which it goes at the peer
 * @peer: the receiver
 * @pkt: the packet; stays in the resend FIFO until acknowledged
 */
void torus_link_send(struct torus_domain *d, u32 node, u32 dir, u32 slot, u32 peer, u32 pkt)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_packet *p;

	pkt = torus_packet_widen(d, pkt);
	if (pkt == TORUS_NONE)
		return;
	p = torus_packet_at(d, pkt);
	p->link_seq = l->next_seq++;
	p->slot = (u8)slot;
	p->sent = 0;
	if (p->body != TORUS_NONE || d->f->crc_full)
		torus_link_crc(d, node, dir, pkt, false);
	if (l->head == TORUS_NONE)
		l->head = pkt;
	else
		torus_packet_at(d, l->tail)->next = pkt;
	l->tail = pkt;
	l->bytes += torus_link_packet_bytes(d->f, p);
	l->busy = true;
	if (l->head == pkt)
		torus_link_arm_timer(d, node, dir, d->now + torus_link_wire_ticks(d->f, p) +
				     torus_link_timeout(d, node, dir));
	link_transmit(d, node, dir, peer, pkt, false);
}

static void link_resend_one(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 peer = torus_link_peer(d->f, node, dir);
	u32 pkt = l->resend, wire = torus_link_wire_ticks(d->f, torus_packet_at(d, pkt));

	l->resend = link_resend_next(d, l, pkt);
	if (l->resent_at == ~0ull)
		l->resent_at = d->now;
	l->busy = true;
	l->resends++;
	l->resend_ticks += wire;
	if (pkt == l->head)
		l->deadline = d->now + wire + torus_link_timeout(d, node, dir);
	torus_error_raise(d->f, node, TORUS_ERROR_RETRY, dir, 0);
	torus_trace(d, TORUS_TRACE_RESEND, node, dir, 0, torus_packet_at(d, pkt));
	torus_wheel_push(&d->wheel, d->now + wire, (struct torus_event){
		.kind = TORUS_EV_LINK_SENT, .node = node, .dir = (u8)dir,
	});
	link_transmit(d, node, dir, peer, pkt, true);
}

/*
 * Check whether the resend FIFO can take another packet. It must have space for the longest packet.
 * The number of unacknowledged packets is limited, so that the receiver can distinguish new
 * sequence numbers from old ones.
 */
static bool link_window_has_room(struct torus_domain *d, u32 node, u32 dir)
{
	const struct torus_arch *arch = d->f->arch;
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	if (l->head != TORUS_NONE &&
	    l->next_seq - torus_packet_at(d, l->head)->link_seq >= TORUS_LINK_WINDOW_MAX)
		return false;
	arch->timing(d->f, node, dir, &t);
	return l->bytes + arch->packet_chunks_max * arch->chunk_bytes <= t.window_bytes;
}

/**
 * torus_link_tx_done() - end the router's transmission on a live link
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 *
 * Return: true if the router may start the next packet.
 */
bool torus_link_tx_done(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->busy = false;
	/*
	 * Control packets go first, also between retransmissions: otherwise two senders that both
	 * retransmit would wait for each other's acknowledgements.
	 */
	if (d->f->control_ticks && d->f->router->owes(d, node, dir))
		return false;
	if (l->resend != TORUS_NONE) {
		link_resend_one(d, node, dir);
		return false;
	}
	if (torus_link_off(d->f, l, node, dir))
		return false;
	return !l->parked && link_window_has_room(d, node, dir);
}

/**
 * torus_link_update_ready() - update the router's ready state of an idle link
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 */
void torus_link_update_ready(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (!l->busy)
		d->f->router->link_state(d->f, node, dir, torus_link_tx_done(d, node, dir));
}

void torus_link_start_resend(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->resend = l->head;
	l->resent_at = ~0ull;
	l->behind_loss = false;
	torus_link_update_ready(d, node, dir);
}

/*
 * Count a time-out or nack without progress. Return true if the limit is exceeded and the link is
 * now parked.
 */
static bool link_gives_up(struct torus_domain *d, u32 node, u32 dir,
			  const struct torus_link_timing *t)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (++l->retries <= t->retries)
		return false;
	l->parked = true;
	l->resend = TORUS_NONE;
	d->links_parked++;
	d->f->router->link_state(d->f, node, dir, false);
	return true;
}

static void link_on_timer(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	l->timer = false;
	if (l->head == TORUS_NONE || l->parked || l->no_resend)
		return;
	if (d->now < l->deadline) {
		torus_link_arm_timer(d, node, dir, l->deadline);
		return;
	}
	d->f->arch->timing(d->f, node, dir, &t);
	l->timeouts++;
	if (link_gives_up(d, node, dir, &t))
		return;
	torus_link_arm_timer(d, node, dir, d->now + torus_link_timeout(d, node, dir));
	torus_link_start_resend(d, node, dir);
}

/* Check whether an 8-byte message back to the sender is lost, or damaged and therefore ignored. */
static bool link_control_lost(struct torus_link *l)
{
	return torus_link_draw_errors(l, CONTROL_BITS, NULL) || torus_link_down(l);
}

/* Free the packets of the resend FIFO up to @seq, which have arrived. */
static void link_release(struct torus_domain *d, u32 node, u32 dir, u32 seq)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	while (l->head != TORUS_NONE) {
		u32 pkt = l->head;
		struct torus_packet *p = torus_packet_at(d, pkt);

		if (torus_link_before(seq, p->link_seq))
			break;
		if (l->resend == pkt)
			l->resend = link_resend_next(d, l, pkt);
		l->head = link_resend_next(d, l, pkt);
		l->bytes -= torus_link_packet_bytes(d->f, p);
		/*
		 * the packet had arrived, and only a copy of it was lost: the receiver discards no
		 * later packets
		 */
		if (p->link_seq == l->lost_seq)
			l->behind_loss = false;
		torus_trace(d, TORUS_TRACE_ACK, node, dir, 0, p);
		torus_packet_free(d, pkt);
		l->retries = 0;
		l->deadline = d->now + torus_link_timeout(d, node, dir);
	}
}

/*
 * Handle a nack: go-back-N (Abts et al. (2007), section 2.1: "a sliding window go-back-N link-layer
 * protocol"). The receiver sends a nack for each damaged packet, and for each packet after the
 * expected one. Packets that were on the link when the retransmission began cause nacks, too; these
 * cause no second retransmission. A retransmission counts as a time-out, so that a link that
 * delivers no packet is parked.
 */
static void link_on_nack(struct torus_domain *d, u32 node, u32 dir, u32 seq)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	bool lost = link_control_lost(l);
	struct torus_link_timing t;

	if (l->drop_nack) {
		l->drop_nack--;
		lost = true;
	}
	if (lost) {
		l->ack_errors++;
		return;
	}
	l->nacks++;
	link_release(d, node, dir, seq - 1);
	d->f->arch->timing(d->f, node, dir, &t);
	if (l->head == TORUS_NONE || l->parked || l->no_resend || l->resent_at == ~0ull ||
	    (l->resent_at && d->now <= l->resent_at + t.latency + l->delay + t.ack_delay)) {
		torus_link_update_ready(d, node, dir);
		return;
	}
	if (link_gives_up(d, node, dir, &t))
		return;
	l->deadline = d->now + torus_link_timeout(d, node, dir);
	torus_link_start_resend(d, node, dir);
}

static void link_on_ack(struct torus_domain *d, u32 node, u32 dir, u32 seq)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	bool lost = link_control_lost(l);

	if (l->drop_ack) {
		l->drop_ack--;
		lost = true;
	} else if (l->corrupt_ack) {
		l->corrupt_ack--;
		lost = true;
	}
	if (lost) {
		l->ack_errors++;
		return;
	}
	l->acks++;
	link_release(d, node, dir, seq);
	torus_link_update_ready(d, node, dir);
}

/*
 * Handle a lost token message: repeat it after a time-out, or keep the tokens until the link's
 * state changes.
 */
static void link_token_later(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	d->f->arch->timing(d->f, node, dir, &t);
	l->ack_errors++;
	if (torus_link_down(l) || l->parked || ++l->token_retries > t.retries) {
		l->lost[vc] = (u16)(l->lost[vc] + tokens);
		d->tokens_waiting += tokens;
	} else {
		torus_wheel_push(&d->wheel, d->now + torus_link_timeout(d, node, dir),
				 (struct torus_event){
			.kind = TORUS_EV_LINK_TOKEN, .node = node, .dir = (u8)dir, .vc = (u8)vc,
			.tokens = tokens,
		});
	}
}

void torus_link_token_now(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_wheel_push(&d->wheel, d->now + 1, (struct torus_event){
		.kind = TORUS_EV_TOKEN_SURE, .node = node, .dir = (u8)dir, .vc = (u8)vc,
		.tokens = tokens,
	});
}

/**
 * torus_link_token() - handle tokens that arrive over a live link
 * @d: the domain of the packets' sender
 * @ev: the event
 *
 * In hardware, token messages have absolute counts, and the next message replaces a lost one. Here,
 * the sender of a lost message repeats it after a time-out, a limited number of times.
 *
 * Return: true if the message was lost.
 */
bool torus_link_token(struct torus_domain *d, const struct torus_event *ev)
{
	struct torus_link *l = torus_link_at(d, ev->node, ev->dir);

	if (ev->kind == TORUS_EV_TOKEN_SURE || !link_control_lost(l)) {
		l->token_retries = 0;
		return false;
	}
	link_token_later(d, ev->node, ev->dir, ev->vc, ev->tokens);
	return true;
}

static void link_on_token_again(struct torus_domain *d, const struct torus_event *ev)
{
	if (link_control_lost(torus_link_at(d, ev->node, ev->dir)))
		link_token_later(d, ev->node, ev->dir, ev->vc, ev->tokens);
	else
		torus_link_token_now(d, ev->node, ev->dir, ev->vc, ev->tokens);
}

/**
 * torus_link_event() - handle an event of the link protocol
 * @d: the domain
 * @ev: the event
 */
void torus_link_event(struct torus_domain *d, const struct torus_event *ev)
{
	switch (ev->kind) {
	case TORUS_EV_LINK_ACK:
		link_on_ack(d, ev->node, ev->dir, ev->seq);
		break;
	case TORUS_EV_LINK_NACK:
		link_on_nack(d, ev->node, ev->dir, ev->seq);
		break;
	case TORUS_EV_LINK_TIMER:
		link_on_timer(d, ev->node, ev->dir);
		break;
	case TORUS_EV_LINK_SENT:
		torus_link_at(d, ev->node, ev->dir)->busy = false;
		torus_link_update_ready(d, ev->node, ev->dir);
		break;
	case TORUS_EV_LINK_TAIL:
		torus_link_on_tail(d, ev);
		break;
	case TORUS_EV_LINK_TOKEN:
		link_on_token_again(d, ev);
		break;
	}
}
