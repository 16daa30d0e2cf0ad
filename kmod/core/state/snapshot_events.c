// SPDX-License-Identifier: GPL-2.0
/* Write and read packets, queues of packets, and pending events. */
#include "core/state/snapshot_events.h"
#include "core/state/packets.h"

/* Maximum packets in a queue.  Rejects a corrupt count before it causes a huge allocation. */
#define QUEUE_MAX	(1u << 28)
/*
 * Maximum age of a restored packet: half of the range of its 48-bit ticks, so that the packet can
 * grow older.
 */
#define AGE_MAX		(1ull << 47)
/* Maximum delay of a restored event: more than any processor, link or source schedules. */
#define AHEAD_MAX	(1ull << 42)

/* ------------------------------------------------------------------- packets */

/*
 * Check that a packet was not generated after it was injected, and not injected after the fabric's
 * tick.
 */
static bool packet_ages_right(const struct torus_fabric *f, const struct torus_packet *p)
{
	u64 age = torus_packet_since(f->clock, p->born);

	return torus_packet_since(f->clock, p->entered) <= age && age < AGE_MAX;
}

/*
 * Check a packet's flags: a snapshot has no users' packets, only live links damage packets, and
 * only an INVALID packet occupies no buffer space.
 */
static bool packet_flags_right(const struct torus_fabric *f, u32 flags)
{
	const u32 damage = TORUS_PACKET_INVALID | TORUS_PACKET_DAMAGED | TORUS_PACKET_BAD_HEADER |
			   TORUS_PACKET_NOTOKEN;

	if (flags & TORUS_PACKET_USER || (flags & damage && !f->links))
		return false;
	if (flags & TORUS_PACKET_NOTOKEN && !(flags & TORUS_PACKET_INVALID))
		return false;
	return flags & TORUS_PACKET_DAMAGED || !(flags & TORUS_PACKET_BAD_HEADER);
}

static bool packet_right(const struct torus_fabric *f, u32 node, const struct torus_packet *p)
{
	return packet_ages_right(f, p) && packet_flags_right(f, p->flags) &&
	       p->src < f->nodes && p->dst < f->nodes && p->chunks &&
	       p->chunks <= f->arch->packet_chunks_max && p->group < f->arch->groups &&
	       p->slot < f->dirs * f->vcs + TORUS_INJECT_MAX &&
	       (!f->arch->sane || f->arch->sane(f, node, p));
}

/*
 * Write or read a packet's body. In a snapshot, only synthetic packets with an undetected link
 * error have bodies, because there are no users' packets.
 */
static void snapshot_body(struct torus_snapshot *snap, struct torus_domain *d, u32 chunks,
			  u32 *body)
{
	bool any = *body != TORUS_NONE;

	torus_snapshot_flag(snap, &any);
	torus_snapshot_check(snap, !any || d->f->link_crc,
			     "bytes of a packet without link CRCs, flag =", any);
	if (snap->reading)
		*body = any ? torus_bodies_get(&d->bodies) : TORUS_NONE;
	if (any && *body == TORUS_NONE)
		torus_snapshot_no_memory(snap);
	if (any && torus_snapshot_ok(snap))
		torus_snapshot_bytes(snap, torus_body_at(&d->bodies, *body)->bytes,
				     chunks * d->f->arch->chunk_bytes);
}

/**
 * torus_snapshot_packet() - write or read a packet
 * @snap: the snapshot
 * @d: domain of @node
 * @node: index of the node that has the packet
 * @pkt: [in, out] index of the packet; of a new packet if it is read
 */
void torus_snapshot_packet(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 *pkt)
{
	bool wide = d->pool.grains == TORUS_PACKET_WIDE;
	struct torus_packet p = { .body = 0 };
	u32 body = TORUS_NONE;

	if (!snap->reading) {
		p = *torus_packet_at(d, *pkt);
		body = p.body;
		p.body = 0;
		p.next = 0;
		/* a narrow packet lacks the members from @generation on */
		if (!torus_pool_is_wide(&d->pool, *pkt))
			memset((u8 *)&p + offsetof(struct torus_packet, generation), 0,
			       sizeof(p) - offsetof(struct torus_packet, generation));
	}
	torus_snapshot_bytes(snap, &p,
			     (wide ? TORUS_PACKET_WIDE : TORUS_PACKET_NARROW) * TORUS_GRAIN);
	if (snap->reading)
		*pkt = TORUS_NONE;
	if (snap->reading &&
	    !torus_snapshot_check(snap, packet_right(d->f, node, &p), "invalid packet of source",
						     p.src))
		return;
	snapshot_body(snap, d, p.chunks, &body);
	if (!snap->reading || !torus_snapshot_ok(snap))
		return;
	*pkt = torus_pool_get(&d->pool);
	if (*pkt == TORUS_NONE) {
		torus_snapshot_no_memory(snap);
		return;
	}
	p.next = TORUS_NONE;
	p.body = body;
	torus_pool_fill(&d->pool, *pkt, &p);
}

/**
 * torus_snapshot_packets() - write or read a queue of packets
 * @snap: the snapshot
 * @d: domain of @node
 * @node: index of the node that has the queue
 * @head: [in, out] index of the first packet, TORUS_NONE if the queue is empty
 * @tail: [in, out] index of the last packet
 */
void torus_snapshot_packets(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			    u32 *head,
			    u32 *tail)
{
	u32 count = 0, pkt = TORUS_NONE, i;

	for (i = *head; !snap->reading && i != TORUS_NONE; count++)
		i = i == *tail ? TORUS_NONE : torus_packet_at(d, i)->next;
	SNAPSHOT_FIELD(snap, count);
	torus_snapshot_check(snap, count < QUEUE_MAX, "number of packets in a queue =", count);
	if (snap->reading)
		*head = TORUS_NONE;
	for (i = 0; i < count && torus_snapshot_ok(snap); i++) {
		if (!snap->reading)
			pkt = i ? torus_packet_at(d, pkt)->next : *head;
		torus_snapshot_packet(snap, d, node, &pkt);
		if (!snap->reading || !torus_snapshot_ok(snap))
			continue;
		torus_snapshot_check(snap, !(torus_packet_at(d, pkt)->flags & TORUS_PACKET_DAMAGED),
				     "flags of a packet in a queue =",
				     torus_packet_at(d, pkt)->flags);
		if (*head == TORUS_NONE)
			*head = pkt;
		else
			torus_packet_at(d, *tail)->next = pkt;
		*tail = pkt;
	}
}

/* -------------------------------------------------------------------- events */

static const struct torus_packet *event_packet(struct torus_fabric *f,
					       const struct torus_snapshot_event *p)
{
	return torus_packet_at(torus_domain_of(f, p->ev.node), p->ev.pkt);
}

/*
 * Compare two different packets in canonical order. Any order is canonical that depends only on the
 * packets' contents.
 */
static bool packet_before(const struct torus_packet *a, const struct torus_packet *b)
{
	if (a->src != b->src)
		return a->src < b->src;
	if (a->seq != b->seq)
		return a->seq < b->seq;
	if (a->dst != b->dst)
		return a->dst < b->dst;
	return a->hops < b->hops;
}

/*
 * Compare two copies of one packet on a live link in canonical order. Packets on live links are
 * wide.
 */
static bool copy_before(const struct torus_packet *a, const struct torus_packet *b)
{
	return a->link_seq != b->link_seq ? a->link_seq < b->link_seq : a->sent < b->sent;
}

/*
 * Compare two events, except for their packets. Return a negative number, 0 or a positive number.
 */
static int event_compare(const struct torus_snapshot_event *a, const struct torus_snapshot_event *b)
{
	if (a->ev.node != b->ev.node)
		return a->ev.node < b->ev.node ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->ev.kind != b->ev.kind)
		return a->ev.kind - b->ev.kind;
	if (a->ev.lane != b->ev.lane)
		return a->ev.lane - b->ev.lane;
	if (a->ev.dir != b->ev.dir)
		return a->ev.dir - b->ev.dir;
	return a->ev.queue - b->ev.queue;
}

static bool event_before(struct torus_fabric *f, const struct torus_snapshot_event *a,
			 const struct torus_snapshot_event *b)
{
	int order = event_compare(a, b);

	if (order)
		return order < 0;
	if (a->ev.kind == TORUS_EV_LINK_HEAD)
		return copy_before(event_packet(f, a), event_packet(f, b));
	if (f->router->event(f, &a->ev) >= TORUS_EVENT_PACKET)
		return packet_before(event_packet(f, a), event_packet(f, b));
	return a->ev.tokens < b->ev.tokens;
}

/* Move element @i of a max-heap down to its place. */
static void events_sift(struct torus_fabric *f, struct torus_snapshot_event *list, size_t n,
			size_t i)
{
	struct torus_snapshot_event one = list[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		child += child + 1 < n && event_before(f, &list[child], &list[child + 1]);
		if (!event_before(f, &one, &list[child]))
			break;
		list[i] = list[child];
		i = child;
	}
	list[i] = one;
}

static void events_sort(struct torus_fabric *f, struct torus_snapshot_event *list, size_t n)
{
	struct torus_snapshot_event one;
	size_t i;

	for (i = n / 2; i--;) {
		events_sift(f, list, n, i);
		if (!(i & 4095))
			torus_yield();
	}
	for (i = n; i-- > 1;) {
		one = list[0];
		list[0] = list[i];
		list[i] = one;
		events_sift(f, list, i, 0);
		if (!(i & 4095))
			torus_yield();
	}
}

/* Append the events of a lane and tick of a domain's wheel to @all. */
static void events_collect_list(struct torus_domain *d, struct torus_snapshot_events *all,
				enum torus_lane lane, u64 at)
{
	const struct torus_block *blk = *torus_wheel_list(&d->wheel, lane, at);
	u32 i;

	for (; blk; blk = blk->next)
		for (i = 0; i < blk->n; i++) {
			struct torus_event ev = lane < TORUS_LANE_DONE ? blk->ev[i] :
						torus_short_event(lane, &blk->shorts[i]);
			u64 tick = at + ev.residue;

			if (d->f->router->event(d->f, &ev) == TORUS_EVENT_RECREATED)
				continue;
			ev.lane = (u8)lane;
			ev.residue = 0;
			all->list[all->count++] = (struct torus_snapshot_event){
				.at = tick, .ev = ev,
			};
		}
}

/**
 * torus_snapshot_events_collect() - collect and sort the pending events of this process
 * @f: the fabric, locked
 * @all: [out] the events; freed by torus_snapshot_events_free()
 *
 * Return: 0 or -ENOMEM.
 */
int torus_snapshot_events_collect(struct torus_fabric *f, struct torus_snapshot_events *all)
{
	u32 i, lane, tick;

	*all = (struct torus_snapshot_events){ .cap = 1 };
	for (i = f->own_first; i < f->own_end; i++)
		all->cap += f->domain[i].wheel.pending;
	all->list = torus_alloc(all->cap * sizeof(*all->list));
	if (!all->list)
		return -ENOMEM;
	for (i = f->own_first; i < f->own_end; i++)
		for (tick = 1; tick < TORUS_WHEEL_SIZE; tick++) {
			for (lane = 0; lane < TORUS_LANES; lane++)
				events_collect_list(&f->domain[i], all, lane,
						    f->domain[i].wheel.now + tick);
			torus_yield();
		}
	events_sort(f, all->list, all->count);
	return 0;
}

/**
 * torus_snapshot_events_free() - free a list of events
 * @all: the events
 */
void torus_snapshot_events_free(struct torus_snapshot_events *all)
{
	torus_free(all->list, all->cap * sizeof(*all->list));
	all->list = NULL;
}

/* Check that the lane of a restored event is TORUS_LANE_ANY or the lane for the event's kind. */
static bool event_lane_right(const struct torus_fabric *f, const struct torus_event *ev)
{
	static const u8 kinds[TORUS_LANES] = {
		[TORUS_LANE_HEAD] = TORUS_EV_HEAD, [TORUS_LANE_RECEIVED] = TORUS_EV_RECEIVED,
		[TORUS_LANE_STAGE_HEAD] = TORUS_EV_STAGE_HEAD, [TORUS_LANE_DONE] = TORUS_EV_DONE,
		[TORUS_LANE_TOKEN] = TORUS_EV_TOKEN, [TORUS_LANE_STAGE_DONE] = TORUS_EV_STAGE_DONE,
	};

	if (ev->lane == TORUS_LANE_ANY)
		return true;
	/* a machine with unbounded buffers has events in TORUS_LANE_ANY only */
	return ev->lane < TORUS_LANES && ev->kind == kinds[ev->lane] && f->router->tokens;
}

static void event_push(struct torus_domain *d, u64 at, struct torus_event ev)
{
	struct torus_short s = {
		.node = ev.node, .tokens = (u16)ev.tokens, .dir = ev.dir, .queue = ev.queue,
	};
	u32 lane = ev.lane;

	ev.lane = 0;
	if (lane == TORUS_LANE_ANY)
		torus_wheel_push(&d->wheel, at, ev);
	else if (lane < TORUS_LANE_DONE)
		torus_wheel_push_whole(&d->wheel, lane, at, ev);
	else
		torus_wheel_push_short(&d->wheel, lane, at, s);
}

/**
 * torus_packet_crc_right() - check the packet CRC of a packet on a link (crc=full)
 * @d: domain of the packet
 * @pkt: index of the packet, in a resend FIFO or on a link
 *
 * The receiver relies on this CRC.
 *
 * Return: true if the CRC matches the packet's bytes, or if the receiver does not check it.
 */
bool torus_packet_crc_right(struct torus_domain *d, u32 pkt)
{
	const struct torus_packet *p = torus_packet_at(d, pkt);
	const struct torus_arch *arch = d->f->arch;

	if (!d->f->crc_full || p->uncounted ||
	    p->flags & (TORUS_PACKET_INVALID | TORUS_PACKET_DAMAGED))
		return true;
	torus_packet_bytes(d, p, d->scratch);
	return arch->intact(d->scratch) &&
	       arch->crc(d->scratch, p->chunks * arch->chunk_bytes) == p->tail_at;
}

/* Check the packet of a restored event: only an event of a live link may have a damaged packet. */
static void event_packet_check(struct torus_snapshot *snap, struct torus_domain *d,
			       const struct torus_event *ev, u32 pkt)
{
	const struct torus_packet *p = torus_packet_at(d, pkt);

	torus_snapshot_check(snap, !(p->flags & TORUS_PACKET_DAMAGED) ||
			     ev->kind == TORUS_EV_LINK_HEAD,
			     "flags of a packet that is no copy =", p->flags);
	if (ev->kind == TORUS_EV_HEAD || ev->kind == TORUS_EV_LINK_HEAD)
		torus_snapshot_check(snap, torus_packet_crc_right(d, pkt),
				     "wrong CRC of a packet of source", p->src);
}

/* Write or read an event of a node, with its packet or the position of its packet. */
static void snapshot_event(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
			   struct torus_snapshot_event *p)
{
	struct torus_event *ev = &p->ev;
	u32 pkt = ev->pkt, load;

	load = snap->reading ? TORUS_EVENT_BARE : f->router->event(f, ev);
	if (load >= TORUS_EVENT_PACKET)
		ev->pkt = 0;
	SNAPSHOT_FIELD(snap, p->at);
	SNAPSHOT_FIELD(snap, *ev);
	if (!torus_snapshot_check(snap, ev->node == node, "node of an event =", ev->node) ||
	    !torus_snapshot_check(snap, event_lane_right(f, ev), "lane of an event =", ev->lane) ||
	    !torus_snapshot_check(snap, !ev->residue, "residue of an event =", ev->residue) ||
	    !torus_snapshot_check(snap, p->at >= f->clock && p->at - f->clock < AHEAD_MAX,
				  "tick of an event =", p->at))
		return;
	load = f->router->event(f, ev);
	if (!torus_snapshot_check(snap, load != TORUS_EVENT_INVALID &&
				  load != TORUS_EVENT_RECREATED,
				  "an event of invalid kind", ev->kind))
		return;
	if (load == TORUS_EVENT_TAIL)
		f->router->snapshot_tail(snap, torus_domain_of(f, ev->node), p, &pkt);
	else if (load == TORUS_EVENT_PACKET)
		torus_snapshot_packet(snap, torus_domain_of(f, ev->node), ev->node, &pkt);
	if (load >= TORUS_EVENT_PACKET)
		ev->pkt = pkt;
	if (load == TORUS_EVENT_PACKET && snap->reading && torus_snapshot_ok(snap))
		event_packet_check(snap, torus_domain_of(f, ev->node), ev, pkt);
}

/* Append an event that has been read to @all. */
static void events_append(struct torus_snapshot *snap, struct torus_snapshot_events *all,
			  const struct torus_snapshot_event *one)
{
	size_t cap = all->cap ? 2 * all->cap : 64;
	struct torus_snapshot_event *more;

	if (all->count == all->cap) {
		more = torus_alloc(cap * sizeof(*more));
		if (!more) {
			torus_snapshot_no_memory(snap);
			return;
		}
		if (all->count)
			memcpy(more, all->list, all->count * sizeof(*more));
		torus_free(all->list, all->cap * sizeof(*more));
		all->list = more;
		all->cap = cap;
	}
	all->list[all->count++] = *one;
}

/* Read the events of a node, which must be in canonical order. */
static void snapshot_read_events(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
				 struct torus_snapshot_events *all)
{
	struct torus_snapshot_event one = { 0 };

	all->count = 0;
	while (torus_snapshot_piece_left(snap)) {
		snapshot_event(snap, f, node, &one);
		torus_snapshot_check(snap, !all->count ||
				     event_compare(&all->list[all->count - 1], &one) <= 0,
				     "wrong order of an event at tick", one.at);
		if (torus_snapshot_ok(snap))
			events_append(snap, all, &one);
	}
}

/**
 * torus_snapshot_node_events() - write or read the events of a node
 * @snap: the snapshot, in the node's piece
 * @f: the fabric, locked; the clocks of the fabric and of its wheels have been written or read
 * @node: index of the node
 * @all: [in, out] writing: all events. Reading: events of this node, for
 *   torus_snapshot_events_schedule(); tail events have places instead of packets
 * @at: [in, out] writing: index of the first event that has not been written
 */
void torus_snapshot_node_events(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
				struct torus_snapshot_events *all, size_t *at)
{
	struct torus_snapshot_event one;

	if (snap->reading) {
		snapshot_read_events(snap, f, node, all);
		return;
	}
	while (*at < all->count && all->list[*at].ev.node == node) {
		one = all->list[(*at)++];
		snapshot_event(snap, f, node, &one);
	}
}

/**
 * torus_snapshot_events_schedule() - schedule a node's restored events
 * @f: the fabric
 * @all: the events, with packets instead of places
 */
void torus_snapshot_events_schedule(struct torus_fabric *f, const struct torus_snapshot_events *all)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		event_push(torus_domain_of(f, all->list[i].ev.node), all->list[i].at,
			   all->list[i].ev);
}

/**
 * torus_snapshot_events_has() - search for an event of a node
 * @all: events of the node, in canonical order
 * @kind: kind of the event
 * @at: tick of the event
 *
 * Return: true if the event exists.
 */
bool torus_snapshot_events_has(const struct torus_snapshot_events *all, enum torus_event_kind kind,
			       u64 at)
{
	size_t low = 0, high = all->count, middle;

	while (low < high) {
		const struct torus_snapshot_event *one;

		middle = low + (high - low) / 2;
		one = &all->list[middle];
		if (one->at == at && one->ev.kind == kind)
			return true;
		if (one->at < at || (one->at == at && one->ev.kind < kind))
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}
