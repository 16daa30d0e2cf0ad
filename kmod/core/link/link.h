/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links: sequence numbers, acknowledgements, the resend FIFO, time-outs, CRCs,
 * and what faults do to all of them.  (Adiga et al. (2005), Introduction: "a robust
 * error-recovery mechanism that involves an acknowledgment and retransmission
 * protocol".)
 *
 * Where nothing can have touched a packet the protocol has no effect that could
 * be seen: every packet is accepted at once and acknowledged before the resend
 * FIFO can fill.  So a link without faults is not simulated here at all; the
 * router sends the header and the end of the transfer as two events, and
 * sequence numbers and acknowledgements are read off its packet counters.  A
 * link becomes live when a fault is set on it or one of its switches is used
 * (control.c), and stays so until the fabric is reset.
 *
 * A live link, from sender A to receiver B:
 *
 *   torus_link_send     A: the packet is kept in the resend FIFO, a copy
 *                       travels; damage is drawn, applied to the bytes, and
 *                       looked for by CRC-8 and CRC-24 as B will
 *   torus_link_receive  B: sequence number and header CRC; accepts, discards,
 *                       or lets a packet go through whose tail will be bad
 *   EV_LINK_TAIL        B: the tail of such a packet: discarded if it is still
 *                       here, else its valid byte goes off behind it
 *   EV_LINK_ACK         A: everything up to a sequence number has arrived
 *   EV_LINK_NACK        A: go-back-N (struct torus_link_timing): a packet has not arrived as
 *                       it should; it and all behind it are sent again at once
 *   EV_LINK_TIMER       A: the oldest packet was not acknowledged in time: all
 *                       that is unacknowledged is sent again, in order
 *   EV_LINK_SENT        A: one of those has been sent
 *   EV_LINK_TOKEN       A: tokens whose message was lost are told again
 */
#ifndef TORUS_CORE_LINK_H
#define TORUS_CORE_LINK_H

#include "core/env.h"
#include "core/base/crc.h"
#include "core/state/domain.h"
#include "core/state/mail.h"
#include "core/state/packets.h"
#include "core/state/trace.h"

/**
 * struct torus_link - at (node, direction): the sender's half of the live link
 *                     that leaves there, and the receiver's half of the one that
 *                     arrives there travelling in that direction
 */
struct torus_link {
	/* sender */
	u64 rng;
	u64 ber;		/* units of 2^-64 */
	u64 error_in;		/* bits until the next bit error */
	u64 delay;		/* extra ticks */
	u64 deadline;		/* of the oldest unacknowledged packet */
	u64 resent_at;		/* tick when the oldest packet was last sent again, ~0: will be */
	u64 base_ber;		/* what a fault `for` a while returns to */
	u64 base_delay;
	u32 head;		/* resend FIFO */
	u32 tail;
	u32 resend;		/* next to be sent again, TORUS_NONE */
	u32 bytes;		/* held in the resend FIFO */
	u32 corrupt;
	u32 escape;
	u32 drop_ack;
	u32 corrupt_ack;
	u32 drop_nack;
	u32 retries;		/* time-outs and nacks since a packet was acknowledged */
	u32 token_retries;	/* token messages lost in a row */
	u32 next_seq;
	u32 lost_seq;		/* of the last one lost */
	u16 lost[TORUS_VCS_MAX];	/* tokens told by nobody until the link's state changes */
	bool live;
	bool down;
	bool base_down;
	bool busy;		/* a transmission occupies the link */
	bool timer;		/* a timer event is pending */
	bool parked;
	bool behind_loss;		/* behind a lost packet: discarded until that comes again */
	bool disabled;		/* no new packet may start */
	bool dead;		/* disabled, and what comes for it is dropped */
	bool no_resend;		/* time-outs pass by */
	bool cut;		/* the peer is in loopback and hears only itself */
	/* counters, sender */
	u64 resends;
	u64 acks;
	u64 nacks;
	u64 ack_errors;
	u64 timeouts;
	u64 escapes;
	u64 resend_ticks;
	/* receiver */
	u32 expected torus_align;
	bool deaf;		/* takes nothing, acknowledges nothing */
	u32 ecc_single;		/* packets still to be read with such an error */
	u32 ecc_double;
	u32 parity;
	u64 crc_header_errors;
	u64 crc_packet_errors;
	u64 sequence_errors;
	u64 invalid;
} torus_align;

/*
 * Counters that have the same name in struct torus_link_counters, and OTHER ones, in the order in
 * which a state has them.
 */
#define TORUS_LINK_SENDER_COUNTERS(X, OTHER)						\
	X(resends), X(acks), OTHER(nacks), X(ack_errors), X(timeouts), X(escapes)
#define TORUS_LINK_RECEIVER_COUNTERS(X)							\
	X(crc_header_errors), X(crc_packet_errors), X(sequence_errors), X(invalid)

struct torus_snapshot;
struct torus_fault;

/* An event of a live link, and its place in the order of its tick: by @key, then by @detail. */
struct torus_later {
	u64 key;
	u64 detail;
	struct torus_event ev;
};

torus_inline struct torus_link *torus_link_at(struct torus_domain *d, u32 node, u32 dir)
{
	return &d->links[(size_t)node * d->f->dirs + dir];
}

/* The node that a sender feeds: itself in loopback; TORUS_NONE where there is no link. */
torus_inline u32 torus_link_peer(const struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);

	return torus_unlikely(f->loopback && f->loopback[node]) && peer != TORUS_NONE ? node :
										       peer;
}

/* The sender that feeds the receiver of what travels in direction @dir. */
torus_inline u32 torus_link_from(const struct torus_fabric *f, u32 node, u32 dir)
{
	if (torus_unlikely(f->loopback && f->loopback[node]))
		return torus_link_peer(f, node, dir);
	return torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
}

torus_inline bool torus_link_down(const struct torus_link *l)
{
	return l->down || l->cut;
}

/* Link timing that machines share, from their parameters. */
struct torus_link_timing {
	u32 latency;		/* from the first byte sent to the header routable */
	u32 ack_delay;		/* from the last byte to the acknowledgement or token */
	u32 timeout;		/* ticks without acknowledgement */
	u32 window_bytes;	/* resend FIFO */
	u32 retries;		/* of these in a row, after which the link is parked */
	bool nack;		/* go-back-N: the receiver asks for what did not come */
};

void torus_links_free(struct torus_fabric *f);
int torus_links_live(struct torus_fabric *f, struct torus_error *err);
int torus_link_live(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err);
void torus_link_update_ready(struct torus_domain *d, u32 node, u32 dir);
/* Has a node failed, with what it held? */
torus_inline bool torus_node_failed(const struct torus_fabric *f, u32 node)
{
	return f->dead && f->dead[node] == TORUS_NODE_FAILED;
}

/* Is a link's sender off because a node at either end is dead? */
torus_inline bool torus_link_severed(const struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer;

	if (torus_likely(!f->dead))
		return false;
	peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	return f->dead[node] || (peer != TORUS_NONE && f->dead[peer]);
}

/* May a link's sender start no packet, as somebody has set it or because a node is dead? */
torus_inline bool torus_link_off(const struct torus_fabric *f, const struct torus_link *l,
				 u32 node, u32 dir)
{
	return l->disabled || torus_link_severed(f, node, dir);
}

void torus_link_send(struct torus_domain *d, u32 node, u32 dir, u32 slot, u32 peer, u32 pkt);
bool torus_link_tx_done(struct torus_domain *d, u32 node, u32 dir);
bool torus_link_token(struct torus_domain *d, const struct torus_event *ev);
void torus_link_event(struct torus_domain *d, const struct torus_event *ev);

/**
 * torus_link_packets() - packets that a link has started, first transmissions
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 *
 * Return: the count, modulo 2^32: the next sequence number of a link that is not live.
 */
torus_inline u32 torus_link_packets(struct torus_domain *d, u32 node, u32 dir)
{
	const u32 *hot = d->hot + ((size_t)node * d->f->dirs + dir) * d->f->hot_stride;
	size_t i = (size_t)torus_domain_local(d, node) * d->f->dirs + dir;
	u32 vc, sum = 0;

	for (vc = 0; vc < d->f->vcs; vc++) {
		sum += hot[vc];
		if (d->folded)
			sum += (u32)d->folded[i * d->f->fold_stride + vc];
	}
	return sum;
}

struct torus_check;

/* Bytes of all links' CRCs, a sender's and a receiver's each. */
torus_inline size_t torus_link_crcs_bytes(const struct torus_fabric *f)
{
	return (size_t)f->nodes * f->dirs * 2 * sizeof(*f->link_crc);
}

struct torus_domain;

u64 torus_link_timeout(struct torus_domain *d, u32 node, u32 dir);
void torus_link_arm_timer(struct torus_domain *d, u32 node, u32 dir, u64 deadline);
void torus_link_start_resend(struct torus_domain *d, u32 node, u32 dir);
void torus_link_token_now(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens);

#endif
