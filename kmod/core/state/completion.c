// SPDX-License-Identifier: GPL-2.0
/* Completion counts and loss records of users' packets. */
#include "core/state/completion.h"
#include "core/state/domain.h"

/*
 * Find the counts of a packet's sender.  Return: NULL if no attached program sent the packet, or if
 * its client does not ask for completions.
 */
static struct torus_completions *completion_find(struct torus_domain *d,
						 const struct torus_packet *p,
						 struct torus_sender **by)
{
	struct torus_completions *counts;

	if (!d->f->completions || !(p->flags & TORUS_PACKET_USER) || p->body == TORUS_NONE)
		return NULL;
	*by = &torus_body_at(&d->bodies, p->body)->sender;
	counts = &d->f->completions[torus_group_index(d->f, p->src, (*by)->group)];
	/* the group may have a new client, which did not send the packet */
	return counts->generation && counts->generation == (*by)->generation ? counts : NULL;
}

/**
 * torus_completion_copied() - count a copy that a broadcast has left
 * @d: the domain
 * @copy: the copy
 */
void torus_completion_copied(struct torus_domain *d, const struct torus_packet *copy)
{
	struct torus_sender *by;
	struct torus_completions *counts = completion_find(d, copy, &by);

	if (counts)
		torus_fetch_add(&counts->copies, 1);
}

static void completion_count(struct torus_domain *d, const struct torus_packet *p,
			     struct torus_completions *counts)
{
	if (p->flags & TORUS_PACKET_COPY)
		torus_fetch_add(&counts->copies, -1);
	else
		torus_fetch_add(&counts->ended, 1);
	d->lost_packets.any = true;
}

/**
 * torus_completion_delivered() - count a packet that has arrived
 * @d: the domain
 * @p: any packet; only users' packets are counted
 */
void torus_completion_delivered(struct torus_domain *d, const struct torus_packet *p)
{
	struct torus_sender *by;
	struct torus_completions *counts = completion_find(d, p, &by);

	if (counts)
		completion_count(d, p, counts);
}

static bool completion_grow(struct torus_lost_packets *l)
{
	u32 cap = l->cap ? 2 * l->cap : 64;
	struct torus_lost_packet *list;

	if (l->count < l->cap)
		return true;
	list = l->cap < TORUS_LOST_PACKETS_MAX ? torus_grow(cap * sizeof(*list)) : NULL;
	if (!list)
		return false;
	if (l->list) {
		memcpy(list, l->list, l->count * sizeof(*list));
		torus_free(l->list, l->cap * sizeof(*list));
	}
	l->list = list;
	l->cap = cap;
	return true;
}

static void completion_record(struct torus_domain *d, u32 node, const struct torus_packet *p,
			      struct torus_completions *counts, const struct torus_sender *by,
			      u32 reason, u32 flags)
{
	struct torus_lost_packets *l = &d->lost_packets;

	l->any = true;
	if (!completion_grow(l)) {
		torus_fetch_add(&counts->missed, 1);
		return;
	}
	l->list[l->count++] = (struct torus_lost_packet){
		.tick = d->now, .src = p->src, .generation = by->generation, .number = by->number,
		.node = node, .dst = p->dst, .reason = reason, .sender = by->group,
		.fifo = by->fifo, .group = p->group, .flags = (u8)flags,
	};
}

/*
 * Replace the reason "no listener" by "reader gone", if the destination's group had a client when
 * the packet was injected.
 */
static u32 completion_reason(const struct torus_packet *p, u32 reason)
{
	/*
	 * an odd generation: the group had a client at injection. Broadcasts have no group's
	 * generation.
	 */
	if (reason == TORUS_DROP_NO_LISTENER && !(p->flags & TORUS_PACKET_DEPOSIT) &&
	    p->generation & 1)
		return TORUS_NOTICE_READER_GONE;
	return reason;
}

/**
 * torus_completion_lost() - count and record a packet that ends without delivery to its client
 * @d: the domain
 * @node: index of the node where the packet ends
 * @p: any packet; only users' packets are recorded
 * @reason: enum torus_drop or TORUS_NOTICE_*
 */
void torus_completion_lost(struct torus_domain *d, u32 node, const struct torus_packet *p,
			   u32 reason)
{
	struct torus_sender *by;
	struct torus_completions *counts = completion_find(d, p, &by);

	if (!counts)
		return;
	completion_record(d, node, p, counts, by, completion_reason(p, reason),
			  p->flags & TORUS_PACKET_COPY ? TORUS_NOTICE_COPY : 0);
	completion_count(d, p, counts);
}

/**
 * torus_completion_not_copied() - record that a broadcast could not leave its copy at a node
 * @d: the domain
 * @node: index of the node
 * @p: any broadcast; only users' broadcasts are recorded
 * @reason: enum torus_drop
 */
void torus_completion_not_copied(struct torus_domain *d, u32 node, const struct torus_packet *p,
				 u32 reason)
{
	struct torus_sender *by;
	struct torus_completions *counts = completion_find(d, p, &by);
	struct torus_packet copy = *p;

	if (!counts)
		return;
	copy.dst = node;
	completion_record(d, node, &copy, counts, by, reason, TORUS_NOTICE_COPY);
}

/**
 * torus_completion_unknown() - note that a notice or packet for a client was discarded; the client
 * gets TORUS_NOTICE_UNKNOWN
 * @d: domain of the client's node
 * @node: index of that node
 * @group: FIFO group of the client
 */
void torus_completion_unknown(struct torus_domain *d, u32 node, u32 group)
{
	struct torus_completions *counts;

	if (!d->f->completions)
		return;
	counts = &d->f->completions[torus_group_index(d->f, node, group)];
	if (!counts->generation)
		return;
	torus_fetch_add(&counts->missed, 1);
	d->lost_packets.any = true;
}

/* Free a domain's loss records. */
void torus_lost_packets_free(struct torus_domain *d)
{
	torus_free(d->lost_packets.list,
		   (size_t)d->lost_packets.cap * sizeof(*d->lost_packets.list));
	memset(&d->lost_packets, 0, sizeof(d->lost_packets));
}
