// SPDX-License-Identifier: GPL-2.0
/* Run the synthetic workload phase by phase, and measure it. */
#include "core/workload/backlog.h"
#include "core/workload/pattern.h"
#include "core/run/measure.h"
#include "core/link/link.h"
#include "core/workload/broadcast_fill.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"
#include "core/run/census.h"
#include "core/run/fabric.h"
#include "core/run/report.h"
#include "core/run/windows.h"
#include "core/state/snapshot.h"

/* Maximum ticks of a run. */
#define MEASURE_TICKS_MAX	(1ull << 60)

static void measure_moment(struct torus_fabric *f, struct torus_moment *m)
{
	u32 node, dir;

	memset(m, 0, sizeof(*m));
	m->clock = f->clock;
	torus_stats_sum(f, &m->stats);
	for (node = 0; node < f->nodes; node++) {
		struct torus_backlog backlog;

		if (!torus_node_here(f, node))
			continue;
		for (dir = 0; dir < f->dirs; dir++) {
			/* for a link that does not exist this adds 0 */
			m->busy[TORUS_DIM(dir)] += torus_link_busy_ticks(f, node, dir);
			m->resends += f->links ? f->links[(size_t)node * f->dirs + dir].resends : 0;
		}
		torus_backlog_count(torus_domain_of(f, node), node, &backlog);
		m->generated += backlog.packets;
		m->waiting += backlog.waiting;
		m->waiting_chunks += backlog.waiting_chunks;
	}
	torus_procs_sum(f, m->busy, TORUS_DIMS_MAX);
	m->resends = torus_procs_sum_one(f, m->resends);
	m->generated = torus_procs_sum_one(f, m->generated);
	m->waiting = torus_procs_sum_one(f, m->waiting);
	m->waiting_chunks = torus_procs_sum_one(f, m->waiting_chunks);
}

u64 torus_traffic_chunks(struct torus_fabric *f, const struct torus_latencies *l)
{
	const struct torus_workload *w = f->workload;
	struct torus_backlog backlog;
	u64 sum = 0;
	u32 node;

	if (w->phase == TORUS_PHASE_DONE)
		return l->left + w->end.waiting_chunks - w->begin.waiting_chunks;
	for (node = 0; node < f->nodes; node++) {
		if (!torus_node_here(f, node))
			continue;
		torus_backlog_count(torus_domain_of(f, node), node, &backlog);
		sum += backlog.waiting_chunks;
	}
	return l->left + torus_procs_sum_one(f, sum) - w->begin.waiting_chunks;
}

static void measure_forget(struct torus_fabric *f)
{
	u32 i, j;

	for (i = 0; i < f->ndomains; i++) {
		torus_latencies_clear(&f->domain[i]);
		f->domain[i].stats.latency_max = 0;
		f->domain[i].stats.hops_max = 0;
		for (j = 0; j < TORUS_LATENCY_CLASSES; j++)
			f->domain[i].stats.by_class[j].latency_max = 0;
	}
}

static void measure_end(struct torus_fabric *f, u32 outcome)
{
	struct torus_workload *w = f->workload;

	measure_moment(f, &w->end);
	w->phase = TORUS_PHASE_DONE;
	w->outcome = outcome;
}

/*
 * End a closed-loop run without packets in flight. If nodes still have packets to send, the run is
 * stuck: these nodes wait for replies that will not arrive, because the reply or its
 * request was lost.
 */
static void measure_end_closed(struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;

	measure_end(f, TORUS_OUTCOME_ENDED);
	if (w->traffic.outstanding && w->end.waiting)
		w->outcome = TORUS_OUTCOME_STUCK;
}

/* Return the tick at which the current phase ends. */
static u64 measure_phase_end(const struct torus_workload *w)
{
	const struct torus_traffic *t = &w->traffic;

	if (!t->cycles)
		return ~0ull - 1;
	if (w->phase == TORUS_PHASE_WARMUP)
		return t->warmup;
	/*
	 * point 0 is the start of the window, so the part in progress is number @npoints, counted
	 * from 1
	 */
	return t->warmup + t->cycles / w->batches * w->npoints +
	       t->cycles % w->batches * w->npoints / w->batches;
}

void torus_traffic_point(struct torus_fabric *f, struct torus_point *p)
{
	u64 packets, chunks;
	u32 i, vc;

	memset(p, 0, sizeof(*p));
	p->clock = f->clock;
	p->in_flight = torus_fabric_in_flight(f);
	for (i = 0; i < f->ndomains; i++) {
		const struct torus_stats *t = &f->domain[i].stats;

		p->injected += t->injected;
		p->delivered += t->delivered;
		p->latency_sum += t->latency_sum;
		p->hops += torus_stats_hops(t);
		for (vc = 0; vc < TORUS_VCS_MAX; vc++)
			p->vc_packets[vc] += t->begun[vc];
		p->token_returns += t->token_returns;
		p->token_needed += t->token_needed;
		p->token_unblocks += t->token_unblocks;
		if (f->router->occupancy)
			f->router->occupancy(&f->domain[i], p->vc_chunks);
	}
	torus_stats_backlog(f, &packets, &chunks);
	p->hops -= packets;
	p->vc_packets[0] -= packets;
	torus_procs_sum(f, p->vc_chunks, TORUS_VCS_MAX);
}

static void measure_next_phase(struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;

	torus_traffic_point(f, &w->points[w->npoints++]);
	if (w->phase == TORUS_PHASE_WARMUP) {
		w->phase = TORUS_PHASE_WINDOW;
		measure_moment(f, &w->begin);
		w->half = w->begin.stats;
		measure_forget(f);
	} else if (w->npoints - 1 == w->batches) {
		/*
		 * The clock can reach the window's end without progress while packets wait for new
		 * routing tables. The run is then stuck.
		 */
		measure_end(f, torus_fabric_in_flight(f) && !torus_fabric_pending(f) ?
			       TORUS_OUTCOME_STUCK : TORUS_OUTCOME_ENDED);
	} else if (w->npoints - 1 == w->batches / 2) {
		torus_stats_sum(f, &w->half);
	}
}

u32 torus_traffic_points(struct torus_fabric *f, const struct torus_point **points)
{
	*points = f->workload ? f->workload->points : NULL;
	return f->workload ? f->workload->npoints : 0;
}

const struct torus_traffic *torus_traffic_asked(const struct torus_fabric *f)
{
	return &f->workload->traffic;
}

void torus_traffic_pause(struct torus_fabric *f, u64 at)
{
	f->workload->pause = at;
}

void torus_traffic_open(struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;

	if (w->phase != TORUS_PHASE_WARMUP)
		return;
	w->traffic.warmup = f->clock;
	measure_next_phase(f);
}

void torus_traffic_close(struct torus_fabric *f, const struct torus_point *half)
{
	struct torus_workload *w = f->workload;

	if (w->phase != TORUS_PHASE_WINDOW)
		return;
	w->half.delivered = half->delivered;
	w->half.latency_sum = half->latency_sum;
	measure_end(f, TORUS_OUTCOME_ENDED);
}

bool torus_traffic_runs(const struct torus_fabric *f)
{
	return f->workload && f->workload->phase != TORUS_PHASE_DONE;
}

bool torus_traffic_failed(const struct torus_fabric *f)
{
	return f->workload && f->workload->outcome == TORUS_OUTCOME_FAILED;
}

bool torus_traffic_step(struct torus_fabric *f, u64 budget, u32 threads)
{
	struct torus_workload *w = f->workload;
	enum torus_run run;
	bool pause;
	u64 end;

	if (!torus_traffic_runs(f))
		return false;
	if (w->phase == TORUS_PHASE_WARMUP && !w->traffic.warmup)
		measure_next_phase(f);
	end = measure_phase_end(w);
	pause = w->pause && w->pause < end;
	run = torus_fabric_run(f, pause ? w->pause : end, budget, threads);
	if (run == TORUS_RUN_FAILED) {
		measure_end(f, TORUS_OUTCOME_FAILED);
	} else if (run == TORUS_RUN_TIME && pause) {
		w->pause = 0;
	} else if (run == TORUS_RUN_TIME) {
		measure_next_phase(f);
	} else if (run == TORUS_RUN_IDLE) {
		if (!torus_fabric_in_flight(f) && !torus_workload_open(w))
			measure_end_closed(f);
		else if (torus_fabric_in_flight(f))
			measure_end(f, TORUS_OUTCOME_STUCK);
		/* the load is so low that no node sends another packet before the phase ends */
		else
			measure_next_phase(f);
	}
	return torus_traffic_runs(f);
}

/*
 * Check that the points are in the order of their ticks, and that the first point is the start of
 * the window.
 */
static bool measure_points_right(const struct torus_fabric *f)
{
	const struct torus_workload *w = f->workload;
	u32 i;

	for (i = 0; i < w->npoints; i++)
		if (w->points[i].clock > (i + 1 < w->npoints ? w->points[i + 1].clock : f->clock))
			return false;
	return !w->npoints || w->points[0].clock == w->begin.clock;
}

void torus_traffic_verify(struct torus_snapshot *snap, const struct torus_fabric *f)
{
	const struct torus_workload *w = f->workload;

	torus_snapshot_check(snap, w->traffic.warmup <= MEASURE_TICKS_MAX &&
			     (w->traffic.cycles || !w->traffic.warmup), "length of the warm-up =",
			     w->traffic.warmup);
	torus_snapshot_check(snap, w->outcome <= TORUS_OUTCOME_FAILED &&
			     (w->phase == TORUS_PHASE_DONE || !w->outcome),
			     "outcome of the workload =", w->outcome);
	if (!torus_snapshot_ok(snap))
		return;
	torus_snapshot_check(snap, measure_points_right(f),
			     "wrong ticks of the parts of the window, number of parts =",
			     w->npoints);
	torus_snapshot_check(snap, w->phase == TORUS_PHASE_DONE || f->clock <= measure_phase_end(w),
			     "phase of the workload ends before tick", f->clock);
	torus_snapshot_check(snap, w->phase != TORUS_PHASE_WARMUP || w->traffic.cycles || !f->clock,
			     "a warm-up that has not ended at tick", f->clock);
	torus_snapshot_check(snap, w->end.clock <= f->clock, "tick of the end of the window =",
			     w->end.clock);
	torus_snapshot_check(snap, torus_stats_valid(&w->begin.stats),
			     "number of deliveries before the window =", w->begin.stats.delivered);
	torus_snapshot_check(snap, torus_stats_valid(&w->end.stats),
			     "number of deliveries at the end of the window =",
			     w->end.stats.delivered);
}

u32 torus_traffic_progress(struct torus_fabric *f)
{
	const struct torus_workload *w = f->workload;
	u64 all, delivered = 0;
	u32 i;

	if (!w)
		return 0;
	if (w->phase == TORUS_PHASE_DONE)
		return 65536;
	if (w->traffic.cycles) {
		all = w->traffic.warmup + w->traffic.cycles;
		return all ? (u32)(((f->clock >> 4) << 16) / ((all >> 4) + 1)) : 0;
	}
	for (i = 0; i < f->ndomains; i++)
		delivered += f->domain[i].stats.delivered;
	all = w->replies ? 2 * w->packets : w->packets;
	return (u32)((delivered << 16) / (all + 1));
}

static u64 measure_quantile(const struct torus_moment *a, const struct torus_moment *b, u64 num,
			    u64 den)
{
	u64 count = b->stats.delivered - a->stats.delivered, seen = 0, middle;
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		seen += b->stats.histogram[i] - a->stats.histogram[i];
		if (count && seen * den >= count * num)
			break;
	}
	if (i == TORUS_LATENCY_BUCKETS || !count)
		return 0;
	i = torus_hist_bucket(torus_latency_floor(i));
	/* the middle of the bucket, but not above the highest latency */
	middle = (torus_hist_floor(i) + torus_hist_floor(i + 1)) / 2;
	return middle < b->stats.latency_max ? middle : b->stats.latency_max;
}

static void measure_links(struct torus_fabric *f, struct torus_result *r)
{
	u32 node, dir;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE) {
				r->links++;
				r->dim_links[TORUS_DIM(dir)]++;
			}
}

/*
 * Return the factor by which the report multiplies the peak's gap, in units of 2^-16. In closed
 * loop, it is the mean number of packets of a node that sends. In open loop, it is the number of
 * nodes per node that sends, halved if there are replies.
 */
static u64 measure_packets_each(struct torus_fabric *f, const struct torus_workload *w)
{
	u64 senders = 0;
	u32 node;

	if (torus_workload_open(w)) {
		for (node = 0; node < f->nodes; node++)
			senders += w->traffic.pattern == TORUS_PATTERN_TABLE ?
				   torus_pairs_weight(f->pairs, node) :
				   torus_pattern_sends(f, &w->traffic, node);
		/* a request and its reply are two packets */
		return ((u64)f->nodes << 16) / (senders ? senders : 1) / (w->replies ? 2 : 1);
	}

	/*
	 * closed loop: @packets is the number of packets of each pair in a list, or of a fill's
	 * root
	 */
	if (w->traffic.pattern == TORUS_PATTERN_TABLE || torus_fill_is(w->traffic.pattern))
		return w->traffic.packets << 16;
	for (node = 0; node < f->nodes; node++)
		senders += torus_pattern_packets(f, &w->traffic, node) != 0;
	return (w->packets << 16) / (senders ? senders : 1);
}

static void measure_replies(struct torus_result *r, const struct torus_stats *begin,
			    const struct torus_stats *now)
{
	const struct torus_stats_row *was = begin->by_class, *is = now->by_class;

	r->win_requests = is[TORUS_LATENCY_REQUEST].packets - was[TORUS_LATENCY_REQUEST].packets;
	r->win_request_latency_sum = is[TORUS_LATENCY_REQUEST].latency_sum -
				     was[TORUS_LATENCY_REQUEST].latency_sum;
	r->win_request_latency_max = is[TORUS_LATENCY_REQUEST].latency_max;
	r->win_replies = is[TORUS_LATENCY_REPLY].packets - was[TORUS_LATENCY_REPLY].packets;
	r->win_reply_latency_sum = is[TORUS_LATENCY_REPLY].latency_sum -
				   was[TORUS_LATENCY_REPLY].latency_sum;
	r->win_reply_latency_max = is[TORUS_LATENCY_REPLY].latency_max;
	r->win_trip_sum = is[TORUS_LATENCY_TRIP].latency_sum - was[TORUS_LATENCY_TRIP].latency_sum;
	r->win_trip_max = is[TORUS_LATENCY_TRIP].latency_max;
}

void torus_traffic_result(struct torus_fabric *f, struct torus_result *r)
{
	struct torus_workload *w = f->workload;
	struct torus_moment *now;
	struct torus_check census;
	u32 i, j;

	memset(r, 0, sizeof(*r));
	if (!w)
		return;
	now = torus_alloc(sizeof(*now));
	if (!now)
		return;
	if (w->phase == TORUS_PHASE_DONE) {
		*now = w->end;
	} else {
		torus_backlog_keep_counts(f);
		measure_moment(f, now);
	}
	r->done = w->outcome;
	r->clock = now->clock;
	r->window_start = w->begin.clock;
	r->window_end = now->clock;
	r->nodes = f->nodes;
	r->tick_fs = f->tick_fs;
	measure_links(f, r);
	r->injected = now->stats.injected;
	r->delivered = now->stats.delivered;
	r->deposits = now->stats.deposits;
	for (i = 0; i < TORUS_DROP_MAX; i++)
		r->dropped += now->stats.dropped[i];
	r->retransmitted = now->resends;
	r->in_flight = (u64)now->stats.population;
	r->hops_total = torus_stats_hops(&now->stats);
	r->events = now->stats.events;
	r->hash = now->stats.hash;
	r->backlog = now->waiting;
	r->win_generated = now->generated - w->begin.generated;
	r->win_injected = now->stats.injected - w->begin.stats.injected;
	r->win_delivered = now->stats.delivered - w->begin.stats.delivered;
	r->win_latency_sum = now->stats.latency_sum - w->begin.stats.latency_sum;
	r->win_latency_max = now->stats.latency_max;
	r->win_latency_p50 = measure_quantile(&w->begin, now, 1, 2);
	r->win_latency_p99 = measure_quantile(&w->begin, now, 99, 100);
	r->win_network_latency_sum = now->stats.network_latency_sum -
				     w->begin.stats.network_latency_sum;
	r->win_hops_sum = now->stats.hops_sum - w->begin.stats.hops_sum;
	r->win_hops_max = now->stats.hops_max;
	for (i = 0; i < TORUS_DIMS_MAX; i++)
		r->win_busy[i] = now->busy[i] - w->begin.busy[i];
	r->win_bytes = (now->stats.delivered_chunks - w->begin.stats.delivered_chunks) *
		       f->arch->chunk_bytes;
	r->win_payload_bytes = now->stats.payload_bytes - w->begin.stats.payload_bytes;
	r->win_population_ticks = now->stats.population_ticks - w->begin.stats.population_ticks;
	r->win_half_delivered[0] = w->half.delivered - w->begin.stats.delivered;
	r->win_half_delivered[1] = now->stats.delivered - w->half.delivered;
	r->win_half_latency[0] = w->half.latency_sum - w->begin.stats.latency_sum;
	r->win_half_latency[1] = now->stats.latency_sum - w->half.latency_sum;
	for (i = 0; i < TORUS_VCS_MAX; i++)
		r->vc_packets[i] = now->stats.begun[i] - w->begin.stats.begun[i];
	/*
	 * average the occupancy over the ends of the window's parts; point 0 is the start of the
	 * window
	 */
	for (i = 0; w->npoints > 1 && i < TORUS_VCS_MAX; i++) {
		for (j = 1; j < w->npoints; j++)
			r->vc_occupancy[i] += w->points[j].vc_chunks[i];
		r->vc_occupancy[i] = (r->vc_occupancy[i] << 8) / (w->npoints - 1);
	}
	measure_replies(r, &w->begin.stats, &now->stats);
	r->peak_num = torus_mul_shift(w->peak_gap, measure_packets_each(f, w), 16);
	r->peak_den = w->peak_gap ? 65536 : 0;
	r->memory = torus_procs_sum_one(f, torus_fabric_memory(f));
	if (!torus_check_fabric(f, &census)) {
		r->conservation = census.conserved;
		r->tokens = !census.wrong && (!census.bubbles || !f->bubble_kept);
	}
	torus_free(now, sizeof(*now));
}
