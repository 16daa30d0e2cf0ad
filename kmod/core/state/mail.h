/* SPDX-License-Identifier: GPL-2.0 */
/* Mail: events, and packets as plain values, between domains. */
#ifndef TORUS_CORE_MAIL_H
#define TORUS_CORE_MAIL_H

#include "core/state/domain.h"

/* An event for a node of another domain. */
struct torus_mail {
	u64 at;
	struct torus_event ev;
};

/**
 * struct torus_mailbox - mail of a thread's domains for one domain, in one window
 * @mail: events
 * @packets: packets of the events whose kind has one, in the same order
 * @bodies: sender and bytes of each packet that has a body, in the same order
 *
 * There are two sets of mailboxes: senders fill one while receivers drain the other.
 */
struct torus_mailbox {
	struct torus_mail *mail;
	struct torus_packet *packets;
	u8 *bodies;
	u32 mails, mail_cap;
	u32 npackets, packet_cap;
	u32 nbodies, body_cap;
};

void torus_mail_event(struct torus_domain *d, u64 at, const struct torus_event *ev);
void torus_mail_packet(struct torus_domain *d, u64 at, const struct torus_event *ev);
void torus_mail_collect(struct torus_domain *d, u32 parity);
bool torus_mail_reserve(struct torus_mailbox *box, u32 mails, u32 packets, u32 bodies, u32 stride);
/* Prefetch the mail of parity @parity that a domain will collect. */
torus_inline void torus_mail_fetch(const struct torus_domain *d, u32 parity)
{
	u64 from;

	for (from = d->from; from; from &= from - 1) {
		const struct torus_mailbox *box =
			&d->f->domain[torus_ctz(from)].outbox[parity][d->index];

		torus_prefetch(box->mail);
		torus_prefetch(box->packets);
	}
}

void torus_mail_threads(struct torus_fabric *f, u32 threads);

/* Schedule an event without a packet, for a node of any domain. */
torus_inline void torus_send_event(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push(&d->wheel, at, ev);
	else
		torus_mail_event(d, at, &ev);
}

/* Return tokens to a sender in any domain. */
torus_inline void torus_send_token(struct torus_domain *d, u64 at, struct torus_short token)
{
	if (torus_likely(torus_domain_has(d, token.node))) {
		torus_wheel_push_short(&d->wheel, TORUS_LANE_TOKEN, at, token);
	} else {
		struct torus_event ev = torus_short_event(TORUS_LANE_TOKEN, &token);

		ev.lane = TORUS_LANE_TOKEN;
		torus_mail_event(d, at, &ev);
	}
}

torus_inline void torus_send_head(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node))) {
		torus_wheel_push_whole(&d->wheel, TORUS_LANE_HEAD, at, ev);
	} else {
		/*
		 * pass a copy: if the address of @ev were taken, the compiler would keep @ev in
		 * memory, also for local events
		 */
		struct torus_event mail = ev;

		mail.lane = TORUS_LANE_HEAD;
		torus_mail_packet(d, at, &mail);
	}
}

/* Schedule an event with its packet, for a node of any domain, which then owns the packet. */
torus_inline void torus_send_packet(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push(&d->wheel, at, ev);
	else
		torus_mail_packet(d, at, &ev);
}

#endif /* TORUS_CORE_MAIL_H */
