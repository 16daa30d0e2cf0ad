// SPDX-License-Identifier: GPL-2.0
/*
 * The order of what happens to live links in one tick.
 *
 * Events of the wheel must commute; those of a live link do not: which message a
 * bit error falls into, whether an acknowledgement comes in time, which packet is
 * sent again next, all depend on what was first.  So they are kept until the
 * tick's other events have been applied, and put in an order that follows from
 * what they are: faults, then link by link acknowledgements, nacks, tokens, ends of
 * transmissions, time-outs; tails before headers at the receiver.
 */
#include "core/link/link.h"

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

/* node 32 bits, direction 5, class 3, what tells two of a class apart 24 */
#define KEY(node, dir, class, detail) \
	(((u64)(node) + 1) << 32 | (u64)(dir) << 27 | (u64)(class) << 24 | (detail))

/* of an event's tokens, with the VC's 6 above them */
#define TOKENS_BITS	18
#define FIRST_ROOM	64

static u64 link_event_key(struct torus_domain *d, const struct torus_event *ev, u32 dir)
{
	switch (ev->kind) {
	case TORUS_EV_FAULT_BEGIN:
		return (u64)ev->fault << 1;
	case TORUS_EV_FAULT_END:
		return (u64)ev->fault << 1 | 1;
	case TORUS_EV_LINK_ACK:
		return KEY(ev->node, dir, CLASS_ACK, ev->seq);
	case TORUS_EV_LINK_NACK:
		return KEY(ev->node, dir, CLASS_NACK, ev->seq);
	case TORUS_EV_TOKEN:
	case TORUS_EV_TOKEN_SURE:
		return KEY(ev->node, dir, CLASS_TOKEN, ev->vc << TOKENS_BITS | ev->tokens);
	case TORUS_EV_LINK_TOKEN:
		return KEY(ev->node, dir, CLASS_TOKEN_AGAIN, ev->vc << TOKENS_BITS | ev->tokens);
	case TORUS_EV_LINK_TIMER:
		return KEY(ev->node, dir, CLASS_TIMER, 0);
	case TORUS_EV_LINK_TAIL:
		return KEY(ev->node, dir, CLASS_TAIL, ev->queue);
	case TORUS_EV_LINK_HEAD:
		return KEY(ev->node, dir, CLASS_HEAD, torus_packet_at(d, ev->pkt)->link_seq);
	default:
		/* the end of a transmission: a packet's, first or again, or a control packet's */
		return KEY(ev->node, dir, CLASS_FREE, 0);
	}
}

/**
 * torus_link_later() - keep an event of a live link until the others are applied
 * @d: the domain
 * @ev: the event
 * @dir: the link's direction
 */
void torus_link_later(struct torus_domain *d, const struct torus_event *ev, u32 dir)
{
	struct torus_later *more;
	u32 room;

	if (torus_unlikely(d->nlater == d->later_room)) {
		room = d->later_room ? 2 * d->later_room : FIRST_ROOM;
		more = torus_grow((size_t)room * sizeof(*more));
		if (!more) {
			d->failed = true;
			return;
		}
		if (d->later)
			memcpy(more, d->later, (size_t)d->nlater * sizeof(*more));
		torus_free(d->later, (size_t)d->later_room * sizeof(*more));
		d->later = more;
		d->later_room = room;
	}
	d->later[d->nlater++] = (struct torus_later){
		.key = link_event_key(d, ev, dir), .ev = *ev,
	};
}

/* Shell's sort, gaps 1 + 3 n. */
void torus_link_sort(struct torus_domain *d)
{
	struct torus_later *l = d->later;
	u32 gap = 1, i, j;

	while (gap < d->nlater / 9)
		gap = 1 + 3 * gap;
	for (; gap; gap /= 3)
		for (i = gap; i < d->nlater; i++) {
			struct torus_later x = l[i];

			for (j = i; j >= gap && l[j - gap].key > x.key; j -= gap)
				l[j] = l[j - gap];
			l[j] = x;
		}
}
