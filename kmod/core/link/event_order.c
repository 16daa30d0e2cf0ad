// SPDX-License-Identifier: GPL-2.0
/*
 * The canonical order of the events of live links in one tick.
 *
 * Events of the wheel must commute, but events of a live link do not. Their order decides which
 * message a bit error hits, whether an acknowledgement is in time, and which packet is
 * retransmitted next. Events of live links are therefore collected until the tick's other events
 * have been applied, and then sorted by content. Faults come first. The events of each link follow:
 * acknowledgements, nacks, tokens, ends of transmissions, time-outs. At a receiver, tails come
 * before headers.
 */
#include "core/link/link.h"
#include "core/link/event_order.h"

enum class {
	CLASS_ACK,
	CLASS_NACK,
	CLASS_TOKEN,
	CLASS_TOKEN_AGAIN,
	CLASS_FREE,
	CLASS_TIMER,
	CLASS_TAIL,
	CLASS_HEAD,
};

/* bits of a key: node 33, so that faults (key 0) come first; direction 5; class 3 */
#define KEY(node, dir, class) \
	(((u64)(node) + 1) << 8 | (u64)(dir) << 3 | (class))

#define FIRST_CAP	64

/* Return the sort key of an event's link and kind. */
static u64 link_event_key(const struct torus_event *ev, u32 dir)
{
	switch (ev->kind) {
	case TORUS_EV_FAULT_BEGIN:
	case TORUS_EV_FAULT_END:
		return 0;
	case TORUS_EV_LINK_ACK:
		return KEY(ev->node, dir, CLASS_ACK);
	case TORUS_EV_LINK_NACK:
		return KEY(ev->node, dir, CLASS_NACK);
	case TORUS_EV_TOKEN:
	case TORUS_EV_TOKEN_SURE:
		return KEY(ev->node, dir, CLASS_TOKEN);
	case TORUS_EV_LINK_TOKEN:
		return KEY(ev->node, dir, CLASS_TOKEN_AGAIN);
	case TORUS_EV_LINK_TIMER:
		return KEY(ev->node, dir, CLASS_TIMER);
	case TORUS_EV_LINK_TAIL:
		return KEY(ev->node, dir, CLASS_TAIL);
	case TORUS_EV_LINK_HEAD:
		return KEY(ev->node, dir, CLASS_HEAD);
	default:
		/* end of a transmission: of a packet, a retransmission or a control packet */
		return KEY(ev->node, dir, CLASS_FREE);
	}
}

/*
 * Return a number that orders two events with the same key. Events with the same number have the
 * same effect. For example, each of two tails discards one of the slot's packets that end in this
 * tick.
 */
static u64 link_event_detail(struct torus_domain *d, const struct torus_event *ev)
{
	const struct torus_packet *p;

	switch (ev->kind) {
	case TORUS_EV_FAULT_BEGIN:
	case TORUS_EV_FAULT_END:
		return (u64)ev->fault << 1 | (ev->kind == TORUS_EV_FAULT_END);
	case TORUS_EV_LINK_ACK:
	case TORUS_EV_LINK_NACK:
		return ev->seq;
	case TORUS_EV_TOKEN:
	case TORUS_EV_TOKEN_SURE:
	case TORUS_EV_LINK_TOKEN:
		return (u64)ev->vc << 33 | (u64)ev->tokens << 1 |
		       (ev->kind == TORUS_EV_TOKEN_SURE);
	case TORUS_EV_LINK_TAIL:
		return ev->queue;
	case TORUS_EV_LINK_HEAD:
		p = torus_packet_at(d, ev->pkt);
		return (u64)p->link_seq << 24 | p->sent;
	default:
		return 0;
	}
}

/* Check whether event @a is after event @b. */
static bool link_event_after(const struct torus_later *a, const struct torus_later *b)
{
	return a->key != b->key ? a->key > b->key : a->detail > b->detail;
}

/**
 * torus_link_later() - collect an event of a live link until the tick's other events are applied
 * @d: the domain
 * @ev: the event
 * @dir: the link's direction
 */
void torus_link_later(struct torus_domain *d, const struct torus_event *ev, u32 dir)
{
	struct torus_later *more;
	u32 cap;

	if (torus_unlikely(d->nlater == d->later_cap)) {
		cap = d->later_cap ? 2 * d->later_cap : FIRST_CAP;
		more = torus_grow((size_t)cap * sizeof(*more));
		if (!more) {
			d->failed = true;
			return;
		}
		if (d->later)
			memcpy(more, d->later, (size_t)d->nlater * sizeof(*more));
		torus_free(d->later, (size_t)d->later_cap * sizeof(*more));
		d->later = more;
		d->later_cap = cap;
	}
	d->later[d->nlater++] = (struct torus_later){
		.key = link_event_key(ev, dir), .detail = link_event_detail(d, ev), .ev = *ev,
	};
}

/* Sort the collected events: Shell's sort with gaps 3 * gap + 1. */
void torus_link_sort(struct torus_domain *d)
{
	struct torus_later *l = d->later;
	u32 gap = 1, i, j;

	while (gap < d->nlater / 9)
		gap = 1 + 3 * gap;
	for (; gap; gap /= 3)
		for (i = gap; i < d->nlater; i++) {
			struct torus_later x = l[i];

			for (j = i; j >= gap && link_event_after(&l[j - gap], &x); j -= gap)
				l[j] = l[j - gap];
			l[j] = x;
		}
}
