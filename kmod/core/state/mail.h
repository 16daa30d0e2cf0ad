/* SPDX-License-Identifier: GPL-2.0 */
/* What domains send each other: events, and packets as plain values. */
#ifndef TORUS_CORE_MAIL_H
#define TORUS_CORE_MAIL_H

#include "core/state/domain.h"

/* An event for a node of another domain. */
struct torus_mail {
	u64 at;
	struct torus_event ev;
};

/**
 * struct torus_mailbox - what the domains of a thread send another in one window
 * @mail: events
 * @packets: for each event whose kind carries a packet, the packet, in order
 * @bodies: for each of those with a body, who sent it and its bytes, in order
 *
 * Two of each, used in turns: one is filled while the other is emptied.
 */
struct torus_mailbox {
	struct torus_mail *mail;
	struct torus_packet *packets;
	u8 *bodies;
	u32 mails, mail_room;
	u32 npackets, packet_room;
	u32 nbodies, body_room;
};

void torus_mail_event(struct torus_domain *d, u64 at, const struct torus_event *ev);
void torus_mail_packet(struct torus_domain *d, u64 at, const struct torus_event *ev);
void torus_mail_collect(struct torus_domain *d, u32 parity);
bool torus_mail_reserve(struct torus_mailbox *box, u32 mails, u32 packets, u32 bodies, u32 stride);
/* What a domain will collect of the mail of that parity, fetched ahead. */
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

/* An event that carries no packet, to a node of whatever domain. */
torus_inline void torus_send_event(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push(&d->wheel, at, ev);
	else
		torus_mail_event(d, at, &ev);
}

/* Tokens go back to a sender of whatever domain. */
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
		/* a copy: whose address is taken is built in memory, byte by byte */
		struct torus_event mail = ev;

		mail.lane = TORUS_LANE_HEAD;
		torus_mail_packet(d, at, &mail);
	}
}

/* An event whose packet goes with it; the packet is the receiver's from here on. */
torus_inline void torus_send_packet(struct torus_domain *d, u64 at, struct torus_event ev)
{
	if (torus_likely(torus_domain_has(d, ev.node)))
		torus_wheel_push(&d->wheel, at, ev);
	else
		torus_mail_packet(d, at, &ev);
}

#endif /* TORUS_CORE_MAIL_H */
