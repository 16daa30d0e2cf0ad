// SPDX-License-Identifier: GPL-2.0
/* How users' packets end, noted where it happens. */
#include "core/state/ending.h"
#include "core/state/domain.h"

/* Who sent a packet, NULL when nobody wants to know what becomes of it. */
static struct torus_sent *ending_sent(struct torus_domain *d, const struct torus_packet *p,
				      struct torus_sender **by)
{
	struct torus_sent *sent;

	if (!d->f->sent || !(p->flags & TORUS_PACKET_USER) || p->body == TORUS_NONE)
		return NULL;
	*by = &torus_body_at(&d->bodies, p->body)->sender;
	sent = &d->f->sent[torus_group_index(d->f, p->src, (*by)->group)];
	/* whoever holds the group after its sender has left did not send it */
	return sent->generation && sent->generation == (*by)->generation ? sent : NULL;
}

/**
 * torus_ending_copied() - a broadcast has left a copy, which will end by itself
 * @d: the domain
 * @copy: the copy
 */
void torus_ending_copied(struct torus_domain *d, const struct torus_packet *copy)
{
	struct torus_sender *by;
	struct torus_sent *sent = ending_sent(d, copy, &by);

	if (sent)
		torus_fetch_add(&sent->copies, 1);
}

static void ending_count(struct torus_domain *d, const struct torus_packet *p,
			 struct torus_sent *sent)
{
	if (p->flags & TORUS_PACKET_COPY)
		torus_fetch_add(&sent->copies, -1);
	else
		torus_fetch_add(&sent->ended, 1);
	d->losses.any = true;
}

/**
 * torus_ending_delivered() - a packet is where it was sent to
 * @d: the domain
 * @p: the packet, if it is a user's
 */
void torus_ending_delivered(struct torus_domain *d, const struct torus_packet *p)
{
	struct torus_sender *by;
	struct torus_sent *sent = ending_sent(d, p, &by);

	if (sent)
		ending_count(d, p, sent);
}

static bool ending_grow(struct torus_losses *l)
{
	u32 room = l->room ? 2 * l->room : 64;
	struct torus_loss *list;

	if (l->count < l->room)
		return true;
	list = l->room < TORUS_LOSSES_MAX ? torus_grow(room * sizeof(*list)) : NULL;
	if (!list)
		return false;
	if (l->list) {
		memcpy(list, l->list, l->count * sizeof(*list));
		torus_free(l->list, l->room * sizeof(*list));
	}
	l->list = list;
	l->room = room;
	return true;
}

static void ending_record(struct torus_domain *d, u32 node, const struct torus_packet *p,
			  struct torus_sent *sent, const struct torus_sender *by, u32 reason,
			  u32 flags)
{
	struct torus_losses *l = &d->losses;

	l->any = true;
	if (!ending_grow(l)) {
		torus_fetch_add(&sent->missed, 1);
		return;
	}
	l->list[l->count++] = (struct torus_loss){
		.tick = d->now, .src = p->src, .generation = by->generation, .number = by->number,
		.node = node, .dst = p->dst, .reason = reason, .sender = by->group,
		.fifo = by->fifo, .group = p->group, .flags = (u8)flags,
	};
}

/* "Nobody listens", or a reader that was there when it was sent and has left? */
static u32 ending_reason(const struct torus_packet *p, u32 reason)
{
	/* odd: somebody held the group; a broadcast does not say */
	if (reason == TORUS_DROP_NO_LISTENER && !(p->flags & TORUS_PACKET_DEPOSIT) &&
	    p->generation & 1)
		return TORUS_NOTICE_READER_GONE;
	return reason;
}

/**
 * torus_ending_lost() - a packet ends without having arrived
 * @d: the domain
 * @node: where
 * @p: the packet, if it is a user's
 * @reason: enum torus_drop or TORUS_NOTICE_*
 */
void torus_ending_lost(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 reason)
{
	struct torus_sender *by;
	struct torus_sent *sent = ending_sent(d, p, &by);

	if (!sent)
		return;
	ending_record(d, node, p, sent, by, ending_reason(p, reason),
		      p->flags & TORUS_PACKET_COPY ? TORUS_NOTICE_COPY : 0);
	ending_count(d, p, sent);
}

/**
 * torus_ending_not_copied() - a broadcast goes on without having left a copy
 * @d: the domain
 * @node: where nobody took it
 * @p: the broadcast, if it is a user's
 * @reason: enum torus_drop
 */
void torus_ending_not_copied(struct torus_domain *d, u32 node, const struct torus_packet *p,
			     u32 reason)
{
	struct torus_sender *by;
	struct torus_sent *sent = ending_sent(d, p, &by);
	struct torus_packet copy = *p;

	if (!sent)
		return;
	copy.dst = node;
	ending_record(d, node, &copy, sent, by, reason, TORUS_NOTICE_COPY);
}

/**
 * torus_ending_unknown() - report to a client that something for it was discarded
 * @d: the domain of its node
 * @node: index of that node
 * @group: its FIFO group
 */
void torus_ending_unknown(struct torus_domain *d, u32 node, u32 group)
{
	struct torus_sent *sent;

	if (!d->f->sent)
		return;
	sent = &d->f->sent[torus_group_index(d->f, node, group)];
	if (!sent->generation)
		return;
	torus_fetch_add(&sent->missed, 1);
	d->losses.any = true;
}

/* Give a domain's records back. */
void torus_losses_free(struct torus_domain *d)
{
	torus_free(d->losses.list, (size_t)d->losses.room * sizeof(*d->losses.list));
	memset(&d->losses, 0, sizeof(d->losses));
}
