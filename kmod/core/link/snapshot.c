// SPDX-License-Identifier: GPL-2.0
/*
 * Live links in a snapshot: the set of live links, pending faults, and the state of each live
 * link.
 */
#include "core/base/geometry.h"
#include "core/link/snapshot.h"
#include "core/link/corruption.h"
#include "core/link/fault.h"
#include "core/link/internal.h"
#include "core/state/snapshot_events.h"
#include "core/state/packets.h"

/* Write or read the boolean members of a link but @live. Values that are read must be 0 or 1. */
static void link_snapshot_flags(struct torus_snapshot *snap, struct torus_link *l)
{
	bool *const flags[] = {
		&l->down, &l->base_down, &l->busy, &l->timer, &l->parked, &l->behind_loss,
		&l->disabled, &l->dead, &l->no_resend, &l->cut, &l->deaf,
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		torus_snapshot_flag(snap, flags[i]);
}

#define LINK_FIELD(name)	SNAPSHOT_FIELD(snap, l->name)

static void link_snapshot_sender(struct torus_snapshot *snap, struct torus_link *l)
{
	SNAPSHOT_FIELD(snap, l->rng);
	SNAPSHOT_FIELD(snap, l->ber);
	SNAPSHOT_FIELD(snap, l->error_in);
	SNAPSHOT_FIELD(snap, l->delay);
	SNAPSHOT_FIELD(snap, l->deadline);
	SNAPSHOT_FIELD(snap, l->resent_at);
	SNAPSHOT_FIELD(snap, l->base_ber);
	SNAPSHOT_FIELD(snap, l->base_delay);
	SNAPSHOT_FIELD(snap, l->bytes);
	SNAPSHOT_FIELD(snap, l->corrupt);
	SNAPSHOT_FIELD(snap, l->escape);
	SNAPSHOT_FIELD(snap, l->drop_ack);
	SNAPSHOT_FIELD(snap, l->corrupt_ack);
	SNAPSHOT_FIELD(snap, l->drop_nack);
	SNAPSHOT_FIELD(snap, l->retries);
	SNAPSHOT_FIELD(snap, l->token_retries);
	SNAPSHOT_FIELD(snap, l->lost);
	SNAPSHOT_FIELD(snap, l->next_seq);
	SNAPSHOT_FIELD(snap, l->lost_seq);
	TORUS_LINK_SENDER_COUNTERS(LINK_FIELD, LINK_FIELD);
	SNAPSHOT_FIELD(snap, l->resend_ticks);
	torus_snapshot_check(snap, l->rng || !l->live, "random stream of a link =", l->rng);
	torus_snapshot_check(snap, l->delay <= TORUS_DELAY_MAX && l->base_delay <= TORUS_DELAY_MAX,
			     "delay of a link =", l->delay);
}

static void link_snapshot_receiver(struct torus_snapshot *snap, struct torus_link *l)
{
	SNAPSHOT_FIELD(snap, l->expected);
	SNAPSHOT_FIELD(snap, l->ecc_single);
	SNAPSHOT_FIELD(snap, l->ecc_double);
	SNAPSHOT_FIELD(snap, l->parity);
	TORUS_LINK_RECEIVER_COUNTERS(LINK_FIELD);
}

/* Write or read the resend FIFO, and the position in it of the next packet to retransmit. */
static void link_snapshot_packets(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
				  u32 dir,
				  struct torus_link *l)
{
	u32 place = TORUS_NONE, i = 0, pkt;

	torus_snapshot_packets(snap, d, node, &l->head, &l->tail);
	for (pkt = l->head; !snap->reading && pkt != TORUS_NONE; i++) {
		place = pkt == l->resend ? i : place;
		pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
	}
	SNAPSHOT_FIELD(snap, place);
	if (!snap->reading || !torus_snapshot_ok(snap))
		return;
	l->resend = TORUS_NONE;
	for (i = 0, pkt = l->head; pkt != TORUS_NONE; i++) {
		l->resend = i == place ? pkt : l->resend;
		/* @slot of a packet on a link is its buffer at the receiver */
		torus_snapshot_check(snap, torus_packet_at(d, pkt)->slot / d->f->vcs == dir,
				     "buffer of a packet =", torus_packet_at(d, pkt)->slot);
		pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
	}
	torus_snapshot_check(snap, (place == TORUS_NONE) == (l->resend == TORUS_NONE),
			     "index of a packet =", place);
}

/**
 * torus_link_snapshot() - write or read a live link's sender, and the receiver of its direction
 * @snap: the snapshot
 * @d: the domain of a fabric with live links
 * @node: the node of both
 * @dir: the direction
 */
void torus_link_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 vc;

	link_snapshot_flags(snap, l);
	link_snapshot_sender(snap, l);
	link_snapshot_receiver(snap, l);
	if (l->live)
		link_snapshot_packets(snap, d, node, dir, l);
	if (!snap->reading)
		return;
	torus_snapshot_check(snap, l->live || !l->parked, "a parked link in direction", dir);
	d->links_parked += l->parked;
	for (vc = 0; vc < TORUS_VCS_MAX; vc++) {
		torus_snapshot_check(snap, !l->lost[vc] || (l->live && vc < d->f->vcs),
				     "number of lost tokens =", l->lost[vc]);
		d->tokens_waiting += l->lost[vc];
	}
}

/* Check whether node @node has a link in direction @dir. */
static bool link_there(const struct torus_fabric *f, u32 node, u32 dir)
{
	return torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE;
}

/* Return a mask for a node of this process: bit d is set if the link in direction d is live. */
static u32 links_live_mask(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 mask = 0, dir;

	for (dir = 0; f->links && torus_node_here(f, node) && dir < f->dirs; dir++)
		mask |= (u32)torus_link_at(d, node, dir)->live << dir;
	return mask;
}

/*
 * Write or read a node's mask of live links. @own: the current mask. For writing, the caller has
 * merged the masks of all processes.
 */
static void links_snapshot_node(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
				u32 own)
{
	u32 mask = own, dir;

	SNAPSHOT_FIELD(snap, mask);
	torus_snapshot_check(snap, !(own & ~mask) && !(mask >> 1 >> (f->dirs - 1)),
			     "mask of a node's live links =", mask);
	for (dir = 0; snap->reading && dir < f->dirs && torus_snapshot_ok(snap); dir++) {
		if (!(mask >> dir & 1) ||
		    !torus_snapshot_check(snap, link_there(f, node, dir), "a link in direction",
					  dir) || !torus_link_near(f, node, dir))
			continue;
		if (torus_link_live(f, node, dir, NULL))
			torus_snapshot_no_memory(snap);
	}
}

/* Number of nodes whose masks of live links the processes exchange in one message. */
#define LINKS_BLOCK	1024u

static void links_snapshot_live(struct torus_snapshot *snap, struct torus_fabric *f)
{
	u64 *masks = torus_procs_alloc(f, LINKS_BLOCK * sizeof(*masks));
	u32 node, first, n, i;

	if (!masks) {
		torus_snapshot_no_memory(snap);
		return;
	}
	for (first = 0; first < f->nodes && torus_snapshot_ok(snap); first += n) {
		n = f->nodes - first < LINKS_BLOCK ? f->nodes - first : LINKS_BLOCK;
		for (i = 0; i < n; i++)
			masks[i] = links_live_mask(f, first + i);
		if (!snap->reading)
			torus_procs_sum(f, masks, n);
		for (node = first; node < first + n && torus_snapshot_ok(snap); node++)
			links_snapshot_node(snap, f, node, (u32)masks[node - first]);
		torus_yield();
	}
	torus_free(masks, LINKS_BLOCK * sizeof(*masks));
}

/**
 * torus_links_snapshot() - write or read the set of live links
 * @snap: the snapshot
 * @f: the fabric; for reading, it must have no packets
 *
 * Once links have been live, a fabric's packets stay wide and link CRCs stay allocated.
 */
void torus_links_snapshot(struct torus_snapshot *snap, struct torus_fabric *f)
{
	bool wide = f->domain[0].pool.grains == TORUS_PACKET_WIDE;
	bool crcs = f->link_crc, live = f->links;

	torus_snapshot_flag(snap, &wide);
	torus_snapshot_flag(snap, &crcs);
	torus_snapshot_flag(snap, &live);
	torus_snapshot_check(snap, !live || f->router->link_live, "flag for live links =", live);
	if (!torus_snapshot_ok(snap))
		return;
	if (wide)
		torus_packets_widen(f);
	if ((crcs && torus_link_crcs_init(f)) || (live && torus_links_live(f, NULL))) {
		torus_snapshot_no_memory(snap);
		return;
	}
	torus_snapshot_check(snap, wide == (f->domain[0].pool.grains == TORUS_PACKET_WIDE),
			     "flag for packets with all members =", wide);
	torus_snapshot_check(snap, crcs == !!f->link_crc, "flag for link CRCs =", crcs);
	torus_snapshot_check(snap, live == !!f->links, "flag for live links =", live);
	if (live && torus_snapshot_ok(snap))
		links_snapshot_live(snap, f);
}

/*
 * Return a mask of the directions in which all links of @node are live. TORUS_NONE: the links of
 * all nodes.
 */
static u32 links_able(struct torus_fabric *f, u32 node)
{
	u32 first = node == TORUS_NONE ? 0 : node, end = node == TORUS_NONE ? f->nodes : node + 1;
	u64 unable[2 * TORUS_DIMS_MAX] = { 0 };
	u32 able = ~0u, mask, dir;

	for (; first < end; first++) {
		if (!torus_node_here(f, first))
			continue;
		mask = links_live_mask(f, first);
		for (dir = 0; dir < f->dirs; dir++)
			unable[dir] += !(mask >> dir & 1) && link_there(f, first, dir);
		if (!(first & 1023))
			torus_yield();
	}
	torus_procs_sum(f, unable, f->dirs);
	for (dir = 0; dir < f->dirs; dir++)
		able &= ~((u32)!!unable[dir] << dir);
	return able;
}

/*
 * Write or read fault @i. @able: mask of the directions in which all links of the fabric are live.
 */
static void fault_snapshot(struct torus_snapshot *snap, struct torus_fabric *f, u32 i, u32 able)
{
	struct torus_fault *fault = &f->faults[i], plain;

	SNAPSHOT_FIELD(snap, *fault);
	if (!snap->reading || !torus_snapshot_ok(snap))
		return;
	plain = *fault;
	plain.what &= ~TORUS_FAULT_BEGUN;
	if (!torus_snapshot_check(snap, !torus_fault_check(f, &plain, NULL), "a fault of node",
				  fault->node) ||
	    !torus_snapshot_check(snap, fault->at + fault->lasts >= fault->at, "tick of a fault =",
				  fault->at))
		return;
	if (fault->node != TORUS_NONE)
		able = links_able(f, fault->node);
	if (torus_snapshot_check(snap, fault->dir == TORUS_NONE ? able == ~0u :
				 able >> fault->dir & 1,
				 "a fault of links that are not live, of node", fault->node))
		f->fault_state[i] = 1;
}

/* Return the number of fault entries up to the last that any process uses. */
static u32 faults_count(const struct torus_fabric *f)
{
	u32 count = 0, i;

	for (i = 0; f->fault_state && i < TORUS_FAULTS_MAX; i++)
		count = f->fault_state[i] ? i + 1 : count;
	return (u32)torus_procs_max(f, count);
}

/**
 * torus_faults_snapshot() - write or read the scheduled faults that have not begun or not ended
 * @snap: the snapshot
 * @f: the fabric, whose live links have been written or read. Reading forgets earlier faults;
 *   torus_faults_resume() schedules those that were read
 */
void torus_faults_snapshot(struct torus_snapshot *snap, struct torus_fabric *f)
{
	u32 count = snap->reading || !torus_snapshot_ok(snap) ? 0 : faults_count(f), able = 0, i;
	bool set;

	SNAPSHOT_FIELD(snap, count);
	torus_snapshot_check(snap, count <= TORUS_FAULTS_MAX, "number of faults =", count);
	if (!torus_snapshot_ok(snap))
		return;
	if (snap->reading && f->fault_state)
		memset(f->fault_state, 0, TORUS_FAULTS_MAX * sizeof(*f->fault_state));
	if (snap->reading && count) {
		if (torus_faults_alloc(f, NULL)) {
			torus_snapshot_no_memory(snap);
			return;
		}
		able = links_able(f, TORUS_NONE);
	}
	for (i = 0; i < count && torus_snapshot_ok(snap); i++) {
		set = !snap->reading && torus_procs_max(f, f->fault_state[i]);
		torus_snapshot_flag(snap, &set);
		if (set)
			fault_snapshot(snap, f, i, able);
	}
}
