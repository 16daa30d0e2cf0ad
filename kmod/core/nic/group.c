// SPDX-License-Identifier: GPL-2.0
/* FIFO groups: attach and detach clients, deliver received packets to them. */
#include "core/link/corruption.h"
#include "core/nic/group.h"
#include "core/base/node_number.h"
#include "core/link/link.h"
#include "core/nic/inject.h"
#include "core/state/domain.h"
#include "core/state/packets.h"
#include "core/nic/vtime_client.h"
#include "core/nic/fifo_status.h"
#include "core/nic/completion_report.h"
#include "core/nic/inject_queue.h"
#include "core/nic/record.h"

u64 torus_nic_clock(struct torus_fabric *f, u32 node)
{
	return torus_domain_of(f, node)->now;
}

static void group_fifo_empty(struct torus_nic_fifo *fifo)
{
	fifo->head = TORUS_NONE;
	fifo->tail = TORUS_NONE;
	fifo->chunks = 0;
	fifo->whole = 0;
	fifo->blocked_since = 0;
	fifo->stall_reported = false;
	fifo->queued = 0;
	fifo->taken = 0;
	fifo->record = TORUS_NIC_RECORD_NONE;
}

struct torus_nic *torus_nic_make(struct torus_fabric *f, u32 node, u32 group)
{
	size_t groups = (size_t)f->nodes * f->arch->groups;
	struct torus_nic *nic;
	u32 i;

	if (!f->nic)
		f->nic = torus_grow(groups * sizeof(*f->nic));
	if (!f->nic)
		return NULL;
	nic = torus_nic_get(f, node, group);
	if (nic)
		return nic;
	nic = torus_grow(sizeof(*nic));
	if (!nic)
		return NULL;
	nic->node = node;
	nic->group = group;
	for (i = 0; i < f->arch->receive_fifos; i++)
		group_fifo_empty(&nic->receive[i]);
	f->nic[torus_group_index(f, node, group)] = nic;
	return nic;
}

/* Allocate the arrays of all groups, and the state that users' packets need on any node. */
static bool group_prepare(struct torus_fabric *f, const struct torus_nic_ops *ops)
{
	size_t groups = (size_t)f->nodes * f->arch->groups;

	if (!f->attached)
		f->attached = torus_grow(groups * sizeof(*f->attached));
	if (!f->generation)
		f->generation = torus_grow(groups * sizeof(*f->generation));
	if (!f->completions && ops->ended)
		f->completions = torus_grow(groups * sizeof(*f->completions));
	if (!f->attached || !f->generation || (!f->completions && ops->ended) ||
	    torus_link_crcs_init(f) || (f->arch->attach && f->arch->attach(f)))
		return false;
	torus_packets_widen(f);
	return true;
}

static struct torus_nic *group_allocate(struct torus_fabric *f, u32 node, u32 group,
					const struct torus_nic_ops *ops)
{
	if (!group_prepare(f, ops) || torus_received_init(torus_domain_of(f, node)))
		return NULL;
	return torus_nic_make(f, node, group);
}

/* Reset the counts of accepted and completed packets of a group for a new client. */
static void group_begin(struct torus_fabric *f, struct torus_nic *nic)
{
	size_t at = torus_group_index(f, nic->node, nic->group);

	nic->leaving = false;
	nic->reported = false;
	nic->accepted = 0;
	nic->ended = 0;
	nic->completed = 0;
	if (f->completions)
		f->completions[at] = (struct torus_completions){
			.generation = nic->ops->ended ? nic->generation : 0,
		};
}

/* Attach a group on a node of another process: this process only records that it has a client. */
static int group_attach_away(struct torus_fabric *f, u32 node, u32 group, u32 *generation)
{
	*generation = ++f->generation[torus_group_index(f, node, group)];
	f->epoch++;
	return 0;
}

int torus_nic_attach(struct torus_fabric *f, u32 node, u32 group, bool priority,
		     const struct torus_nic_ops *ops, void *client, u32 *generation,
		     struct torus_error *err)
{
	bool here = node < f->nodes && torus_node_here(f, node);
	struct torus_nic *nic;
	u32 i;

	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (group >= f->arch->groups)
		return torus_fail(err, EINVAL, "group %u: a node of %s has only %u FIFO groups",
				  group, f->arch->name, f->arch->groups);
	if (!f->arch->check)
		return torus_fail(err, EOPNOTSUPP, "%s has no FIFOs for programs", f->arch->name);
	if (f->workload)
		return torus_fail(err, EBUSY, "the fabric runs a synthetic workload");
	nic = here ? group_allocate(f, node, group, ops) : NULL;
	if (here ? !nic : !group_prepare(f, ops))
		return torus_fail(err, ENOMEM, "no memory for a NIC of node %u", node);
	if (!here)
		return group_attach_away(f, node, group, generation);
	if (nic->ops)
		return torus_fail(err, EBUSY, "group %u of node %u is already in use", group,
				  torus_node_number(&f->cfg.geo, node));
	for (i = 0; i < f->arch->receive_fifos; i++)
		group_fifo_empty(&nic->receive[i]);
	nic->ops = ops;
	nic->client = client;
	if (!torus_nic_record_begin(f, nic)) {
		nic->ops = NULL;
		nic->client = NULL;
		return torus_fail(err, ENOMEM, "no memory for a NIC of node %u", node);
	}
	nic->priority = priority;
	*generation = ++f->generation[torus_group_index(f, node, group)];
	nic->generation = *generation;
	nic->epoch = ++f->epoch;
	group_begin(f, nic);
	f->attached[f->nattached++] = (u32)torus_group_index(f, node, group);
	f->router->touch(f, node);
	torus_queues_look(f, node);
	return 0;
}

/* Reset all groups. Clients stay attached; registers, counters and sequence numbers start again. */
void torus_nic_reset(struct torus_fabric *f)
{
	size_t groups = (size_t)f->nodes * f->arch->groups, i;
	u32 j;

	torus_completions_reset(f);
	for (i = 0; f->nic && i < groups; i++) {
		struct torus_nic *nic = f->nic[i];

		if (!nic)
			continue;
		nic->sequence = 0;
		nic->waits = 0;
		memset(nic->receive, 0, sizeof(nic->receive));
		memset(nic->inject, 0, sizeof(nic->inject));
		memset(nic->watermark, 0, sizeof(nic->watermark));
		nic->marked = 0;
		for (j = 0; j < f->arch->receive_fifos; j++)
			group_fifo_empty(&nic->receive[j]);
		torus_nic_record_clear(nic);
	}
}

static u32 fifo_pop(struct torus_domain *d, struct torus_nic_fifo *fifo)
{
	u32 pkt = fifo->head;
	struct torus_packet *p = torus_packet_at(d, pkt);

	fifo->head = pkt == fifo->tail ? TORUS_NONE : p->next;
	fifo->chunks -= p->chunks;
	fifo->taken++;
	return pkt;
}

static bool fifo_holds(const struct torus_nic_fifo *q)
{
	return q->head != TORUS_NONE || q->record != TORUS_NIC_RECORD_NONE;
}

/* Remove the record at the head of a reception FIFO; @kept points to the record. */
static void fifo_record_pop(struct torus_nic *nic, u32 fifo, const struct torus_nic_record *kept)
{
	nic->receive[fifo].chunks -= kept->chunks;
	nic->receive[fifo].whole -= kept->chunks;
	torus_nic_record_pop(nic, fifo);
}

/* Discard the first packet, or record, of a reception FIFO, which is not empty. */
static void fifo_discard(struct torus_domain *d, struct torus_nic *nic, u32 fifo)
{
	const struct torus_nic_record *kept = torus_nic_record_first(nic, fifo);
	struct torus_nic_fifo *q = &nic->receive[fifo];
	u32 pkt;

	d->stats.unread++;
	if (kept) {
		fifo_record_pop(nic, fifo, kept);
		return;
	}
	pkt = fifo_pop(d, q);
	q->whole -= torus_packet_at(d, pkt)->chunks;
	torus_completion_lost(d, nic->node, torus_packet_at(d, pkt),
			      TORUS_NOTICE_READER_GONE_UNREAD);
	torus_packet_free(d, pkt);
}

static void group_flush(struct torus_fabric *f, struct torus_nic *nic)
{
	struct torus_domain *d = torus_domain_of(f, nic->node);
	u32 i;

	for (i = 0; i < f->arch->receive_fifos; i++) {
		while (fifo_holds(&nic->receive[i]))
			fifo_discard(d, nic, i);
		nic->receive[i].whole = 0;
		/* the rx_stall time-out starts when the next packet finds no free space */
		nic->receive[i].blocked_since = 0;
		nic->receive[i].stall_reported = false;
	}
	nic->waits = 0;
}

void torus_nic_flush(struct torus_fabric *f, u32 node)
{
	u32 group;

	for (group = 0; group < f->arch->groups; group++) {
		struct torus_nic *nic = torus_nic_get(f, node, group);

		if (nic && nic->ops)
			group_flush(f, nic);
	}
	f->router->touch(f, node);
}

void torus_nic_leave(struct torus_fabric *f, u32 node, u32 group)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);

	if (!nic || !nic->ops)
		return;
	nic->leaving = true;
	group_flush(f, nic);
	f->router->touch(f, node);
	torus_queues_look(f, node);
}

void torus_nic_detach(struct torus_fabric *f, u32 node, u32 group)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);
	u32 i;

	/* another process simulates the node: only count the detachment here */
	if (!torus_node_here(f, node) && torus_group_generation(f, node, group) & 1) {
		f->generation[torus_group_index(f, node, group)]++;
		f->epoch++;
	}
	if (!nic || !nic->ops)
		return;
	group_flush(f, nic);
	torus_nic_record_end(nic);
	nic->ops = NULL;
	nic->client = NULL;
	nic->vtime = NULL;
	if (f->completions)
		f->completions[torus_group_index(f, node, group)].generation = 0;
	nic->left = ++f->epoch;
	f->generation[torus_group_index(f, node, group)]++;
	for (i = 0; i < f->nattached; i++)
		if (f->attached[i] == torus_group_index(f, node, group))
			f->attached[i] = f->attached[--f->nattached];
	/* packets that waited for this group must be checked again */
	f->router->touch(f, node);
	torus_queues_look(f, node);
}

/* ---------------------------------------------------------------- reception */

/*
 * Check whether a client may receive a broadcast: the client must have been attached when the
 * broadcast was sent. With no_listener=hold, a client that attached later may receive the
 * broadcast, too, if no client of the group has detached since.
 */
static bool group_broadcast_known(const struct torus_fabric *f, const struct torus_nic *nic,
				  const struct torus_packet *p)
{
	if (!nic)
		return true;
	return (s32)(p->generation - (f->hold ? nic->left : nic->epoch)) >= 0;
}

/* Check whether a client has had no free space for rx_stall ticks or longer. */
static bool group_stalled(const struct torus_domain *d, const struct torus_nic_fifo *q)
{
	return d->f->rx_stall && q->blocked_since && d->now - q->blocked_since >= d->f->rx_stall;
}

/**
 * torus_nic_admit() - check whether an arriving packet may enter its reception FIFO
 * @d: the domain
 * @node: index of the destination
 * @p: the packet
 * @fifo: index of the reception FIFO
 * @drop: [out] if the packet may not enter: reason to drop it, or TORUS_DROP_MAX if it waits
 *
 * Return: true if the packet may enter; space in the FIFO is then reserved.
 */
bool torus_nic_admit(struct torus_domain *d, u32 node, struct torus_packet *p, u32 fifo, u32 *drop)
{
	struct torus_fabric *f = d->f;
	struct torus_nic *nic = torus_nic_get(f, node, p->group);
	u32 generation = torus_group_generation(f, node, p->group);
	bool held = nic && nic->ops, known;
	struct torus_nic_fifo *q;

	known = p->flags & TORUS_PACKET_DEPOSIT ? group_broadcast_known(f, nic, p) :
						  p->generation == generation;
	/* no_listener=hold: a packet for a group without a client waits for the next client */
	if (f->hold && !held && known) {
		*drop = TORUS_DROP_MAX;
		return false;
	}
	if (f->hold && held && !(p->generation & 1) && p->generation + 1 == generation &&
	    !(p->flags & TORUS_PACKET_DEPOSIT)) {
		p->generation = generation;
		known = true;
	}
	if (!held || !known) {
		*drop = TORUS_DROP_NO_LISTENER;
		return false;
	}
	q = &nic->receive[fifo];
	if (q->chunks + p->chunks <= f->arch->fifo_chunks) {
		q->chunks += p->chunks;
		if (q->chunks > q->high_water)
			q->high_water = q->chunks;
		return true;
	}
	*drop = TORUS_DROP_MAX;
	if (group_stalled(d, q))
		*drop = TORUS_DROP_RX_STALL;
	return false;
}

/*
 * Deliver the first packet or record of a reception FIFO to the client; false if the client has no
 * free space.
 */
static bool fifo_hand(struct torus_domain *d, struct torus_nic *nic, u32 fifo)
{
	const struct torus_nic_record *kept = torus_nic_record_first(nic, fifo);
	struct torus_nic_fifo *q = &nic->receive[fifo];
	struct torus_packet *p;

	if (torus_unlikely(kept)) {
		q->arrived = kept->arrived;
		if (!nic->ops->push(nic->client, fifo, kept->bytes, kept->chunks))
			return false;
		fifo_record_pop(nic, fifo, kept);
	} else {
		p = torus_packet_at(d, q->head);
		q->arrived = d->now - torus_packet_since(d->now, p->entered);
		if (!nic->ops->push(nic->client, fifo, torus_packet_last(d, p), p->chunks))
			return false;
		q->whole -= p->chunks;
		torus_completion_delivered(d, p);
		torus_packet_free(d, fifo_pop(d, q));
	}
	q->packets++;
	torus_vtime_client_wake(d, nic, TORUS_VTIME_EVENT_ARRIVAL);
	return true;
}

/* Deliver packets and records of a reception FIFO while the client has free space. */
static bool fifo_drain(struct torus_domain *d, struct torus_nic *nic, u32 fifo)
{
	struct torus_nic_fifo *q = &nic->receive[fifo];
	bool moved = false;

	for (; fifo_holds(q); moved = true) {
		if (nic->leaving) {
			fifo_discard(d, nic, fifo);
		} else if (!fifo_hand(d, nic, fifo)) {
			if (!q->blocked_since)
				q->blocked_since = d->now | 1;
			return moved;
		}
	}
	nic->waits &= ~(1u << fifo);
	q->blocked_since = 0;
	q->stall_reported = false;
	return moved;
}

/* Count a packet or record of @chunks in a reception FIFO, and try to deliver it. */
static void fifo_came(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 chunks)
{
	nic->waits |= 1u << fifo;
	torus_fifo_arrived(d, nic, fifo, chunks);
	if (fifo_drain(d, nic, fifo))
		nic->ops->notify(nic->client);
}

torus_inline void fifo_append(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_nic_fifo *q = &nic->receive[fifo];

	/* from now on, @entered is the tick of the reception */
	p->entered = d->now;
	if (q->head == TORUS_NONE)
		q->head = pkt;
	else
		torus_packet_at(d, q->tail)->next = pkt;
	q->tail = pkt;
	q->queued++;
	fifo_came(d, nic, fifo, p->chunks);
}

/**
 * torus_nic_report() - append a record of the machine's own NIC to a reception FIFO
 * @d: domain of the node
 * @record: source and destination are this node; has the client's group, header and length
 * @fifo: index of the reception FIFO; the record comes after the packets in the FIFO
 * @bytes: contents of the record; the header overwrites its first bytes
 *
 * A record has not crossed the network, so the fabric's counters of injected and delivered packets
 * do not include it. It needs no space in the modelled FIFO, so it waits even if the FIFO is full.
 *
 * Return: false if the group has no client, if its client leaves, if the group has no memory for
 * records, or if TORUS_NIC_RECORDS_MAX records wait for it. The last two are reported as
 * TORUS_NOTICE_ALL to a client that requests completions.
 */
bool torus_nic_report(struct torus_domain *d, const struct torus_packet *record, u32 fifo,
		      const u8 *bytes)
{
	struct torus_nic *nic = torus_nic_get(d->f, record->dst, record->group);
	struct torus_nic_record *kept;

	if (!nic || !nic->ops || nic->leaving)
		return false;
	kept = torus_nic_record_push(nic, fifo);
	if (!kept) {
		torus_completion_unknown(d, record->dst, record->group);
		return false;
	}
	kept->arrived = d->now;
	kept->chunks = record->chunks;
	memcpy(kept->bytes, bytes, record->chunks * d->f->arch->chunk_bytes);
	d->f->arch->image(record, 0, kept->bytes);
	nic->receive[fifo].chunks += record->chunks;
	fifo_came(d, nic, fifo, record->chunks);
	return true;
}

/**
 * torus_nic_receive() - receive a user's packet whose last byte is in its reception FIFO
 * @d: the domain
 * @node: index of the destination
 * @pkt: index of the packet
 * @fifo: index of the reception FIFO
 */
void torus_nic_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_nic *nic = torus_nic_get(d->f, node, p->group);

	/* the client detached while the packet arrived */
	if (!nic->ops || nic->generation != p->generation) {
		torus_stats_drop(d, node, pkt, TORUS_DROP_NO_LISTENER);
		return;
	}
	torus_stats_deliver(d, node, p);
	fifo_append(d, nic, fifo, pkt);
}

bool torus_nic_drain(struct torus_fabric *f, struct torus_nic *nic)
{
	struct torus_domain *d = torus_domain_of(f, nic->node);
	bool moved = false;
	u32 waits;

	for (waits = nic->waits; waits; waits &= waits - 1)
		moved |= fifo_drain(d, nic, torus_ctz(waits));
	if (!moved)
		return false;
	nic->ops->notify(nic->client);
	f->router->touch(f, nic->node);
	torus_queues_look(f, nic->node);
	return true;
}

/*
 * Inject packets of a client, and deliver received packets while the client has free space. Return:
 * true if a packet was moved or rejected.
 */
static bool group_look(struct torus_fabric *f, struct torus_nic *nic)
{
	struct torus_domain *d = torus_domain_of(f, nic->node);
	bool drained = nic->waits && torus_nic_drain(f, nic), look = false;
	u32 fifo, waits;

	for (waits = nic->waits; waits; waits &= waits - 1) {
		fifo = torus_ctz(waits);
		if (group_stalled(d, &nic->receive[fifo]) && !nic->receive[fifo].stall_reported) {
			nic->receive[fifo].stall_reported = true;
			look = true;
		}
	}
	if (torus_nic_take(d, nic)) {
		drained = true;
		look = true;
	}
	if (look) {
		f->router->touch(f, nic->node);
		torus_queues_look(f, nic->node);
	}
	return drained;
}

/* Number of polls per retry of the waiting requests, while events are pending. */
#define WANTING_POLLS	64

/*
 * Schedule retries of clients' requests for which memory was exhausted: the next run of the fabric
 * retries them.
 */
static void groups_want(struct torus_fabric *f)
{
	bool pending = torus_fabric_pending(f);
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		if (f->domain[i].wanting)
			f->wanting = TORUS_WANTING_SOME;
		f->domain[i].wanting = false;
	}
	if (f->wanting == TORUS_WANTING_AGAIN && !pending)
		f->wanting = TORUS_WANTING_NONE;
	if (f->wanting != TORUS_WANTING_SOME || (pending && ++f->wanting_polls % WANTING_POLLS))
		return;
	for (i = 0; i < f->nodes; i++)
		f->router->refill(f, i);
	f->wanting = TORUS_WANTING_AGAIN;
}

bool torus_nic_wants(const struct torus_fabric *f)
{
	bool wanting = f->wanting;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		wanting |= f->domain[i].wanting;
	return wanting;
}

size_t torus_nic_kept_bytes(const struct torus_arch *arch)
{
	return arch->kept_bytes +
	       TORUS_PACKETS_KEPT * (sizeof(struct torus_packet) +
				     torus_body_stride(arch->packet_chunks_max *
						       arch->chunk_bytes));
}

bool torus_nic_poll(struct torus_fabric *f)
{
	bool moved = false;
	u32 i;

	for (i = 0; i < f->nattached; i++) {
		moved |= group_look(f, f->nic[f->attached[i]]);
		torus_breathe();
	}
	torus_completions_deliver(f);
	if (torus_unlikely(torus_nic_wants(f)))
		groups_want(f);
	return moved;
}

bool torus_nic_look(struct torus_fabric *f, u32 node, u32 group)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);
	bool moved = nic && nic->ops && group_look(f, nic);

	torus_completions_deliver(f);
	return moved;
}
