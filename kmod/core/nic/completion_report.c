// SPDX-License-Identifier: GPL-2.0
/* Report completions and losses to the clients that sent the packets. */
#include "core/link/dead_node.h"
#include "core/nic/completion_report.h"
#include "core/link/link.h"
#include "core/nic/vtime_client.h"
#include "core/nic/group.h"
#include "core/state/domain.h"

static struct torus_nic *report_nic(struct torus_fabric *f, u32 i)
{
	return f->nic[f->attached[i]];
}

static struct torus_completions *report_counts(struct torus_fabric *f, const struct torus_nic *nic)
{
	return &f->completions[torus_group_index(f, nic->node, nic->group)];
}

/* Notify a client that any of its packets in flight may be lost. */
static void report_all_lost(struct torus_fabric *f, struct torus_nic *nic, u32 reason, u8 flags)
{
	const struct torus_lost_packet loss = {
		.tick = f->clock, .src = nic->node, .generation = nic->generation,
		.node = nic->node, .dst = nic->node, .reason = reason,
		.sender = (u8)nic->group, .group = (u8)nic->group,
		.flags = TORUS_NOTICE_ALL | flags,
	};

	nic->ops->lost(nic->client, &loss);
	nic->reported = true;
}

static void report_losses(struct torus_fabric *f, struct torus_lost_packets *l)
{
	u32 i;

	for (i = 0; i < l->count; i++) {
		const struct torus_lost_packet *loss = &l->list[i];
		struct torus_nic *nic = torus_nic_get(f, loss->src, loss->sender);

		/* the sender may have detached in the meantime */
		if (!nic->ops || !nic->ops->lost || nic->generation != loss->generation)
			continue;
		nic->ops->lost(nic->client, loss);
		nic->reported = true;
	}
	l->count = 0;
}

/*
 * Report the number of completed packets. A broadcast completes with its last copy. Copies in
 * flight are only counted, not assigned to broadcasts. In the worst case each copy belongs to
 * another broadcast, so report one completion less for each copy in flight.
 */
static void report_completed(struct torus_fabric *f, struct torus_nic *nic)
{
	struct torus_completions *counts = report_counts(f, nic);
	u64 completed;

	if (counts->missed && nic->ops->lost)
		report_all_lost(f, nic, TORUS_NOTICE_UNKNOWN, 0);
	counts->missed = 0;
	nic->ended += counts->ended - (u32)nic->ended;
	completed = nic->ended > counts->copies ? nic->ended - counts->copies : 0;
	if (completed <= nic->completed)
		return;
	nic->completed = completed;
	nic->ops->ended(nic->client, completed);
	nic->reported = true;
}

void torus_completions_deliver_all(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		f->domain[i].lost_packets.any = false;
		report_losses(f, &f->domain[i].lost_packets);
	}
	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = report_nic(f, i);

		if (nic->ops->ended)
			report_completed(f, nic);
		if (nic->reported) {
			nic->ops->notify(nic->client);
			torus_vtime_client_wake(torus_domain_of(f, nic->node), nic,
						TORUS_VTIME_EVENT_NOTICE);
		}
		nic->reported = false;
	}
}

/* ----------------------------------- packets that dead or parked links block */

static void report_blocked(struct torus_fabric *f, u32 node, u32 pkt)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_sender *by;
	struct torus_nic *nic;

	if (!(p->flags & TORUS_PACKET_USER) || p->flags & TORUS_PACKET_INVALID)
		return;
	by = &torus_body_at(&d->bodies, p->body)->sender;
	nic = torus_nic_get(f, p->src, by->group);
	if (by->reported || !nic->ops || !nic->ops->lost || nic->generation != by->generation)
		return;
	by->reported = true;
	nic->ops->lost(nic->client, &(struct torus_lost_packet){
		.tick = f->clock, .src = p->src, .generation = by->generation,
		.number = by->number, .node = node, .dst = p->dst,
		.reason = TORUS_NOTICE_LINK, .sender = by->group, .fifo = by->fifo,
		.group = p->group, .flags = TORUS_NOTICE_WAITS,
	});
	nic->ops->notify(nic->client);
}

/*
 * Check whether the links of all alternatives of a packet are stopped. @waits: mask of
 * alternatives.
 */
static bool report_is_blocked(struct torus_fabric *f, u32 node, u64 waits)
{
	if (!waits)
		return false;
	for (; waits; waits &= waits - 1)
		if (!torus_link_stopped(f, node, torus_ctz(waits) / f->vcs))
			return false;
	return true;
}

void torus_completions_report_blocked(struct torus_fabric *f)
{
	u32 slots = f->dirs * f->vcs + f->router->inject_slots;
	u32 node, slot, dir, pkt;
	bool blocked;
	u64 waits;

	if (!f->completions || !f->links_live || !f->router->head)
		return;
	for (node = 0; node < f->nodes; node++) {
		for (slot = 0; slot < slots; slot++) {
			pkt = f->router->head(f, node, slot, &waits, &blocked);
			if (pkt != TORUS_NONE && report_is_blocked(f, node, waits))
				report_blocked(f, node, pkt);
		}
		for (dir = 0; dir < f->dirs; dir++) {
			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) == TORUS_NONE)
				continue;
			pkt = torus_link_blocked(f, node, dir, TORUS_NONE);
			for (; pkt != TORUS_NONE; pkt = torus_link_blocked(f, node, dir, pkt))
				report_blocked(f, node, pkt);
		}
		if (!(node & 1023))
			torus_yield();
	}
}

void torus_completions_report_failure(struct torus_fabric *f)
{
	u32 i;

	if (!f->completions)
		return;
	torus_completions_deliver(f);
	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = report_nic(f, i);

		if (nic->completed == nic->accepted || !nic->ops->lost)
			continue;
		report_all_lost(f, nic, TORUS_NOTICE_UNKNOWN, TORUS_NOTICE_WAITS);
		nic->ops->notify(nic->client);
	}
}

void torus_completions_reset(struct torus_fabric *f)
{
	u32 i;

	if (!f->completions)
		return;
	torus_completions_deliver(f);
	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = report_nic(f, i);
		struct torus_completions *counts = report_counts(f, nic);

		if (nic->completed == nic->accepted || !nic->ops->ended)
			continue;
		if (nic->ops->lost)
			report_all_lost(f, nic, TORUS_DROP_RESET, 0);
		counts->ended = (u32)nic->accepted;
		counts->copies = 0;
		f->domain[0].lost_packets.any = true;
	}
	torus_completions_deliver(f);
}
