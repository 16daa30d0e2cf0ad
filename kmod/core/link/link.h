/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links: sequence numbers, acknowledgements, the resend FIFO, time-outs, CRCs, and the effects of
 * faults. (Adiga et al. (2005), Introduction: "a robust error-recovery mechanism that involves an
 * acknowledgment and retransmission protocol".)
 *
 * Without faults, the protocol has no visible effect: each packet is accepted at once, and
 * acknowledged before the resend FIFO can be full. A link without faults is therefore not
 * simulated here. The router sends header and end of the transfer as two events, and sequence
 * numbers and acknowledgements are derived from its packet counters. A link becomes live when a
 * fault is set on it, one of its switches is used (control.c), or a node at one of its ends dies or
 * is put in loopback; it stays live until the fabric is reset.
 *
 * A live link, from sender A to receiver B:
 *
 *   torus_link_send     A: keep the packet in the resend FIFO and transmit a copy; draw
 *                       damage and apply it to the bytes (torus_link_corrupt()); check the
 *                       CRCs of these bytes for B, and mark the copy with the result
 *                       (link_check_crcs() in corruption.c)
 *   torus_link_receive  B: check the sequence number and A's marks; accept or discard the
 *                       copy, or let a copy continue whose tail will be bad
 *   EV_LINK_TAIL        B: the tail of such a packet: discard the packet if it is still
 *                       here, else clear the valid byte at its end
 *   EV_LINK_ACK         A: all packets up to a sequence number have arrived
 *   EV_LINK_NACK        A: go-back-N (struct torus_link_timing): a packet did not arrive
 *                       intact; retransmit it and all later ones at once
 *   EV_LINK_TIMER       A: the oldest packet was not acknowledged in time: retransmit all
 *                       unacknowledged packets, in order
 *   EV_LINK_SENT        A: one retransmission has ended
 *   EV_LINK_TOKEN       A: tokens whose message was lost are sent again
 */
#ifndef TORUS_CORE_LINK_H
#define TORUS_CORE_LINK_H

#include "core/platform.h"
#include "core/base/crc.h"
#include "core/state/domain.h"
#include "core/state/mail.h"
#include "core/state/packets.h"
#include "core/state/trace.h"

/**
 * struct torus_link - state of live links at (node, direction)
 *
 * The sender's fields belong to the link that leaves the node in that direction. The receiver's
 * fields belong to the link whose packets arrive at the node, travelling in that direction.
 */
struct torus_link {
	/* the sender's fields */
	u64 rng;
	u64 ber;		/* in units of 2^-64 */
	u64 error_in;		/* bits until the next bit error; ~0: none */
	u64 delay;		/* injected extra ticks */
	u64 deadline;		/* time-out tick of the oldest unacknowledged packet */
	/* start of the resend FIFO's last retransmission; ~0: has not started yet; 0: none */
	u64 resent_at;
	u64 base_ber;		/* value of @ber after a fault of limited duration */
	u64 base_delay;
	u32 head;		/* oldest packet in the resend FIFO */
	u32 tail;
	u32 resend;		/* next packet to retransmit, or TORUS_NONE */
	u32 bytes;		/* bytes in the resend FIFO */
	u32 corrupt;
	u32 escape;
	u32 drop_ack;
	u32 corrupt_ack;
	u32 drop_nack;
	u32 retries;		/* time-outs and nacks without progress */
	u32 token_retries;	/* token messages lost in a row */
	u32 next_seq;
	u32 lost_seq;		/* sequence number of the last packet lost */
	/* tokens in lost messages, not repeated until the link's state changes */
	u16 lost[TORUS_VCS_MAX];
	bool live;
	bool down;
	bool base_down;
	bool busy;		/* a transmission occupies the link */
	bool timer;		/* a timer event is pending */
	bool parked;
	/* a packet was lost: the receiver discards later ones until its retransmission */
	bool behind_loss;
	bool disabled;		/* the sender starts no packet */
	bool dead;		/* disabled, and packets for the link are dropped */
	bool no_resend;		/* time-outs and nacks cause no retransmission */
	bool cut;		/* the peer is in loopback and receives only from itself */
	/* the sender's counters */
	u64 resends;
	u64 acks;
	u64 nacks;
	u64 ack_errors;
	u64 timeouts;
	u64 escapes;
	u64 resend_ticks;
	/* the receiver's fields */
	u32 expected torus_align;
	bool deaf;		/* the receiver accepts and acknowledges no packet */
	u32 ecc_single;		/* number of later packets that get this error */
	u32 ecc_double;
	u32 parity;
	u64 crc_header_errors;
	u64 crc_packet_errors;
	u64 sequence_errors;
	u64 invalid;
} torus_align;

/*
 * Lists of the counters in the order of a snapshot. X: struct torus_link_counters has a counter of
 * the same name. OTHER: it does not.
 */
#define TORUS_LINK_SENDER_COUNTERS(X, OTHER)						\
	X(resends), X(acks), OTHER(nacks), X(ack_errors), X(timeouts), X(escapes)
#define TORUS_LINK_RECEIVER_COUNTERS(X)							\
	X(crc_header_errors), X(crc_packet_errors), X(sequence_errors), X(invalid)

struct torus_snapshot;
struct torus_fault;

/* An event of a live link, collected to be sorted: by @key, then by @detail. */
struct torus_later {
	u64 key;
	u64 detail;
	struct torus_event ev;
};

torus_inline struct torus_link *torus_link_at(struct torus_domain *d, u32 node, u32 dir)
{
	return &d->links[(size_t)node * d->f->dirs + dir];
}

/*
 * Return the node that receives from @node's sender: in loopback @node itself, TORUS_NONE without a
 * link.
 */
torus_inline u32 torus_link_peer(const struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);

	return torus_unlikely(f->loopback && f->loopback[node]) && peer != TORUS_NONE ? node :
										       peer;
}

/* Return the node whose sender feeds @node's receiver of packets that travel in direction @dir. */
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

/* Link timing from a machine's parameters, in ticks unless noted. */
struct torus_link_timing {
	u32 latency;		/* from sending the first byte until the header can be routed */
	/* from the last byte received until the sender has the acknowledgement or token */
	u32 ack_delay;
	/* from sending the last byte to retransmission, if no acknowledgement arrives */
	u32 timeout;
	u32 window_bytes;	/* bytes of the resend FIFO */
	/* maximum number of time-outs and nacks in a row; the next parks the link */
	u32 retries;
	bool nack;		/* go-back-N: the receiver requests packets that did not arrive */
};

void torus_links_free(struct torus_fabric *f);
int torus_links_live(struct torus_fabric *f, struct torus_error *err);
int torus_link_live(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err);
void torus_link_update_ready(struct torus_domain *d, u32 node, u32 dir);
/* Check whether a node has failed; a failed node loses the packets in it. */
torus_inline bool torus_node_failed(const struct torus_fabric *f, u32 node)
{
	return f->dead && f->dead[node] == TORUS_NODE_FAILED;
}

/* Check whether a link's sender is off because a node at either end is dead. */
torus_inline bool torus_link_severed(const struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer;

	if (torus_likely(!f->dead))
		return false;
	peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	return f->dead[node] || (peer != TORUS_NONE && f->dead[peer]);
}

/* Check whether a link's sender may start no packet: it is disabled, or a node is dead. */
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
 * torus_link_packets() - count the packets that a link has started, without retransmissions
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 *
 * The count begins at the last reset of the fabric or of its counters.
 *
 * Return: the count modulo 2^32, which is the next sequence number of a link that is not live.
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

/*
 * Return the size in bytes of the array of link CRCs: one CRC for each sender, one for each
 * receiver.
 */
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
