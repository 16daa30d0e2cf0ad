// SPDX-License-Identifier: GPL-2.0
/* Clients are told what has become of what they sent. */
#include "core/link/dead.h"
#include "core/nic/notice.h"
#include "core/link/link.h"
#include "core/nic/clock.h"
#include "core/nic/group.h"
#include "core/state/domain.h"

static struct torus_nic *notice_nic(struct torus_fabric *f, u32 i)
{
	return f->nic[f->attached[i]];
}

static struct torus_sent *notice_sent(struct torus_fabric *f, const struct torus_nic *nic)
{
	return &f->sent[torus_group_index(f, nic->node, nic->group)];
}

/* Something of everybody's may have been lost, and it is not known what. */
static void notice_all(struct torus_fabric *f, struct torus_nic *nic, u32 reason, u8 flags)
{
	const struct torus_loss loss = {
		.tick = f->clock, .src = nic->node, .generation = nic->generation,
		.node = nic->node, .dst = nic->node, .reason = reason,
		.sender = (u8)nic->group, .group = (u8)nic->group,
		.flags = TORUS_NOTICE_ALL | flags,
	};

	nic->ops->lost(nic->client, &loss);
	nic->told = true;
}

static void notice_losses(struct torus_fabric *f, struct torus_losses *l)
{
	u32 i;

	for (i = 0; i < l->count; i++) {
		const struct torus_loss *loss = &l->list[i];
		struct torus_nic *nic = torus_nic_get(f, loss->src, loss->sender);

		/* its sender may have left since */
		if (!nic->ops || !nic->ops->lost || nic->generation != loss->generation)
			continue;
		nic->ops->lost(nic->client, loss);
		nic->told = true;
	}
	l->count = 0;
}

/*
 * A broadcast has not ended before its copies have, and it is not known which one has: as
 * many as there are copies may be waiting for them.
 */
static void notice_completed(struct torus_fabric *f, struct torus_nic *nic)
{
	struct torus_sent *sent = notice_sent(f, nic);
	u64 completed;

	if (sent->missed && nic->ops->lost)
		notice_all(f, nic, TORUS_NOTICE_UNKNOWN, 0);
	sent->missed = 0;
	nic->ended += sent->ended - (u32)nic->ended;
	completed = nic->ended > sent->copies ? nic->ended - sent->copies : 0;
	if (completed <= nic->completed)
		return;
	nic->completed = completed;
	nic->ops->ended(nic->client, completed);
	nic->told = true;
}

void torus_notices_tell_all(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		f->domain[i].losses.any = false;
		notice_losses(f, &f->domain[i].losses);
	}
	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = notice_nic(f, i);

		if (nic->ops->ended)
			notice_completed(f, nic);
		if (nic->told) {
			nic->ops->notify(nic->client);
			torus_clock_happened(torus_domain_of(f, nic->node), nic,
					     TORUS_HAPPENS_NOTICE);
		}
		nic->told = false;
	}
}

/* ------------------------------------------------------------ at dead links */

static void notice_waits(struct torus_fabric *f, u32 node, u32 pkt)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_sender *by;
	struct torus_nic *nic;

	if (!(p->flags & TORUS_PACKET_USER) || p->flags & TORUS_PACKET_INVALID)
		return;
	by = &torus_body_at(&d->bodies, p->body)->sender;
	nic = torus_nic_get(f, p->src, by->group);
	if (by->told || !nic->ops || !nic->ops->lost || nic->generation != by->generation)
		return;
	by->told = true;
	nic->ops->lost(nic->client, &(struct torus_loss){
		.tick = f->clock, .src = p->src, .generation = by->generation,
		.number = by->number, .node = node, .dst = p->dst,
		.reason = TORUS_NOTICE_LINK, .sender = by->group, .fifo = by->fifo,
		.group = p->group, .flags = TORUS_NOTICE_WAITS,
	});
	nic->ops->notify(nic->client);
}

/* Does every way that a packet may take begin with a link that takes nothing? */
static bool notice_cut_off(struct torus_fabric *f, u32 node, u64 waits)
{
	if (!waits)
		return false;
	for (; waits; waits &= waits - 1)
		if (!torus_link_stopped(f, node, torus_ctz(waits) / f->vcs))
			return false;
	return true;
}

void torus_notices_waiting(struct torus_fabric *f)
{
	u32 slots = f->dirs * f->vcs + f->router->inject_slots;
	u32 node, slot, dir, pkt;
	bool blocked;
	u64 waits;

	if (!f->sent || !f->links_live || !f->router->head)
		return;
	for (node = 0; node < f->nodes; node++) {
		for (slot = 0; slot < slots; slot++) {
			pkt = f->router->head(f, node, slot, &waits, &blocked);
			if (pkt != TORUS_NONE && notice_cut_off(f, node, waits))
				notice_waits(f, node, pkt);
		}
		for (dir = 0; dir < f->dirs; dir++) {
			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) == TORUS_NONE)
				continue;
			pkt = torus_link_unheard(f, node, dir, TORUS_NONE);
			for (; pkt != TORUS_NONE; pkt = torus_link_unheard(f, node, dir, pkt))
				notice_waits(f, node, pkt);
		}
		if (!(node & 1023))
			torus_yield();
	}
}

void torus_notices_failed(struct torus_fabric *f)
{
	u32 i;

	if (!f->sent)
		return;
	torus_notices_tell(f);
	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = notice_nic(f, i);

		if (nic->completed == nic->accepted || !nic->ops->lost)
			continue;
		notice_all(f, nic, TORUS_NOTICE_UNKNOWN, TORUS_NOTICE_WAITS);
		nic->ops->notify(nic->client);
	}
}

void torus_notices_reset(struct torus_fabric *f)
{
	u32 i;

	if (!f->sent)
		return;
	torus_notices_tell(f);
	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = notice_nic(f, i);
		struct torus_sent *sent = notice_sent(f, nic);

		if (nic->completed == nic->accepted || !nic->ops->ended)
			continue;
		if (nic->ops->lost)
			notice_all(f, nic, TORUS_DROP_RESET, 0);
		sent->ended = (u32)nic->accepted;
		sent->copies = 0;
		f->domain[0].losses.any = true;
	}
	torus_notices_tell(f);
}
