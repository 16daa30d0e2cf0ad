// SPDX-License-Identifier: GPL-2.0
/*
 * The order of what happens to live links in one tick.
 *
 * Events of the wheel must commute; those of a live link do not: which message a
 * bit error falls into, whether an acknowledgement comes in time, which packet is
 * sent again next, all depend on what was first.  So they are kept until the
 * tick's other events have been applied, and put in an order that follows from
 * what they are: faults, then link by link acknowledgements, tokens, ends of
 * transmissions, time-outs; tails before headers at the receiver.
 */
#include "core/link/link.h"

enum class {
	CLASS_ACK,
	CLASS_TOKEN,
	CLASS_TOKEN_AGAIN,
	CLASS_FREE,
	CLASS_TIMER,
	CLASS_TAIL,
	CLASS_HEAD,
};

/* node 32 bits, direction 5, class 3, what tells two of a class apart 20 */
#define KEY(node, dir, class, detail) \
	(((u64)(node) + 1) << 28 | (u64)(dir) << 23 | (u64)(class) << 20 | (detail))

#define TOKENS_BITS	11
#define FIRST_ROOM	64

static u64 link_key(const struct torus_event *ev)
{
	u32 dir = TORUS_EV_DIR(ev->what), vc = TORUS_EV_VC(ev->what);
	u32 tokens = TORUS_EV_TOKENS(ev->what), slot = TORUS_EV_SLOT(ev->what);

	switch (vc) {
	case TORUS_LINK_ACK:
		return KEY(ev->node, dir, CLASS_ACK, ev->pkt & 0xff);
	case TORUS_LINK_TIMER:
		return KEY(ev->node, dir, CLASS_TIMER, 0);
	case TORUS_LINK_SENT:
		return KEY(ev->node, dir, CLASS_FREE, 0);
	case TORUS_LINK_TOKEN:
		return KEY(ev->node, dir, CLASS_TOKEN_AGAIN, slot << TOKENS_BITS | tokens);
	default:
		return KEY(ev->node, dir, CLASS_TAIL, slot);
	}
}

static u64 event_key(struct torus_domain *d, const struct torus_event *ev, u32 dir)
{
	u32 vc = TORUS_EV_VC(ev->what);

	switch (TORUS_EV_KIND(ev->what)) {
	case TORUS_EV_FAULT:
		return (u64)ev->pkt << 1 | TORUS_EV_SLOT(ev->what);
	case TORUS_EV_HEAD:
		return KEY(ev->node, dir, CLASS_HEAD, torus_packet_at(d, ev->pkt)->link_seq);
	case TORUS_EV_DONE:
	case TORUS_EV_CONTROL:
		return KEY(ev->node, dir, CLASS_FREE, 0);
	case TORUS_EV_TOKEN:
		return KEY(ev->node, dir, CLASS_TOKEN,
			   vc << TOKENS_BITS | TORUS_EV_TOKENS(ev->what));
	default:
		return link_key(ev);
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
		more = torus_alloc((size_t)room * sizeof(*more));
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
		.key = event_key(d, ev, dir), .ev = *ev,
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
