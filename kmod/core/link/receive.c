// SPDX-License-Identifier: GPL-2.0
/* The receiver's half of a live link; link.h describes the protocol as a whole. */
#include "core/link/corruption.h"
#include "core/link/receive.h"
#include "core/state/interrupt.h"
#include "core/link/internal.h"

/*
 * Apply an injected SRAM error to an accepted packet that is read from the VC buffer. One wrong
 * bit is corrected. Two wrong bits, or a parity error in the data latch, are detected but not
 * correctable: the packet is discarded, and its buffer space becomes free. Return true if the
 * packet was discarded.
 */
static bool link_sram_error(struct torus_domain *d, struct torus_link *l, u32 node, u32 dir,
			    u32 pkt)
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
	d->f->router->freed(d, node, p->slot, d->f->router->tokens(d->f, p, vc));
	torus_stats_drop(d, node, pkt, TORUS_DROP_ECC);
	return true;
}

/**
 * torus_link_acknowledge() - acknowledge all packets that have been accepted
 * @d: the receiver's domain
 * @node: the receiver
 * @dir: direction in which the packets travelled
 * @at: tick at which the sender receives the acknowledgement
 */
void torus_link_acknowledge(struct torus_domain *d, u32 node, u32 dir, u64 at)
{
	u32 from = torus_link_from(d->f, node, dir);

	torus_send_event(d, at, (struct torus_event){
		.kind = TORUS_EV_LINK_ACK, .node = from, .dir = (u8)dir,
		.seq = torus_link_at(d, node, dir)->expected - 1,
	});
}

/*
 * Acknowledge all accepted packets. @tail: tick at which the last byte of the newest packet
 * arrives.
 */
static void link_receive_acknowledge(struct torus_domain *d, u32 node, u32 dir, u64 tail)
{
	struct torus_link_timing t;

	/* acknowledgements travel on the same cable, in the opposite direction */
	d->f->arch->timing(d->f, node, TORUS_REVERSE(dir), &t);
	if (d->f->control_ticks)
		d->f->router->acknowledge(d, node, dir, tail);
	else
		torus_link_acknowledge(d, node, dir, tail + t.ack_delay);
}

/*
 * Send a nack for a discarded packet whose last byte arrives at @tail. The nack requests the packet
 * that was expected. Only go-back-N links have nacks.
 */
static void link_receive_nack(struct torus_domain *d, u32 node, u32 dir, u64 tail)
{
	struct torus_link_timing t;

	d->f->arch->timing(d->f, node, TORUS_REVERSE(dir), &t);
	if (!t.nack)
		return;
	torus_send_event(d, tail + t.ack_delay, (struct torus_event){
		.kind = TORUS_EV_LINK_NACK, .node = torus_link_from(d->f, node, dir),
		.dir = (u8)dir, .seq = torus_link_at(d, node, dir)->expected,
	});
}

/* Check that no packet is being sent on a live link. */
bool torus_link_idle(struct torus_domain *d, u32 node, u32 dir)
{
	return !torus_link_at(d, node, dir)->busy;
}

/* Mark a live link as busy with a control packet, until torus_link_tx_done(). */
void torus_link_occupy(struct torus_domain *d, u32 node, u32 dir)
{
	torus_link_at(d, node, dir)->busy = true;
}

/**
 * torus_link_receive() - handle a header that has arrived over a live link
 * @d: the receiver's domain
 * @node: the receiver
 * @dir: direction in which the packet travelled
 * @pkt: the copy
 *
 * Bit errors of the copy are marked in its flags: link_check_crcs() has checked the CRCs when the
 * copy was sent.
 *
 * Return: true if the packet goes into its buffer; false if it has been freed.
 */
bool torus_link_receive(struct torus_domain *d, u32 node, u32 dir, u32 pkt)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_packet *p = torus_packet_at(d, pkt);
	u64 tail = d->now + torus_link_wire_ticks(d->f, p);

	if (l->deaf) {
		torus_packet_free(d, pkt);
		return false;
	}
	if (p->flags & TORUS_PACKET_BAD_HEADER) {
		l->crc_header_errors++;
		torus_error_raise(d->f, node, TORUS_ERROR_INPUT, dir, 0);
		torus_trace(d, TORUS_TRACE_ERROR, node, dir, 0, p);
		link_receive_nack(d, node, dir, tail);
		torus_packet_free(d, pkt);
		return false;
	}
	if (p->link_seq != l->expected) {
		l->sequence_errors++;
		/* the packet was accepted earlier: its acknowledgement was lost or is late */
		if (torus_link_before(p->link_seq, l->expected) &&
		    !(p->flags & TORUS_PACKET_DAMAGED))
			link_receive_acknowledge(d, node, dir, tail);
		else
			link_receive_nack(d, node, dir, tail);
		torus_packet_free(d, pkt);
		return false;
	}
	if (p->flags & TORUS_PACKET_DAMAGED) {
		/*
		 * The receiver learns of the error only at the tail. Until then, the damaged packet
		 * may be forwarded.
		 */
		l->crc_packet_errors++;
		torus_error_raise(d->f, node, TORUS_ERROR_INPUT, dir, 0);
		torus_trace(d, TORUS_TRACE_ERROR, node, dir, 0, p);
		p->flags = (u8)((p->flags & ~TORUS_PACKET_DAMAGED) |
				TORUS_PACKET_INVALID | TORUS_PACKET_NOTOKEN);
		link_receive_nack(d, node, dir, tail);
	} else {
		l->expected++;
		torus_trace(d, TORUS_TRACE_ACCEPT, node, dir, 0, p);
		link_receive_acknowledge(d, node, dir, tail);
		if (p->body != TORUS_NONE || d->f->crc_full)
			torus_link_crc(d, node, dir, pkt, true);
		if (torus_unlikely(l->ecc_single | l->ecc_double | l->parity) &&
		    !(p->flags & TORUS_PACKET_INVALID) && link_sram_error(d, l, node, dir, pkt))
			return false;
	}
	if (p->flags & TORUS_PACKET_INVALID)
		torus_link_arrive(d, node, p->slot, pkt, dir);
	return true;
}

/**
 * torus_link_arrive() - handle an arrived packet that is invalid or that link CRCs include
 * @d: the receiver's domain
 * @node: the receiver
 * @slot: buffer into which it goes
 * @pkt: the packet
 * @dir: direction in which it travelled
 *
 * For an INVALID packet, schedule an event at its tail that discards the packet if it is still
 * here. Include any other packet in the link CRC.
 */
void torus_link_arrive(struct torus_domain *d, u32 node, u32 slot, u32 pkt, u32 dir)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	u64 tail = d->now + torus_link_wire_ticks(d->f, p);

	if (!(p->flags & TORUS_PACKET_INVALID)) {
		torus_link_crc(d, node, dir, pkt, true);
		return;
	}
	p->tail_at = (u32)tail;
	torus_wheel_push(&d->wheel, tail, (struct torus_event){
		.kind = TORUS_EV_LINK_TAIL, .node = node, .dir = (u8)dir, .queue = (u8)slot,
		.pkt = pkt,
	});
}

void torus_link_on_tail(struct torus_domain *d, const struct torus_event *ev)
{
	if (d->f->router->discard(d, ev->node, ev->queue) && d->links)
		torus_link_at(d, ev->node, ev->dir)->invalid++;
}
