// SPDX-License-Identifier: GPL-2.0
/* The protocol of a live link; link.h tells it as a whole. */
#include "link.h"
#include "crc.h"
#include "interrupt.h"
#include "random.h"

/* An acknowledgement or token message is 8 bytes. */
#define CONTROL_BITS	64

static void send_link_event(struct torus_domain *d, u32 node, u32 dir, u32 sub, u32 slot, u32 pkt,
			    u32 tokens, u64 at)
{
	torus_send_event(d, at, (struct torus_event){
		.node = node, .pkt = pkt,
		.what = TORUS_EV(TORUS_EV_LINK, slot, dir, sub, tokens),
	});
}

static u32 packet_bytes(const struct torus_fabric *f, const struct torus_packet *p)
{
	return p->chunks * f->arch->chunk_bytes;
}

static u32 wire_ticks(const struct torus_fabric *f, const struct torus_packet *p)
{
	return p->chunks * f->arch->ticks_per_chunk + f->overhead_ticks;
}

static bool comes_before(u8 a, u8 b)
{
	return (s8)(a - b) < 0;
}

/* Bits until the next error: geometric, by an integer logarithm. */
static u64 error_gap(struct torus_link *l)
{
	u64 neg;

	if (l->ber < 64)
		return ~0ull;
	neg = (64ull << 26) - torus_log2_q26(torus_random(&l->rng) | 1);
	/* -ln u in units of 2^-58, over the rate in units of 2^-58 */
	return neg * TORUS_LN2_Q32 / (l->ber >> 6);
}

/**
 * torus_link_packets() - packets that a link has started, first transmissions
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 *
 * Return: the count, modulo 2^32: its low byte is the next sequence number of a
 * link that is not live.
 */
u32 torus_link_packets(struct torus_domain *d, u32 node, u32 dir)
{
	size_t i = (size_t)(node - d->first) * d->f->dirs + dir;
	const u32 *hot = d->hot + i * d->f->hot_stride;
	u32 vc, sum = 0;

	for (vc = 0; vc < d->f->vcs; vc++) {
		sum += hot[vc];
		if (d->folded)
			sum += (u32)d->folded[i * d->f->fold_stride + vc];
	}
	return sum;
}

static int allocate(struct torus_domain *d)
{
	size_t n = (size_t)d->count * d->f->dirs;

	if (!d->links)
		d->links = torus_alloc(n * sizeof(*d->links));
	return d->links ? 0 : -ENOMEM;
}

/**
 * torus_link_live() - have a link's protocol simulated from now on
 * @f: the fabric, held
 * @node: the sender
 * @dir: the direction; there is a link
 * @err: why not
 *
 * Return: 0 or -ENOMEM.
 */
int torus_link_live(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err)
{
	u32 peer = torus_link_peer(f, node, dir);
	struct torus_domain *d = torus_domain_of(f, node), *pd = torus_domain_of(f, peer);
	struct torus_link *l;

	if (!f->router->link_live)
		return torus_fail(err, EOPNOTSUPP, "links of %s have no faults", f->arch->name);
	if (allocate(d) || allocate(pd))
		return torus_fail(err, ENOMEM, "no memory for the links of %u nodes", d->count);
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
	l->next_seq = (u8)torus_link_packets(d, node, dir);
	torus_link_at(pd, peer, dir)->expected = l->next_seq;
	f->router->link_live(f, node, dir, true);
	f->links_live = true;
	return 0;
}

/* ------------------------------------------------------------------- CRCs */

/**
 * torus_link_crc() - count a packet in one end's 32-bit link CRC
 * @d: the domain of that end
 * @node: the node of that end
 * @dir: the link's direction
 * @p: the packet as it is on the link
 * @receiver: which end
 *
 * "Each sender (receiver) also maintains a 32-bit link-level CRC that includes
 * all data packets sent (received) successfully on the link": header and body,
 * each sequence number once.
 */
void torus_link_crc(struct torus_domain *d, u32 node, u32 dir, struct torus_packet *p,
		    bool receiver)
{
	struct torus_fabric *f = d->f;
	u32 sender = node, *crc;
	u8 *bytes = d->scratch;
	u32 len = packet_bytes(f, p);

	if (receiver) {
		sender = torus_link_from(f, node, dir);
		if (sender == TORUS_NONE)
			return;
	} else if (!d->links || !torus_link_at(d, node, dir)->live) {
		p->link_seq = (u8)(torus_link_packets(d, node, dir) - 1);
	}
	if (p->flags & TORUS_PACKET_INVALID)
		return;
	torus_packet_bytes(d, p, bytes);
	if (f->crc_full && !receiver) {
		p->tail_at = f->arch->crc(bytes, len);
	} else if (f->crc_full) {
		torus_assert(f->arch->intact(bytes));
		torus_assert(f->arch->crc(bytes, len) == p->tail_at);
	}
	crc = &f->link_crc[((size_t)sender * f->dirs + dir) * 2 + receiver];
	if (TORUS_RULE(link_crc))
		*crc = torus_crc32_update(*crc, bytes, len);
}

/* ------------------------------------------------- damage, as the bytes see it */

static void flip(u8 *bytes, u64 bit)
{
	bytes[bit >> 3] ^= (u8)(0x80 >> (bit & 7));
}

/* Take bit errors out of the link's stream; true if one falls into these @bits. */
static bool draw_errors(struct torus_link *l, u64 bits, u8 *bytes)
{
	u64 at = 0;
	bool hit = false;

	while (l->error_in < bits - at) {
		at += l->error_in;
		if (bytes)
			flip(bytes, at);
		hit = true;
		at++;
		l->error_in = error_gap(l);
		if (at >= bits)
			return hit;
	}
	if (l->error_in != ~0ull)
		l->error_in -= bits - at;
	return hit;
}

/* The error that the packet CRC cannot see: its generator, in the packet's last bytes. */
static void flip_generator(const struct torus_arch *arch, u8 *bytes, u32 len)
{
	u64 g = arch->crc_generator;

	for (; g; g >>= 8)
		bytes[--len] ^= (u8)g;
}

static void keep_bytes(struct torus_domain *d, struct torus_packet *p, const u8 *bytes)
{
	u32 body = torus_bodies_get(&d->bodies);

	if (body == TORUS_NONE) {
		d->failed = true;
		return;
	}
	memcpy(torus_body_at(&d->bodies, body)->bytes, bytes, packet_bytes(d->f, p));
	if (p->body != TORUS_NONE)
		torus_bodies_put(&d->bodies, p->body);
	p->body = body;
}

/* What is sent behind this packet is discarded. */
static void doom(struct torus_link *l, const struct torus_packet *p)
{
	l->doomed = true;
	l->doomed_seq = p->link_seq;
}

/*
 * What happens to a copy on its way, and what the receiver will find: the wire
 * image is made, bits are flipped, and the CRCs are computed over what is left.
 * False if nothing arrives at all.  @again: the packet is sent again.
 */
static bool damage(struct torus_domain *d, struct torus_link *l, struct torus_packet *p,
		   bool again)
{
	const struct torus_arch *arch = d->f->arch;
	u32 len = packet_bytes(d->f, p), i, crc, trailer;
	u64 bits = (u64)(len + arch->crc_bytes + 1) * 8;
	u8 *bytes = d->scratch, header[TORUS_HEADER_MAX + 4];
	bool hit;

	if (torus_link_down(l)) {
		doom(l, p);
		return false;
	}
	if (torus_likely(l->error_in >= bits && !l->corrupt && !l->escape)) {
		if (l->error_in != ~0ull)
			l->error_in -= bits;
		return true;
	}
	torus_packet_bytes(d, p, bytes);
	memcpy(header, bytes, arch->header_bytes);
	crc = arch->crc(bytes, len);
	for (i = 0; i < arch->crc_bytes; i++)
		bytes[len + i] = (u8)(crc >> (8 * (arch->crc_bytes - 1 - i)));
	bytes[len + arch->crc_bytes] = 0xff;	/* the valid byte */

	hit = draw_errors(l, bits, bytes);
	if (l->corrupt) {
		l->corrupt--;
		flip(bytes, torus_random(&l->rng) % bits);
		hit = true;
	}
	/* one that is found, or discarded, or may be there already, would not escape */
	if (l->escape && !hit && !l->doomed && !again && !(p->flags & TORUS_PACKET_INVALID)) {
		l->escape--;
		flip_generator(arch, bytes, len);
		hit = true;
	}
	if (!hit)
		return true;

	for (trailer = 0, i = 0; i < arch->crc_bytes; i++)
		trailer = trailer << 8 | bytes[len + i];
	if (!arch->intact(bytes)) {
		p->flags |= TORUS_PACKET_BAD_HEADER | TORUS_PACKET_DAMAGED;
		doom(l, p);
		return true;
	}
	if ((arch->crc(bytes, len) != trailer || bytes[len + arch->crc_bytes] != 0xff) &&
	    TORUS_RULE(link_packet_crc)) {
		p->flags |= TORUS_PACKET_DAMAGED;
		doom(l, p);
		/* its header must not be acted upon either */
		if (memcmp(header, bytes, arch->header_bytes))
			p->flags |= TORUS_PACKET_BAD_HEADER;
		return true;
	}
	/* one bit flipped twice is right again */
	torus_packet_bytes(d, p, d->scratch + TORUS_SCRATCH_BYTES);
	if (!memcmp(d->scratch + TORUS_SCRATCH_BYTES, bytes, len))
		return true;
	/* it will be believed */
	l->escapes++;
	keep_bytes(d, p, bytes);
	if (memcmp(header, bytes, arch->header_bytes) && !arch->adopt(d->f, bytes, p))
		p->flags |= TORUS_PACKET_DAMAGED | TORUS_PACKET_BAD_HEADER;
	return true;
}

/* ------------------------------------------------------------ sender's half */

static u32 resend_next_packet(struct torus_domain *d, const struct torus_link *l, u32 pkt)
{
	return pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
}

/* Put a copy of @kept on the link, perhaps not the first. */
static void transmit(struct torus_domain *d, u32 node, u32 dir, u32 peer, u32 kept, bool again)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;
	u32 copy = torus_packet_clone(d, kept);
	struct torus_packet *p;

	if (copy == TORUS_NONE)
		return;
	p = torus_packet_at(d, copy);
	if (!damage(d, l, p, again)) {
		torus_packet_free(d, copy);
		return;
	}
	d->f->arch->timing(d->f, node, dir, &t);
	torus_send_packet(d, d->now + t.latency + l->delay, (struct torus_event){
		.node = peer, .pkt = copy,
		.what = TORUS_EV(TORUS_EV_HEAD, p->slot, 0, 0, 0) | TORUS_EV_SLOW,
	});
}

static void arm_timer(struct torus_domain *d, u32 node, u32 dir, u64 deadline)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->deadline = deadline;
	if (l->timer || l->parked)
		return;
	l->timer = true;
	send_link_event(d, node, dir, TORUS_LINK_TIMER, 0, TORUS_NONE, 0, deadline);
}

/* Ticks without an acknowledgement until all is sent again. */
static u64 patience(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	d->f->arch->timing(d->f, node, dir, &t);
	return t.timeout + l->delay;
}

/**
 * torus_link_send() - the router grants a live link to a packet
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 * @slot: buffer it goes to at the peer
 * @peer: the receiver
 * @pkt: the packet; stays in the resend FIFO until acknowledged
 */
void torus_link_send(struct torus_domain *d, u32 node, u32 dir, u32 slot, u32 peer, u32 pkt)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_packet *p = torus_packet_at(d, pkt);

	p->link_seq = l->next_seq++;
	p->slot = (u8)slot;
	if (p->body != TORUS_NONE || d->f->crc_full)
		torus_link_crc(d, node, dir, p, false);
	if (l->head == TORUS_NONE)
		l->head = pkt;
	else
		torus_packet_at(d, l->tail)->next = pkt;
	l->tail = pkt;
	l->bytes += packet_bytes(d->f, p);
	l->busy = true;
	if (l->head == pkt)
		arm_timer(d, node, dir, d->now + wire_ticks(d->f, p) + patience(d, node, dir));
	transmit(d, node, dir, peer, pkt, false);
}

static void resend_one(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 peer = torus_link_peer(d->f, node, dir);
	u32 pkt = l->resend, wire = wire_ticks(d->f, torus_packet_at(d, pkt));

	l->resend = resend_next_packet(d, l, pkt);
	l->busy = true;
	l->resends++;
	l->resend_ticks += wire;
	if (pkt == l->head || !TORUS_RULE(link_oldest_timer))
		l->deadline = d->now + wire + patience(d, node, dir);
	torus_error_raise(d->f, node, TORUS_ERROR_RETRY, dir, 0);
	torus_watch(d, TORUS_WATCH_RESEND, node, dir, 0, torus_packet_at(d, pkt));
	if (!TORUS_RULE(link_crc_once) && d->f->crc_full)
		torus_link_crc(d, node, dir, torus_packet_at(d, pkt), false);
	send_link_event(d, node, dir, TORUS_LINK_SENT, 0, TORUS_NONE, 0, d->now + wire);
	transmit(d, node, dir, peer, pkt, true);
}

/* May the router start a packet now?  The resend FIFO must have room for the longest. */
static bool has_room(struct torus_domain *d, u32 node, u32 dir)
{
	const struct torus_arch *arch = d->f->arch;
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	arch->timing(d->f, node, dir, &t);
	return l->bytes + arch->packet_chunks_max * arch->chunk_bytes <= t.window_bytes ||
	       !TORUS_RULE(resend_window);
}

/**
 * torus_link_free() - the router's transmission on a live link has ended
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 *
 * Return: true if the router may start the next packet.
 */
bool torus_link_free(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->busy = false;
	/*
	 * Control packets first, between packets that are sent again too: else two senders
	 * that both send again would wait for each other's acknowledgements.
	 */
	if (d->f->control_ticks && d->f->router->owes(d, node, dir))
		return false;
	if (l->resend != TORUS_NONE) {
		resend_one(d, node, dir);
		return false;
	}
	if (l->disabled && TORUS_RULE(link_disable))
		return false;
	return !l->parked && has_room(d, node, dir);
}

/**
 * torus_link_offer() - tell the router whether a link at rest may take a packet
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 */
void torus_link_offer(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (!l->busy)
		d->f->router->link_state(d->f, node, dir, torus_link_free(d, node, dir));
}

static void start_resend(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->resend = l->head;
	l->doomed = false;
	torus_link_offer(d, node, dir);
}

static void on_timer(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	l->timer = false;
	if (l->head == TORUS_NONE || l->parked || (l->no_resend && TORUS_RULE(link_stop_resend)))
		return;
	if (d->now < l->deadline) {
		arm_timer(d, node, dir, l->deadline);
		return;
	}
	d->f->arch->timing(d->f, node, dir, &t);
	l->timeouts++;
	if (++l->retries > t.retries && TORUS_RULE(link_parks)) {
		l->parked = true;
		d->links_parked++;
		d->f->router->link_state(d->f, node, dir, false);
		return;
	}
	arm_timer(d, node, dir, d->now + patience(d, node, dir));
	if (TORUS_RULE(link_resend))
		start_resend(d, node, dir);
}

/* Is a message of 8 bytes back to the sender lost, or damaged and so ignored? */
static bool control_lost(struct torus_link *l)
{
	return draw_errors(l, CONTROL_BITS, NULL) || torus_link_down(l);
}

static void on_ack(struct torus_domain *d, u32 node, u32 dir, u8 seq)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	bool lost = control_lost(l);

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
	l->retries = 0;
	while (l->head != TORUS_NONE) {
		u32 pkt = l->head;
		struct torus_packet *p = torus_packet_at(d, pkt);

		if (comes_before(seq, p->link_seq))
			break;
		if (l->resend == pkt)
			l->resend = resend_next_packet(d, l, pkt);
		l->head = resend_next_packet(d, l, pkt);
		l->bytes -= packet_bytes(d->f, p);
		/* the lost copy was not the first to come */
		if (p->link_seq == l->doomed_seq)
			l->doomed = false;
		torus_packet_free(d, pkt);
		l->deadline = d->now + patience(d, node, dir);
	}
	torus_link_offer(d, node, dir);
}

/* A token message was lost: it is repeated, or kept until the link's state changes. */
static void token_later(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link_timing t;

	d->f->arch->timing(d->f, node, dir, &t);
	l->ack_errors++;
	if (torus_link_down(l) || l->parked || ++l->token_retries > t.retries) {
		l->lost[vc] = (u16)(l->lost[vc] + tokens);
		d->tokens_waiting += tokens;
	} else {
		send_link_event(d, node, dir, TORUS_LINK_TOKEN, vc, TORUS_NONE, tokens,
				d->now + patience(d, node, dir));
	}
}

static void token_now(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_wheel_push(&d->wheel, d->now + 1, (struct torus_event){
		.node = node, .pkt = TORUS_NONE,
		.what = TORUS_EV(TORUS_EV_TOKEN, 0, dir, vc, tokens) | TORUS_EV_SLOW,
	});
}

/**
 * torus_link_token() - tokens arrive over a live link
 * @d: the domain of the packets' sender
 * @ev: the event
 *
 * Token messages tell absolute counts, so a lost one is made good by the next;
 * when none follows, by a repetition after a time-out.
 *
 * Return: true if the message was lost.
 */
bool torus_link_token(struct torus_domain *d, const struct torus_event *ev)
{
	u32 dir = TORUS_EV_DIR(ev->what);
	struct torus_link *l = torus_link_at(d, ev->node, dir);

	if (ev->what & TORUS_EV_SLOW || !control_lost(l)) {
		l->token_retries = 0;
		return false;
	}
	if (TORUS_RULE(token_repeat))
		token_later(d, ev->node, dir, TORUS_EV_VC(ev->what), TORUS_EV_TOKENS(ev->what));
	return true;
}

static void on_token_again(struct torus_domain *d, const struct torus_event *ev)
{
	u32 dir = TORUS_EV_DIR(ev->what), vc = TORUS_EV_SLOT(ev->what);

	if (control_lost(torus_link_at(d, ev->node, dir)))
		token_later(d, ev->node, dir, vc, TORUS_EV_TOKENS(ev->what));
	else
		token_now(d, ev->node, dir, vc, TORUS_EV_TOKENS(ev->what));
}

/* ---------------------------------------------------------- receiver's half */

/*
 * A packet that its receiver has accepted is read from the VC buffer's SRAM with
 * an error that was asked for.  One wrong bit is corrected; two, or a wrong parity
 * in the data latch, are found and not correctable: the packet is discarded, and
 * its buffer space is free again.  True if it is gone.
 */
static bool sram_error(struct torus_domain *d, struct torus_link *l, u32 node, u32 dir, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 vc = p->slot % d->f->vcs, what = TORUS_ERROR_PARITY;

	if (l->ecc_double) {
		l->ecc_double--;
		what = TORUS_ERROR_ECC_DOUBLE;
	} else if (l->parity) {
		l->parity--;
	} else {
		l->ecc_single--;
		torus_error_raise(d->f, node, TORUS_ERROR_ECC_SINGLE, dir, vc);
		return false;
	}
	torus_error_raise(d->f, node, what, dir, vc);
	if (!TORUS_RULE(ecc_double_discards))
		return false;
	d->f->router->freed(d, node, p->slot, d->f->router->tokens(d->f, p, vc));
	torus_tally_drop(d, node, pkt, TORUS_DROP_ECC);
	return true;
}

/**
 * torus_link_acknowledge() - tell a sender what has arrived
 * @d: the receiver's domain
 * @node: the receiver
 * @dir: direction in which the packets travelled
 * @at: tick when it knows
 */
void torus_link_acknowledge(struct torus_domain *d, u32 node, u32 dir, u64 at)
{
	u32 from = torus_link_from(d->f, node, dir);

	send_link_event(d, from, dir, TORUS_LINK_ACK, 0,
			(u8)(torus_link_at(d, node, dir)->expected - 1), 0, at);
}

/* The last byte of a packet comes at @tail, and everything up to it has been accepted. */
static void acknowledge(struct torus_domain *d, u32 node, u32 dir, u64 tail)
{
	struct torus_link_timing t;

	/* of the same cable, as this end sees it */
	d->f->arch->timing(d->f, node, TORUS_REVERSE(dir), &t);
	if (d->f->control_ticks)
		d->f->router->acknowledge(d, node, dir, tail);
	else
		torus_link_acknowledge(d, node, dir, tail + t.ack_delay);
}

/* Is nothing being sent on a live link? */
bool torus_link_idle(struct torus_domain *d, u32 node, u32 dir)
{
	return !torus_link_at(d, node, dir)->busy;
}

/* A control packet is, until torus_link_free(). */
void torus_link_occupy(struct torus_domain *d, u32 node, u32 dir)
{
	torus_link_at(d, node, dir)->busy = true;
}

/**
 * torus_link_receive() - a header has arrived over a live link
 * @d: the receiver's domain
 * @node: the receiver
 * @dir: direction in which it travelled
 * @pkt: the copy
 *
 * Return: true if it goes into its buffer; else it is gone.
 */
bool torus_link_receive(struct torus_domain *d, u32 node, u32 dir, u32 pkt)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_packet *p = torus_packet_at(d, pkt);
	u64 tail = d->now + wire_ticks(d->f, p);

	if (l->deaf && TORUS_RULE(link_stop_receive)) {
		torus_packet_free(d, pkt);
		return false;
	}
	if (p->flags & TORUS_PACKET_BAD_HEADER && TORUS_RULE(link_header_crc)) {
		l->crc_header_errors++;
		torus_error_raise(d->f, node, TORUS_ERROR_INPUT, dir, 0);
		torus_watch(d, TORUS_WATCH_ERROR, node, dir, 0, p);
		torus_packet_free(d, pkt);
		return false;
	}
	if (p->link_seq != l->expected && TORUS_RULE(link_sequence)) {
		l->sequence_errors++;
		/* a packet that is here already: its acknowledgement was lost */
		if (comes_before(p->link_seq, l->expected) &&
		    !(p->flags & TORUS_PACKET_DAMAGED) && TORUS_RULE(link_ack_again))
			acknowledge(d, node, dir, tail);
		torus_packet_free(d, pkt);
		return false;
	}
	if (p->flags & TORUS_PACKET_DAMAGED) {
		/* not known before its tail: until then it may go on, and drags the error along */
		l->crc_packet_errors++;
		torus_error_raise(d->f, node, TORUS_ERROR_INPUT, dir, 0);
		torus_watch(d, TORUS_WATCH_ERROR, node, dir, 0, p);
		p->flags = (u8)((p->flags & ~TORUS_PACKET_DAMAGED) |
				(TORUS_RULE(link_valid_byte) ? TORUS_PACKET_INVALID : 0) |
				TORUS_PACKET_NOTOKEN);
	} else {
		l->expected++;
		torus_watch(d, TORUS_WATCH_ACCEPT, node, dir, 0, p);
		acknowledge(d, node, dir, tail);
		if (p->body != TORUS_NONE || d->f->crc_full)
			torus_link_crc(d, node, dir, p, true);
		if (torus_unlikely(l->ecc_single | l->ecc_double | l->parity) &&
		    !(p->flags & TORUS_PACKET_INVALID) && sram_error(d, l, node, dir, pkt))
			return false;
	}
	if (p->flags & TORUS_PACKET_INVALID)
		torus_link_arrive(d, node, p->slot, pkt, dir);
	return true;
}

/**
 * torus_link_arrive() - a packet has arrived that is more than a count
 * @d: the receiver's domain
 * @node: the receiver
 * @slot: buffer it goes to
 * @pkt: the packet
 * @dir: direction in which it travelled
 *
 * An INVALID one is waited for: its tail says that it must go no further.  A
 * sound one with bytes is counted in the link's CRC.
 */
void torus_link_arrive(struct torus_domain *d, u32 node, u32 slot, u32 pkt, u32 dir)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	u64 tail = d->now + wire_ticks(d->f, p);

	if (!(p->flags & TORUS_PACKET_INVALID)) {
		torus_link_crc(d, node, dir, p, true);
		return;
	}
	p->tail_at = (u32)tail;
	send_link_event(d, node, dir, TORUS_LINK_TAIL, slot, pkt, 0, tail);
}

static void on_tail(struct torus_domain *d, const struct torus_event *ev)
{
	u32 dir = TORUS_EV_DIR(ev->what);

	if (d->f->router->discard(d, ev->node, TORUS_EV_SLOT(ev->what), ev->pkt) && d->links)
		torus_link_at(d, ev->node, dir)->invalid++;
}

/**
 * torus_link_event() - an event of the link protocol
 * @d: the domain
 * @ev: the event
 */
void torus_link_event(struct torus_domain *d, const struct torus_event *ev)
{
	u32 dir = TORUS_EV_DIR(ev->what);

	switch (TORUS_EV_VC(ev->what)) {
	case TORUS_LINK_ACK:
		on_ack(d, ev->node, dir, (u8)ev->pkt);
		break;
	case TORUS_LINK_TIMER:
		on_timer(d, ev->node, dir);
		break;
	case TORUS_LINK_SENT:
		torus_link_at(d, ev->node, dir)->busy = false;
		torus_link_offer(d, ev->node, dir);
		break;
	case TORUS_LINK_TAIL:
		on_tail(d, ev);
		break;
	case TORUS_LINK_TOKEN:
		on_token_again(d, ev);
		break;
	}
}

/* ------------------------------------------------------------------ faults */

/**
 * torus_link_wake() - a link's state may have changed
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 *
 * What waits for that is told: lost tokens, and a sender that is parked.
 */
void torus_link_wake(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 vc;

	if (torus_link_down(l))
		return;
	/* a parked link wakes when its state changes */
	for (vc = 0; vc < d->f->vcs; vc++) {
		if (l->lost[vc])
			token_now(d, node, dir, vc, l->lost[vc]);
		d->tokens_waiting -= l->lost[vc];
		l->lost[vc] = 0;
	}
	/* the last time-out of a link that is up again must not park it */
	l->retries = 0;
	l->token_retries = 0;
	if (!l->parked || !TORUS_RULE(link_wakes))
		return;
	l->parked = false;
	d->links_parked--;
	if (l->head == TORUS_NONE) {
		torus_link_offer(d, node, dir);
		return;
	}
	arm_timer(d, node, dir, d->now + patience(d, node, dir));
	start_resend(d, node, dir);
}

/**
 * torus_link_restart() - a sender begins anew with what it holds
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 *
 * Sequence numbers stay: a receiver that has a packet already says so again.
 */
void torus_link_restart(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (l->parked) {
		torus_link_wake(d, node, dir);
		return;
	}
	l->retries = 0;
	if (l->head != TORUS_NONE && !l->no_resend)
		start_resend(d, node, dir);
}

/**
 * torus_link_hush() - let time-outs pass by, or let them act again
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 * @hush: which of the two
 */
void torus_link_hush(struct torus_domain *d, u32 node, u32 dir, bool hush)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->no_resend = hush;
	if (hush)
		l->resend = TORUS_NONE;	/* the next time-out that acts begins anew */
	else if (l->head != TORUS_NONE)
		arm_timer(d, node, dir, d->now + patience(d, node, dir));
}

/**
 * torus_link_apply() - a fault takes effect on one link, or ends
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 * @fault: the fault
 * @undo: state, rate and delay return to what they were
 * @lasting: it is for good
 */
void torus_link_apply(struct torus_domain *d, u32 node, u32 dir, const struct torus_fault *fault,
		      bool undo, bool lasting)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (fault->what & TORUS_FAULT_STATE)
		l->down = undo ? l->base_down : !fault->state;
	if (fault->what & TORUS_FAULT_BER) {
		l->ber = undo ? l->base_ber : fault->ber;
		l->error_in = error_gap(l);
	}
	if (fault->what & TORUS_FAULT_DELAY)
		l->delay = undo ? l->base_delay : fault->delay;
	if (lasting && fault->what & TORUS_FAULT_STATE)
		l->base_down = l->down;
	if (lasting && fault->what & TORUS_FAULT_BER)
		l->base_ber = l->ber;
	if (lasting && fault->what & TORUS_FAULT_DELAY)
		l->base_delay = l->delay;
	if (!undo) {
		if (fault->what & TORUS_FAULT_CORRUPT)
			l->corrupt = fault->corrupt;
		if (fault->what & TORUS_FAULT_ESCAPE)
			l->escape = fault->escape;
		if (fault->what & TORUS_FAULT_DROP_ACK)
			l->drop_ack = fault->drop_ack;
		if (fault->what & TORUS_FAULT_CORRUPT_ACK)
			l->corrupt_ack = fault->corrupt_ack;
	}
	torus_link_wake(d, node, dir);
}

/**
 * torus_link_apply_receiver() - the part of a fault that is the receiver's
 * @d: the receiver's domain
 * @node: the receiver
 * @dir: direction in which its packets travel; the link is live
 * @fault: the fault
 */
void torus_link_apply_receiver(struct torus_domain *d, u32 node, u32 dir,
			       const struct torus_fault *fault)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (fault->what & TORUS_FAULT_ECC_SINGLE)
		l->ecc_single = fault->ecc_single;
	if (fault->what & TORUS_FAULT_ECC_DOUBLE)
		l->ecc_double = fault->ecc_double;
	if (fault->what & TORUS_FAULT_PARITY)
		l->parity = fault->parity;
}
