// SPDX-License-Identifier: GPL-2.0
/*
 * Queues of packets that wait so long for a link of station_router.c that the wheel should not
 * store them.
 *
 * In a closed loop without pacing, each source sends all its packets at once. These packets are
 * counted and not stored, because a packet follows from its number. When the link starts a counted
 * packet, the source's numbers are searched for the next packet that leaves by this link. Packets
 * from other nodes are stored. Stored packets that differ only in consecutive sequence numbers
 * share a record.
 */
#include "core/workload/source_repeat.h"
#include "core/workload/workload.h"
#include "core/state/snapshot_events.h"
#include "core/state/census.h"
#include "core/state/mail.h"
#include "core/state/packets.h"
#include "link_queue.h"
#include "station_router.h"

/*
 * A packet moves from the queue to the wheel less than this number of ticks before the link starts
 * it.
 */
#define SEND_TICKS	(TORUS_WHEEL_SIZE / 2)
/* Maximum ticks and packets in a restored queue: more than in any run. */
#define TICKS_MAX	(1ull << 60)

static size_t queues_bytes(const struct torus_fabric *f)
{
	return f->dirs * sizeof(struct kncube_queue);
}

/**
 * kncube_queues_init() - allocate the table of queues, in which no node has queues yet
 * @f: the fabric
 *
 * Return: 0 or -ENOMEM.
 */
int kncube_queues_init(struct torus_fabric *f)
{
	struct kncube_machine *m = f->machine;

	if (!m->queues)
		m->queues = torus_alloc(f->nodes * sizeof(*m->queues));
	return m->queues ? 0 : -ENOMEM;
}

/**
 * kncube_queues_free() - free the queues of all nodes; their packets have been freed already
 * @f: the fabric
 */
void kncube_queues_free(struct torus_fabric *f)
{
	struct kncube_machine *m = f->machine;
	u32 node;

	if (!m->queues)
		return;
	for (node = 0; node < f->nodes; node++)
		kncube_queues_reset(f, node);
	torus_free(m->queues, f->nodes * sizeof(*m->queues));
	m->queues = NULL;
}

/**
 * kncube_queues_reset() - free the queues of a node; their packets have been freed already
 * @f: the fabric
 * @node: the node
 */
void kncube_queues_reset(struct torus_fabric *f, u32 node)
{
	const struct kncube_machine *m = f->machine;

	if (m->queues[node])
		torus_free_counted(m->queues[node], queues_bytes(f));
	m->queues[node] = NULL;
}

/* Allocate a node's queues when the first packet waits there. Return false without memory. */
static bool queues_make(struct torus_fabric *f, u32 node)
{
	const struct kncube_machine *m = f->machine;
	u32 dir;

	if (m->queues[node])
		return true;
	m->queues[node] = torus_grow_counted(queues_bytes(f));
	if (!m->queues[node])
		return false;
	for (dir = 0; dir < f->dirs; dir++)
		m->queues[node][dir] = (struct kncube_queue){
			.head = TORUS_NONE, .tail = TORUS_NONE,
		};
	return true;
}

/* Schedule the tick at which the link is free for the first packet of its queue. */
static void queue_wake(struct torus_domain *d, u32 node, u32 dir, const struct kncube_queue *q)
{
	torus_wheel_push(&d->wheel, q->next, (struct torus_event){
		.kind = KNCUBE_EV_LINK_FREE, .node = node, .dir = (u8)dir,
	});
}

/*
 * Return the queue of a link, so that a packet can be added; NULL without memory, with the domain
 * marked as failed.
 */
static struct kncube_queue *queue_open(struct torus_domain *d, u32 node, u32 dir, u64 begin)
{
	struct kncube_node *n = kncube_node(d, node);
	struct kncube_queue *q;

	if (!queues_make(d->f, node)) {
		d->failed = true;
		return NULL;
	}
	q = kncube_queue(d->f, node, dir);
	if (!(n->queued >> dir & 1)) {
		n->queued |= 1u << dir;
		q->next = begin;
		queue_wake(d, node, dir, q);
	}
	return q;
}

/* Check whether @p is the next packet of the record that starts with @last. */
static bool record_takes(const struct torus_packet *last, const struct torus_packet *p)
{
	return last->src == p->src && last->dst == p->dst && last->chunks == p->chunks &&
	       last->seq + last->body + 1 == p->seq && last->body + 1 != TORUS_NONE &&
	       last->born == p->born && last->entered == p->entered && last->hops == p->hops &&
	       last->flags == p->flags && last->group == p->group &&
	       !memcmp(last->header, p->header, sizeof(p->header));
}

/**
 * kncube_queue_add() - store a packet at the end of a link's queue
 * @d: the node's domain
 * @node: the node
 * @dir: direction of the link
 * @pkt: the packet, with its fields as they will be at the link's other end
 * @begin: tick at which the link starts the packet
 */
void kncube_queue_add(struct torus_domain *d, u32 node, u32 dir, u32 pkt, u64 begin)
{
	struct kncube_queue *q = queue_open(d, node, dir, begin);
	struct torus_packet *p = torus_packet_at(d, pkt), *last;

	if (!q)
		return;
	q->packets++;
	q->chunks += p->chunks;
	q->identity += torus_packet_identity(p);
	last = q->head == TORUS_NONE ? NULL : torus_packet_at(d, q->tail);
	if (last && torus_source_repeats(d->f->workload) && record_takes(last, p)) {
		last->body++;
		torus_packet_free(d, pkt);
		return;
	}
	p->body = 0;
	p->next = TORUS_NONE;
	if (last)
		last->next = pkt;
	else
		q->head = pkt;
	q->tail = pkt;
}

/**
 * kncube_queue_count() - count a packet of the node's own source at the end of a link's queue
 * @d: the node's domain
 * @node: the node
 * @dir: direction of the link
 * @pkt: the last packet that its source has sent; freed if it has been counted
 * @begin: tick at which the link starts the packet
 *
 * Return: false if the packet must be stored: it does not follow from its number alone, stored
 * packets wait before it, or counted packets joined the queue at another tick.
 */
bool kncube_queue_count(struct torus_domain *d, u32 node, u32 dir, u32 pkt, u64 begin)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct kncube_queue *q;

	if (!torus_source_repeats(d->f->workload))
		return false;
	q = queue_open(d, node, dir, begin);
	if (!q)
		return true;
	if (q->head != TORUS_NONE || (q->own && q->entered != d->now))
		return false;
	if (!q->own) {
		q->number = torus_source_sent(d, node) - 1;
		q->entered = d->now;
	}
	q->own++;
	q->own_chunks += p->chunks;
	q->own_identity += torus_packet_identity(p);
	torus_packet_free(d, pkt);
	return true;
}

/*
 * Draw packet @number of a source again. Return false if the packet does not leave its node by link
 * @dir.
 */
static bool own_draw(struct torus_domain *d, u32 node, u64 number, u32 dir,
		     struct torus_packet *p)
{
	if (!torus_source_repeat(d, node, number, p))
		return false;
	kncube_route(d->machine, node, p);
	return ((struct kncube_fields *)p->header)->dir == dir;
}

/* Draw the first counted packet. Return TORUS_NONE if the domain has failed. */
static u32 queue_take_own(struct torus_domain *d, u32 node, u32 dir, struct kncube_queue *q)
{
	const struct kncube_machine *m = d->machine;
	u32 pkt = torus_pool_get(&d->pool);
	struct torus_packet *p;

	if (pkt == TORUS_NONE) {
		d->failed = true;
		return pkt;
	}
	p = torus_packet_at(d, pkt);
	p->entered = q->entered;
	while (!own_draw(d, node, q->number++, dir, p))
		if (torus_unlikely(!(q->number & 65535)))
			torus_yield();
	q->own--;
	q->own_chunks -= p->chunks;
	q->own_identity -= torus_packet_identity(p);
	kncube_step(m->geo, node, p);
	return pkt;
}

/* Remove the first packet of the first record. Return TORUS_NONE if the domain has failed. */
static u32 queue_take_stored(struct torus_domain *d, struct kncube_queue *q)
{
	struct torus_packet *p = torus_packet_at(d, q->head);
	u32 pkt = q->head;

	if (p->body) {
		pkt = torus_pool_get(&d->pool);
		if (pkt == TORUS_NONE) {
			d->failed = true;
			return pkt;
		}
		torus_pool_fill(&d->pool, pkt, p);
		p->body--;
		p->seq++;
	} else {
		q->head = q->head == q->tail ? TORUS_NONE : p->next;
	}
	torus_packet_at(d, pkt)->body = TORUS_NONE;
	q->packets--;
	q->chunks -= torus_packet_at(d, pkt)->chunks;
	q->identity -= torus_packet_identity(torus_packet_at(d, pkt));
	return pkt;
}

/**
 * kncube_queue_send() - send the packets of a queue that their link starts soon
 * @d: the node's domain
 * @node: the node
 * @dir: direction of the link
 *
 * Counted packets cannot be drawn again without their workload. After the workload has ended,
 * counted packets and all packets after them stay in the queue until the fabric is reset.
 */
void kncube_queue_send(struct torus_domain *d, u32 node, u32 dir)
{
	const struct kncube_machine *m = d->machine;
	struct kncube_node *n = kncube_node(d, node);
	struct kncube_queue *q = kncube_queue(d->f, node, dir);
	u32 peer = torus_geometry_neighbor(m->geo, node, dir), pkt;

	if (q->own && torus_unlikely(!d->f->workload))
		return;
	while (q->own + q->packets && q->next < d->now + SEND_TICKS) {
		pkt = q->own ? queue_take_own(d, node, dir, q) : queue_take_stored(d, q);
		if (torus_unlikely(pkt == TORUS_NONE))
			return;
		q->next += kncube_link_ticks(m, 1, torus_packet_at(d, pkt)->chunks);
		torus_send_packet(d, q->next, (struct torus_event){
			.kind = TORUS_EV_HEAD, .node = peer, .pkt = pkt, .dir = (u8)dir,
		});
	}
	if (q->own + q->packets)
		queue_wake(d, node, dir, q);
	else
		n->queued &= ~(1u << dir);
}

/**
 * kncube_queues_waiting() - add up the packets in queues of a node
 * @d: the node's domain
 * @node: the node
 * @dirs: mask: bit d selects the link in direction d
 * @packets: [in, out] the number of packets is added
 * @chunks: [in, out] the number of their chunks is added
 */
void kncube_queues_waiting(struct torus_domain *d, u32 node, u32 dirs, u64 *packets, u64 *chunks)
{
	u32 left;

	for (left = kncube_node(d, node)->queued & dirs; left; left &= left - 1) {
		const struct kncube_queue *q = kncube_queue(d->f, node, torus_ctz(left));

		*packets += q->own + q->packets;
		*chunks += q->own_chunks + q->chunks;
	}
}

/**
 * kncube_queues_census() - count the packets in a node's queues
 * @d: the node's domain
 * @node: the node
 * @check: the census
 */
void kncube_queues_census(struct torus_domain *d, u32 node, struct torus_check *check)
{
	u32 left;

	for (left = kncube_node(d, node)->queued; left; left &= left - 1) {
		const struct kncube_queue *q = kncube_queue(d->f, node, torus_ctz(left));

		check->packets += q->own + q->packets;
		check->identity += q->own_identity + q->identity;
	}
}

/* Write or read a record: its first packet, and the number of packets that follow. */
static void snapshot_record(struct torus_snapshot *snap, struct torus_domain *d, u32 peer, u32 *pkt)
{
	u32 more = snap->reading ? 0 : torus_packet_at(d, *pkt)->body;

	SNAPSHOT_FIELD(snap, more);
	torus_snapshot_check(snap, !more || (torus_source_repeats(d->f->workload) &&
					     more < d->f->workload->packets && more != TORUS_NONE),
			     "number of packets of a record =", more);
	/*
	 * in a record, @body of the first packet is the number of packets that follow it, because
	 * these packets have no body
	 */
	if (!snap->reading)
		torus_packet_at(d, *pkt)->body = TORUS_NONE;
	torus_snapshot_packet(snap, d, peer, pkt);
	/* after a failed write, too, the packet must be unchanged, because the fabric continues */
	if (!snap->reading || torus_snapshot_ok(snap))
		torus_packet_at(d, *pkt)->body = more;
}

/*
 * Add up the identities of a record's packets. A corrupt file may claim very many packets, so a
 * signal can stop the sum; the file is then rejected.
 */
static u64 record_identity(struct torus_snapshot *snap, const struct torus_packet *record)
{
	struct torus_packet p = *record;
	u64 sum = 0;
	u32 i;

	for (i = 0; i <= record->body; i++, p.seq++) {
		sum += torus_packet_identity(&p);
		if (!(~i & 65535)) {
			torus_yield();
			if (!torus_snapshot_check(snap, !torus_cancelled(),
						  "number of packets of a record =",
						  i))
				break;
		}
	}
	return sum;
}

static void snapshot_records(struct torus_snapshot *snap, struct torus_domain *d, u32 peer,
			     struct kncube_queue *q)
{
	u32 count = 0, pkt, i;

	for (pkt = q->head; !snap->reading && pkt != TORUS_NONE; count++)
		pkt = torus_packet_at(d, pkt)->next;
	SNAPSHOT_FIELD(snap, count);
	for (i = 0, pkt = q->head; i < count && torus_snapshot_ok(snap); i++) {
		u32 next = snap->reading ? TORUS_NONE : torus_packet_at(d, pkt)->next;

		snapshot_record(snap, d, peer, &pkt);
		if (snap->reading && torus_snapshot_ok(snap)) {
			u64 packets = torus_packet_at(d, pkt)->body + 1ull;

			q->packets += packets;
			q->chunks += packets * torus_packet_at(d, pkt)->chunks;
			if (torus_snapshot_check(snap, q->packets <= torus_fabric_in_flight(d->f),
						 "number of packets for a link =", q->packets))
				q->identity += record_identity(snap, torus_packet_at(d, pkt));
			if (q->head == TORUS_NONE)
				q->head = pkt;
			else
				torus_packet_at(d, q->tail)->next = pkt;
			q->tail = pkt;
		}
		pkt = next;
	}
}

static void snapshot_queue(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir)
{
	const struct kncube_machine *m = d->machine;
	u32 peer = torus_geometry_neighbor(m->geo, node, dir);
	struct kncube_queue *q = kncube_queue(d->f, node, dir);

	if (!torus_snapshot_check(snap, peer != TORUS_NONE,
				  "packets for a missing link in direction", dir))
		return;
	SNAPSHOT_FIELD(snap, q->next);
	SNAPSHOT_FIELD(snap, q->own);
	SNAPSHOT_FIELD(snap, q->own_chunks);
	SNAPSHOT_FIELD(snap, q->own_identity);
	SNAPSHOT_FIELD(snap, q->number);
	SNAPSHOT_FIELD(snap, q->entered);
	snapshot_records(snap, d, peer, q);
	if (!torus_snapshot_check(snap, q->next >= d->f->clock && q->next < TICKS_MAX,
				  "tick of a link =", q->next) ||
	    !torus_snapshot_check(snap, q->own < TICKS_MAX && q->own_chunks < TICKS_MAX,
				  "number of packets of a source for a link =", q->own) ||
	    !torus_snapshot_check(snap, q->own + q->packets, "number of packets for a link =", 0))
		return;
	if (snap->reading)
		queue_wake(d, node, dir, q);
}

/**
 * kncube_queues_snapshot() - write or read a node's queues
 * @snap: the snapshot
 * @d: the node's domain
 * @node: the node
 */
void kncube_queues_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	struct kncube_node *n = kncube_node(d, node);
	u32 left;

	SNAPSHOT_FIELD(snap, n->queued);
	torus_snapshot_check(snap, !((u64)n->queued >> d->f->dirs),
			     "mask of a node's queued links =", n->queued);
	if (snap->reading && !torus_snapshot_ok(snap))
		n->queued = 0;
	if (n->queued && !queues_make(d->f, node)) {
		torus_snapshot_no_memory(snap);
		n->queued = 0;
	}
	for (left = n->queued; left && torus_snapshot_ok(snap); left &= left - 1)
		snapshot_queue(snap, d, node, torus_ctz(left));
}

/* Check that stored packets leave by the link. */
static void verify_stored(struct torus_snapshot *snap, struct torus_domain *d, u32 dir,
			  const struct kncube_queue *q)
{
	u32 pkt;

	for (pkt = q->head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		torus_snapshot_check(snap, ((const struct kncube_fields *)p->header)->dir == dir,
				     "wrong direction of a packet of source", p->src);
	}
}

/*
 * Draw a source's packets again, and subtract them from the counts of counted packets in its node's
 * queues.
 */
static void verify_own(struct torus_domain *d, u32 node, struct kncube_queue *left, u64 first,
		       u64 end)
{
	struct torus_packet p = { .body = TORUS_NONE };
	struct kncube_queue *q;
	u64 number, rest = 0;
	u32 dir;

	for (dir = 0; dir < d->f->dirs; dir++)
		rest += left[dir].own;
	for (number = first; number < end && rest; number++) {
		if (!(number & 65535)) {
			torus_yield();
			if (torus_cancelled())
				return;
		}
		if (!torus_source_repeat(d, node, number, &p))
			continue;
		kncube_route(d->machine, node, &p);
		q = &left[((struct kncube_fields *)p.header)->dir];
		if (!q->own || number < q->number)
			continue;
		q->own--;
		rest--;
		q->own_chunks -= p.chunks;
		q->own_identity -= torus_packet_identity(&p);
	}
}

static void verify_queue(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir,
			 const struct kncube_queue *q)
{
	const struct torus_workload *w = d->f->workload;
	u64 ticks = kncube_link_ticks(d->machine, q->own + q->packets, q->own_chunks + q->chunks);

	torus_snapshot_check(snap, kncube_node(d, node)->link_free[dir] == q->next + ticks,
			     "tick of a link =", kncube_node(d, node)->link_free[dir]);
	torus_snapshot_check(snap, !q->own ||
			     (torus_source_repeats(w) && q->entered <= d->f->clock),
			     "number of packets of a source for a link =", q->own);
	verify_stored(snap, d, dir, q);
}

/**
 * kncube_queues_verify() - check a node's queues that were read from a file
 * @snap: the snapshot
 * @d: the node's domain
 * @node: the node
 */
void kncube_queues_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	u64 first = ~0ull;
	struct kncube_queue own[2 * TORUS_DIMS_MAX] = { 0 };
	u32 left, dir;

	for (left = kncube_node(d, node)->queued; left; left &= left - 1) {
		dir = torus_ctz(left);
		own[dir] = *kncube_queue(d->f, node, dir);
		verify_queue(snap, d, node, dir, &own[dir]);
		if (own[dir].own && own[dir].number < first)
			first = own[dir].number;
	}
	if (first == ~0ull || !torus_snapshot_ok(snap))
		return;
	verify_own(d, node, own, first, torus_source_sent(d, node));
	for (dir = 0; dir < d->f->dirs; dir++)
		torus_snapshot_check(snap, !own[dir].own && !own[dir].own_chunks &&
				     !own[dir].own_identity, "number of packets of a source for a "
							     "link =",
				     own[dir].own);
}
