// SPDX-License-Identifier: GPL-2.0
/*
 * Live links on their way into a file or out of one.  Which links are live is not state: faults
 * make them so, which are set before the state is read.
 */
#include "core/link/fault.h"
#include "core/link/parts.h"
#include "core/state/carried.h"

/* Members of one byte each that are read as they were written must be 0 or 1. */
static void link_carry_flags(struct torus_carrier *c, struct torus_link *l)
{
	bool *const flags[] = {
		&l->down, &l->base_down, &l->busy, &l->timer, &l->parked, &l->behind_loss,
		&l->disabled, &l->dead, &l->no_resend, &l->cut, &l->deaf,
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		torus_carry_flag(c, flags[i]);
}

static void link_carry_sender(struct torus_carrier *c, struct torus_link *l)
{
	TORUS_CARRY(c, l->rng);
	TORUS_CARRY(c, l->ber);
	TORUS_CARRY(c, l->error_in);
	TORUS_CARRY(c, l->delay);
	TORUS_CARRY(c, l->deadline);
	TORUS_CARRY(c, l->resent_at);
	TORUS_CARRY(c, l->base_ber);
	TORUS_CARRY(c, l->base_delay);
	TORUS_CARRY(c, l->bytes);
	TORUS_CARRY(c, l->corrupt);
	TORUS_CARRY(c, l->escape);
	TORUS_CARRY(c, l->drop_ack);
	TORUS_CARRY(c, l->corrupt_ack);
	TORUS_CARRY(c, l->drop_nack);
	TORUS_CARRY(c, l->retries);
	TORUS_CARRY(c, l->token_retries);
	TORUS_CARRY(c, l->lost);
	TORUS_CARRY(c, l->next_seq);
	TORUS_CARRY(c, l->lost_seq);
	TORUS_CARRY(c, l->resends);
	TORUS_CARRY(c, l->acks);
	TORUS_CARRY(c, l->nacks);
	TORUS_CARRY(c, l->ack_errors);
	TORUS_CARRY(c, l->timeouts);
	TORUS_CARRY(c, l->escapes);
	TORUS_CARRY(c, l->resend_ticks);
	torus_carrier_check(c, l->rng || !l->live, "a link's random stream", l->rng);
	torus_carrier_check(c, l->delay <= TORUS_DELAY_MAX && l->base_delay <= TORUS_DELAY_MAX,
			    "a link's delay", l->delay);
}

static void link_carry_receiver(struct torus_carrier *c, struct torus_link *l)
{
	TORUS_CARRY(c, l->expected);
	TORUS_CARRY(c, l->ecc_single);
	TORUS_CARRY(c, l->ecc_double);
	TORUS_CARRY(c, l->parity);
	TORUS_CARRY(c, l->crc_header_errors);
	TORUS_CARRY(c, l->crc_packet_errors);
	TORUS_CARRY(c, l->sequence_errors);
	TORUS_CARRY(c, l->invalid);
}

/* The resend FIFO, and the place in it of the packet that is sent again next. */
static void link_carry_packets(struct torus_carrier *c, struct torus_domain *d, u32 node, u32 dir,
			       struct torus_link *l)
{
	u32 place = TORUS_NONE, i = 0, pkt;

	torus_carry_packets(c, d, node, &l->head, &l->tail);
	for (pkt = l->head; !c->reading && pkt != TORUS_NONE; i++) {
		place = pkt == l->resend ? i : place;
		pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
	}
	TORUS_CARRY(c, place);
	if (!c->reading || !torus_carrier_works(c))
		return;
	l->resend = TORUS_NONE;
	for (i = 0, pkt = l->head; pkt != TORUS_NONE; i++) {
		l->resend = i == place ? pkt : l->resend;
		/* the buffer at the other end */
		torus_carrier_check(c, torus_packet_at(d, pkt)->slot / d->f->vcs == dir,
				    "a packet's buffer", torus_packet_at(d, pkt)->slot);
		pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
	}
	torus_carrier_check(c, (place == TORUS_NONE) == (l->resend == TORUS_NONE),
			    "the place of a packet", place);
}

/**
 * torus_link_carry() - carry a live link's sender, and the receiver of what travels its way
 * @c: the carrier
 * @d: the domain of a fabric with live links
 * @node: the node of both
 * @dir: the direction
 */
void torus_link_carry(struct torus_carrier *c, struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 vc;

	link_carry_flags(c, l);
	link_carry_sender(c, l);
	link_carry_receiver(c, l);
	if (l->live)
		link_carry_packets(c, d, node, dir, l);
	if (!c->reading)
		return;
	torus_carrier_check(c, l->live || !l->parked, "a parked link in direction", dir);
	d->links_parked += l->parked;
	for (vc = 0; vc < TORUS_VCS_MAX; vc++) {
		torus_carrier_check(c, !l->lost[vc] || (l->live && vc < d->f->vcs),
				    "lost tokens", l->lost[vc]);
		d->tokens_waiting += l->lost[vc];
	}
}
