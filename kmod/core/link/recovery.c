// SPDX-License-Identifier: GPL-2.0
/* Effects of a fault on a live link, and the wake-up of a parked link. */
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/link/internal.h"
#include "core/link/fault.h"
#include "core/link/recovery.h"

/**
 * torus_link_wake() - resume a link whose state may have changed
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 *
 * If the link is up, sends lost tokens again and restarts a parked sender.
 */
void torus_link_wake(struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 vc;

	if (torus_link_down(l))
		return;
	/* send the tokens of lost messages again */
	for (vc = 0; vc < d->f->vcs; vc++) {
		if (l->lost[vc])
			torus_link_token_now(d, node, dir, vc, l->lost[vc]);
		d->tokens_waiting -= l->lost[vc];
		l->lost[vc] = 0;
	}
	/* after the repair, the next time-out must not park the link */
	l->retries = 0;
	l->token_retries = 0;
	if (!l->parked)
		return;
	l->parked = false;
	d->links_parked--;
	/*
	 * With no_resend set, nothing is retransmitted now. torus_link_hold_resend() starts the
	 * time-out when retransmission is enabled.
	 */
	if (l->head == TORUS_NONE || l->no_resend) {
		torus_link_update_ready(d, node, dir);
		return;
	}
	torus_link_arm_timer(d, node, dir, d->now + torus_link_timeout(d, node, dir));
	torus_link_start_resend(d, node, dir);
}

/**
 * torus_link_restart() - retransmit all packets of the resend FIFO
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 *
 * Sequence numbers stay: the receiver acknowledges packets that it has already accepted. Nothing is
 * retransmitted while retransmissions are disabled, or if the sender is parked and its link down.
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
		torus_link_start_resend(d, node, dir);
}

/**
 * torus_link_hold_resend() - disable or enable a sender's retransmissions
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 * @hold: true: time-outs and nacks cause no retransmission; false: they do again
 */
void torus_link_hold_resend(struct torus_domain *d, u32 node, u32 dir, bool hold)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	l->no_resend = hold;
	if (hold)
		/* after time-outs are enabled, retransmission starts with the oldest packet */
		l->resend = TORUS_NONE;
	else if (l->head != TORUS_NONE)
		torus_link_arm_timer(d, node, dir, d->now + torus_link_timeout(d, node, dir));
}

/**
 * torus_link_apply() - begin or end a fault on one link
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction; the link is live
 * @fault: the fault
 * @undo: true: the fault ends; the state, rate and delay that it set return to permanent values
 * @lasting: true: the fault is permanent
 */
void torus_link_apply(struct torus_domain *d, u32 node, u32 dir, const struct torus_fault *fault,
		      bool undo, bool lasting)
{
	struct torus_link *l = torus_link_at(d, node, dir);

	if (fault->what & TORUS_FAULT_STATE)
		l->down = undo ? l->base_down : !fault->state;
	if (fault->what & TORUS_FAULT_BER) {
		l->ber = undo ? l->base_ber : fault->ber;
		l->error_in = torus_link_error_gap(l);
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
		if (fault->what & TORUS_FAULT_DROP_NACK)
			l->drop_nack = fault->drop_nack;
	}
	torus_link_wake(d, node, dir);
}

/**
 * torus_link_apply_receiver() - apply the receiver's part of a fault
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
