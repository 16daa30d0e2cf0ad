// SPDX-License-Identifier: GPL-2.0
/* Report counters of links and of the fabric, and the state of links. */
#include "core/link/corruption.h"
#include "core/nic/fifo_status.h"
#include "core/run/report.h"
#include "core/link/link.h"
#include "core/nic/group.h"
#include "core/state/tni.h"

/* Return the ticks that a link was busy with packets, retransmissions and control packets. */
u64 torus_link_busy_ticks(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const u32 *hot = d->hot + ((size_t)node * f->dirs + dir) * f->hot_stride;
	u64 packets = 0, chunks = 0, busy;
	u32 vc;

	for (vc = 0; vc < f->vcs; vc++) {
		packets += hot[vc];
		chunks += hot[f->vcs + vc];
	}
	if (d->folded) {
		size_t i = (size_t)torus_domain_local(d, node) * f->dirs + dir;
		const u64 *folded = d->folded + i * f->fold_stride;

		for (vc = 0; vc < f->vcs; vc++) {
			packets += folded[vc];
			chunks += folded[f->vcs + vc];
		}
	}
	busy = packets * f->overhead_ticks + chunks * f->arch->ticks_per_chunk;
	if (f->control_ticks)
		busy += (u64)f->router->controls(f, node, dir) * f->control_ticks;
	if (f->router->backlog)
		busy -= f->router->backlog(f, node, dir);
	if (d->links)
		busy += torus_link_at(d, node, dir)->resend_ticks;
	return busy;
}

#define REPORT_LINK(name)	(out->name = l->name)
#define REPORT_NOT(name)	((void)0)

/* Report the counters of one link, at the sender and at the receiver. */
void torus_link_counters(struct torus_fabric *f, u32 node, u32 dir,
			 struct torus_link_counters *out)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 peer = torus_link_peer(f, node, dir);
	const u32 *hot = d->hot + ((size_t)node * f->dirs + dir) * f->hot_stride;
	size_t i = (size_t)torus_domain_local(d, node) * f->dirs + dir;
	const u64 *folded = d->folded ? d->folded + i * f->fold_stride : NULL;
	u32 vc, vcs = f->vcs, j;

	memset(out, 0, sizeof(*out));
	for (vc = 0; vc < vcs; vc++) {
		out->packets[vc] = hot[vc] + (folded ? folded[vc] : 0);
		out->chunks[vc] = hot[vcs + vc] + (folded ? folded[vcs + vc] : 0);
	}
	if (f->router->waiting && peer != TORUS_NONE) {
		u64 packets = 0, chunks = 0;

		f->router->waiting(torus_domain_of(f, peer), node, dir, &packets, &chunks);
		out->packets[0] -= packets;
		out->chunks[0] -= chunks;
	}
	out->busy_ticks = torus_link_busy_ticks(f, node, dir);
	f->router->stalls(f, node, dir, out->stalls);
	for (j = 0; folded && j < TORUS_STALL_MAX; j++)
		out->stalls[j] += folded[f->hot_stride + j];
	if (d->links) {
		const struct torus_link *l = torus_link_at(d, node, dir);

		TORUS_LINK_SENDER_COUNTERS(REPORT_LINK, REPORT_NOT);
	}
	if (peer != TORUS_NONE) {
		struct torus_domain *pd = torus_domain_of(f, peer);

		if (pd->links) {
			const struct torus_link *l = torus_link_at(pd, peer, dir);

			TORUS_LINK_RECEIVER_COUNTERS(REPORT_LINK);
		}
	}
	/* a link that is not live sends no acknowledgements: count one for each packet */
	if (!d->links || !torus_link_at(d, node, dir)->live)
		for (vc = 0; vc < vcs; vc++)
			out->acks += out->packets[vc];
}

/* Check that no packet is between the two ends of a link, so that its two CRCs can be compared. */
static bool report_link_at_rest(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);

	/* a live link can be idle and still have unacknowledged packets */
	if (d->links && torus_link_at(d, node, dir)->live)
		return !torus_link_at(d, node, dir)->busy &&
		       torus_link_at(d, node, dir)->head == TORUS_NONE;
	return !f->router->link_busy || !f->router->link_busy(f, node, dir);
}

/* Report the state of a link at its sender and at its receiver. */
void torus_link_view(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_view *out)
{
	struct torus_domain *d = torus_domain_of(f, node);

	memset(out, 0, sizeof(*out));
	out->peer = torus_link_peer(f, node, dir);
	if (out->peer == TORUS_NONE)
		return;
	out->up = true;
	out->base_up = true;
	out->loopback = out->peer == node;
	out->tx_crc = torus_link_crc_at(f, node, dir, false);
	out->rx_crc = torus_link_crc_at(f, node, dir, true);
	out->rest = report_link_at_rest(f, node, dir);
	if (d->links) {
		const struct torus_link *l = torus_link_at(d, node, dir);

		out->up = !torus_link_down(l);
		out->disabled = torus_link_off(f, l, node, dir);
		out->dead = l->dead;
		out->no_resend = l->no_resend;
		out->parked = l->parked;
		out->ber = l->ber;
		out->delay = l->delay;
		out->corrupt = l->corrupt;
		out->escape = l->escape;
		out->drop_ack = l->drop_ack;
		out->drop_nack = l->drop_nack;
		out->corrupt_ack = l->corrupt_ack;
		out->base_up = !l->base_down;
		out->base_ber = l->base_ber;
		out->base_delay = l->base_delay;
	}
	d = torus_domain_of(f, out->peer);
	if (d->links) {
		const struct torus_link *l = torus_link_at(d, out->peer, dir);

		out->deaf = l->deaf;
		out->ecc_single = l->ecc_single;
		out->ecc_double = l->ecc_double;
		out->parity = l->parity;
	}
}

#define REPORT_SUM(name)	(out->name = sum->name)

/* Report the counters of the whole fabric. */
void torus_fabric_counters(struct torus_fabric *f, struct torus_fabric_counters *out)
{
	struct torus_stats *sum = torus_procs_alloc(f, sizeof(*sum));
	u32 i, node, dir, peer;

	memset(out, 0, sizeof(*out));
	if (!sum)
		return;
	torus_stats_sum(f, sum);
	out->clock = f->clock;
	out->tick_fs = f->tick_fs;
	TORUS_STATS_COUNTERS(REPORT_SUM);
	memcpy(out->dropped, sum->dropped, sizeof(out->dropped));
	out->in_flight = torus_fabric_in_flight(f);
	out->hops_total = torus_stats_hops(sum);
	out->hops_delivered = sum->hops_sum;
	out->latency_max = sum->latency_max;
	out->hops_max = sum->hops_max;
	for (i = 0; i < TORUS_HOPS_BINS; i++) {
		out->hop_packets[i] = sum->by_hops[i].packets;
		out->hop_latency_sum[i] = sum->by_hops[i].latency_sum;
		out->hop_latency_max[i] = sum->by_hops[i].latency_max;
	}
	torus_free(sum, sizeof(*sum));
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_link_counters c;

			peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
			if (peer == TORUS_NONE)
				continue;
			out->links++;
			if (torus_node_here(f, node) && torus_node_here(f, peer) &&
			    torus_link_crc_at(f, node, dir, false) !=
				    torus_link_crc_at(f, node, dir, true) &&
			    report_link_at_rest(f, node, dir))
				out->links_differ++;
			if (!f->links_live || !torus_link_near(f, node, dir))
				continue;
			torus_link_counters(f, node, dir, &c);
			out->resends += c.resends;
			out->crc_errors += c.crc_header_errors + c.crc_packet_errors;
		}
	out->links_differ = torus_procs_sum_one(f, out->links_differ);
	out->resends = torus_procs_sum_one(f, out->resends);
	out->crc_errors = torus_procs_sum_one(f, out->crc_errors);
}

#define REPORT_CLEAR(name)	(l->name = 0)

static void report_link_clear(struct torus_link *l)
{
	TORUS_LINK_SENDER_COUNTERS(REPORT_CLEAR, REPORT_NOT);
	TORUS_LINK_RECEIVER_COUNTERS(REPORT_CLEAR);
	l->resend_ticks = 0;
}

/* Reset all counters to zero, except those that describe the packets in flight. */
void torus_fabric_counters_reset(struct torus_fabric *f)
{
	size_t links = (size_t)f->nodes * f->dirs, j;
	u32 i, node;

	if (f->arch->counters_reset)
		f->arch->counters_reset(f);
	torus_nic_counters_reset(f);
	torus_tnis_clear(f);
	memset(f->hot, 0, links * f->hot_stride * sizeof(u32));
	for (j = 0; f->links && j < links; j++)
		report_link_clear(&f->links[j]);
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];
		s64 population = d->stats.population;
		u64 identity = d->stats.identity;

		memset(&d->stats, 0, sizeof(d->stats));
		d->stats.population = population;
		d->stats.identity = identity;
		d->stats.in_flight_at_clear = (u64)population;
		d->stats.population_ticks = -(u64)population * f->clock;
		/* the histograms must count the same deliveries as the statistics */
		torus_latencies_clear(d);
		d->look_at = TORUS_LOOK_EVENTS;
		if (d->folded)
			memset(d->folded, 0, (size_t)d->count * f->dirs * f->fold_stride *
			       sizeof(u64));
	}
	for (node = 0; node < f->nodes; node++)
		f->router->stalls_fold(torus_domain_of(f, node), node, NULL);
}

const char *torus_drop_name(const struct torus_arch *arch, u32 reason)
{
	static const char *const names[TORUS_DROP_MACHINE] = {
		[TORUS_DROP_NO_LISTENER] = "no_listener",
		[TORUS_DROP_HOP_LIMIT] = "hop_limit",
		[TORUS_DROP_RX_STALL] = "rx_stall",
		[TORUS_DROP_NO_ROUTE] = "no_route",
		[TORUS_DROP_RESET] = "reset",
		[TORUS_DROP_ECC] = "ecc",
		[TORUS_DROP_LINK_DEAD] = "link_dead",
		[TORUS_DROP_NODE_FAILED] = "node_failed",
	};

	if (reason < TORUS_DROP_MACHINE)
		return names[reason];
	return reason - TORUS_DROP_MACHINE < arch->ndrops ?
	       arch->drops[reason - TORUS_DROP_MACHINE] : NULL;
}
