// SPDX-License-Identifier: GPL-2.0
/* Check, start and stop the synthetic workload. */
#include "core/workload/pattern.h"
#include "core/workload/source.h"
#include "core/workload/traffic.h"
#include "core/state/packets.h"
#include "core/workload/broadcast_fill.h"
#include "core/workload/hotspot.h"
#include "core/workload/processor.h"
#include "core/workload/request_reply.h"
#include "core/workload/timed.h"
#include "core/base/random.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"

/*
 * Maximum load relative to the peak. Programs accept loads up to 2, but a load relative to another
 * limit can be greater after its conversion.
 */
#define LOAD_MAX	4u
#define BURST_MAX	65536u	/* packets */
#define PAUSE_MAX	(1ull << 56)	/* in ticks, units of 2^-16 */

int torus_traffic_check(struct torus_fabric *f, const struct torus_traffic *t,
			struct torus_error *err)
{
	u32 chunk = f->arch->chunk_bytes, most = f->arch->packet_chunks_max * chunk;
	char text[TORUS_RATIO_MAX];
	int ret;

	if (t->size_min < chunk || t->size_max > most || t->size_min > t->size_max ||
	    t->size_min % chunk || t->size_max % chunk)
		return torus_fail(err, EINVAL,
				  "size %u:%u: %s requires %u to %u bytes, multiples of %u",
				  t->size_min, t->size_max, f->arch->name, chunk, most, chunk);
	if (!t->load && !t->packets)
		return torus_fail(err, EINVAL, "a workload requires a load or a number of packets");
	if (t->load && t->packets)
		return torus_fail(err, EINVAL,
				  "packets %llu: cannot be combined with a load", t->packets);
	if (t->load > (u64)LOAD_MAX << 32)
		return torus_fail(err, ERANGE, "load %s: must be at most %u",
				  torus_ratio_text(t->load, text, sizeof(text)), LOAD_MAX);
	if (t->load && !t->cycles)
		return torus_fail(err, EINVAL,
				  "cycles 0: a workload with a load must measure at least 1 tick");
	if (t->warmup && !t->cycles)
		return torus_fail(err, EINVAL,
				  "warmup %llu: requires cycles, the window that is measured after "
				  "it", t->warmup);
	if (t->cycles > 1ull << 40 || t->warmup > 1ull << 40)
		return torus_fail(err, ERANGE,
				  "cycles %llu, warmup %llu: each must be at most 2^40", t->cycles,
				  t->warmup);
	if (t->packets > 1ull << 32)
		return torus_fail(err, ERANGE, "packets %llu: must be at most 2^32", t->packets);
	if (t->batches > TORUS_BATCHES_MAX || (t->cycles && t->batches > t->cycles))
		return torus_fail(err, ERANGE,
				  "batches %llu: must be at most %u and at most one per tick",
				  t->batches, TORUS_BATCHES_MAX);
	if (t->arrivals > 1)
		return torus_fail(err, EINVAL, "arrivals %u: must be 0 (Poisson) or 1 (Bernoulli)",
				  t->arrivals);
	if (t->pacing > 2ull << 32)
		return torus_fail(err, ERANGE, "pacing %s: must be at most 2",
				  torus_ratio_text(t->pacing, text, sizeof(text)));
	if (t->pacing && t->load)
		return torus_fail(err, EINVAL,
				  "pacing %s: requires a number of packets, not a load",
				  torus_ratio_text(t->pacing, text, sizeof(text)));
	if (t->burst > BURST_MAX)
		return torus_fail(err, ERANGE, "burst %llu: must be at most %u packets", t->burst,
				  BURST_MAX);
	if (t->burst > 1 && t->pattern == TORUS_PATTERN_TABLE)
		return torus_fail(err, EINVAL, "burst %llu: must be 1 with a table of pairs",
				  t->burst);
	if (t->burst > 1 && (!t->load || t->load >= 1ull << 32))
		return torus_fail(err, EINVAL,
				  "burst %llu: requires a load below 1, so that there are pauses "
				  "between bursts", t->burst);
	if (t->packet_class && !f->arch->classes)
		return torus_fail(err, EOPNOTSUPP, "class %llu: %s has no packet classes",
				  t->packet_class, f->arch->name);
	if (t->packet_class && t->packet_class >= f->arch->classes)
		return torus_fail(err, ERANGE, "class %llu: %s requires 0 to %u", t->packet_class,
				  f->arch->name, f->arch->classes - 1);
	ret = torus_pattern_check(f, t, err);
	return ret ? ret : torus_reply_check(f, t, err);
}

/* Divide the peak's gap by the load, which is in units of 2^-32. */
static u64 traffic_loaded_gap(u64 gap, u64 load)
{
	u64 whole;

	if (!(gap >> 32))
		return (gap << 32) / load;
	if (!(gap >> 52))
		return (gap << 12) / (load >> 20 ? : 1);
	/* only a pair list with large weights has such a gap */
	whole = gap / load;
	return whole >> 30 ? 1ull << 62 : (whole << 32) + ((gap % load << 30) / load << 2);
}

/*
 * Set the gaps of bursts. Packets within a burst are the peak's gap apart. The mean pause before a
 * burst is so long that the mean load is the requested load.
 */
static void workload_burst(struct torus_workload *w)
{
	u64 n = w->traffic.burst, pause;

	if (n < 2)
		return;
	w->burst = (1ull << 32) / n;
	pause = w->gap - w->peak_gap;
	/* the maximum pause is longer than any window */
	w->gap = pause < PAUSE_MAX / n ? w->gap + (n - 1) * pause : PAUSE_MAX;
}

/*
 * Compute the peak's gap, and from it the gap or the pace for the requested load or pacing. Packets
 * with given ticks have no peak. Return false without memory, or if the calling task was killed.
 */
static bool workload_gaps(struct torus_fabric *f, struct torus_workload *w)
{
	const struct torus_traffic *t = &w->traffic;

	w->clocked = t->load || f->timed;
	if (f->timed)
		return true;
	w->peak_gap = torus_pattern_peak_gap(f, t);
	if (!w->peak_gap)
		return false;
	if (t->load) {
		w->gap = traffic_loaded_gap(w->peak_gap, t->load);
		workload_burst(w);
		w->gap_geometric = torus_gap_geometric(w->gap);
	}
	w->plain = !w->burst && !t->arrivals && t->pattern != TORUS_PATTERN_TABLE;
	if (t->pacing)
		w->pace = (w->peak_gap << 16) / (t->pacing >> 16 ? : 1);
	return true;
}

static void workload_free(struct torus_workload *w)
{
	torus_free(w->points, (w->batches + 1) * sizeof(*w->points));
	torus_free(w, sizeof(*w));
}

int torus_traffic_start(struct torus_fabric *f, const struct torus_traffic *traffic,
			struct torus_error *err)
{
	struct torus_workload *w;
	u32 i, node;
	int ret = torus_traffic_check(f, traffic, err);

	if (ret)
		return ret;
	if (f->nattached)
		return torus_fail(err, EBUSY,
				  "a workload cannot start while %u FIFO groups are attached",
				  f->nattached);
	if (f->injection_held)
		return torus_fail(err, EBUSY, "inject=%s: a workload requires inject=go",
				  f->cfg.params[TORUS_P_INJECT] == TORUS_INJECT_DRAIN ? "drain" :
											"hold");
	if (f->workload || f->clock || torus_fabric_in_flight(f))
		return torus_fail(err, EBUSY,
				  "the fabric has already run: reset it before a workload");
	if (f->arch->ready) {
		ret = f->arch->ready(f, err);
		if (ret)
			return ret;
	}
	w = torus_alloc(sizeof(*w));
	if (!w)
		return torus_fail(err, ENOMEM, "no memory for a workload");
	w->traffic = *traffic;
	torus_hotspot_index(f, &w->traffic);
	traffic = &w->traffic;
	torus_logs_init(&w->logs);
	torus_source_streams(f, w);
	w->batches = traffic->batches ? (u32)traffic->batches : 16;
	if (w->batches > traffic->cycles)
		w->batches = traffic->cycles ? (u32)traffic->cycles : 1;
	w->points = torus_alloc((w->batches + 1) * sizeof(*w->points));
	if (!w->points) {
		u32 batches = w->batches;

		torus_free(w, sizeof(*w));
		return torus_fail(err, ENOMEM, "no memory for %u batches", batches);
	}
	w->chunks_min = traffic->size_min / f->arch->chunk_bytes;
	w->chunks_span = traffic->size_max / f->arch->chunk_bytes - w->chunks_min + 1;
	if (!workload_gaps(f, w)) {
		workload_free(w);
		if (torus_cancelled())
			return torus_fail(err, ECANCELED, "workload: the calling task was killed");
		return torus_fail(err, ENOMEM, "no memory to compute the pattern's peak load");
	}
	w->sources = torus_alloc((size_t)f->nodes * w->streams * sizeof(*w->sources));
	if (w->by_direction)
		w->own = torus_alloc((size_t)f->nodes * w->streams * sizeof(*w->own));
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->sources = w->sources;
		if (!d->sources || (w->by_direction && !w->own) ||
		    (torus_fill_is(traffic->pattern) && torus_received_init(d))) {
			f->workload = w;
			torus_traffic_stop(f);
			return torus_fail(err, ENOMEM, "no memory for %u sources", f->nodes);
		}
	}
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].hand_over |= torus_fill_is(traffic->pattern);
	f->workload = w;
	if (torus_reply_start(f, w)) {
		torus_traffic_stop(f);
		return torus_fail(err, ENOMEM, "no memory for replies of %u nodes", f->nodes);
	}
	for (node = 0; node < f->nodes; node++) {
		torus_source_init(f, node);
		w->packets += torus_pattern_packets(f, traffic, node);
	}
	if (torus_fill_is(traffic->pattern))
		w->packets = torus_fill_deliveries(f, traffic);
	return 0;
}

void torus_workload_take(struct torus_domain *d, u32 node, u32 pkt)
{
	torus_stats_deliver(d, node, torus_packet_at(d, pkt));
	if (d->f->workload && d->f->workload->replies && torus_reply_take(d, node, pkt))
		return;
	torus_fill_received(d, node, torus_packet_at(d, pkt));
	torus_packet_free(d, pkt);
}

void torus_workload_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo)
{
	if (d->processors) {
		torus_processor_receive(d, node, pkt, fifo);
		return;
	}
	torus_workload_take(d, node, pkt);
}

const struct torus_load_ops torus_load_ops = {
	.admit = torus_processor_admit,
	.receive = torus_workload_receive,
};

void torus_traffic_stop(struct torus_fabric *f)
{
	u32 i;

	torus_pairs_free(f);
	torus_traffic_timed(f, NULL);
	if (!f->workload)
		return;
	torus_reply_stop(f);
	torus_free(f->workload->sources, (size_t)f->nodes * f->workload->streams *
		   sizeof(*f->workload->sources));
	torus_free(f->workload->own, (size_t)f->nodes * f->workload->streams *
		   sizeof(*f->workload->own));
	torus_free(f->workload->counted, (size_t)f->nodes * f->workload->streams *
		   sizeof(*f->workload->counted));
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->sources = NULL;
		d->hand_over = d->processors;
	}
	workload_free(f->workload);
	f->workload = NULL;
}
