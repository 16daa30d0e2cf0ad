// SPDX-License-Identifier: GPL-2.0
/*
 * Write or read a whole fabric: first its global state, then nodes, then events, in blocks of
 * nodes.
 */
#include "core/link/snapshot.h"
#include "core/workload/snapshot.h"
#include "core/run/snapshot.h"
#include "core/base/crc.h"
#include "core/link/fault.h"
#include "core/link/link.h"
#include "core/workload/processor.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"
#include "core/nic/inject_queue.h"
#include "core/run/census.h"
#include "core/run/domain.h"
#include "core/run/fabric.h"
#include "core/run/measure.h"
#include "core/run/routing_tables.h"
#include "core/run/verify.h"
#include "core/state/snapshot_events.h"
#include "core/state/tni.h"

/* Number of nodes in a section. */
#define BLOCK_NODES	1024

/* Maximum ticks of a run. */
#define CLOCK_MAX	(1ull << 60)

static u64 fingerprint_add(u64 fingerprint, const void *bytes, size_t n)
{
	u32 crc = torus_crc32_value(torus_crc32c_update(TORUS_CRC32_INIT, bytes, n));

	return torus_mix(fingerprint ^ torus_mix((u64)n << 32 | crc));
}

/*
 * Add the shape to the fingerprint, and the sizes of the structs that are written without a
 * conversion.
 */
static u64 fingerprint_build(u64 fingerprint, const struct torus_fabric *f)
{
	const struct torus_geometry *g = &f->cfg.geo;
	const u32 sizes[] = {
		g->ndims, g->mesh, g->nodes, f->node_bytes, f->dirs, f->vcs, f->hot_stride,
		f->queues_stride, f->arch->groups, sizeof(struct torus_packet),
		sizeof(struct torus_event), sizeof(struct torus_stats), sizeof(struct torus_point),
		sizeof(struct torus_moment), sizeof(struct torus_latency), TORUS_EV_OWN,
	};

	fingerprint = fingerprint_add(fingerprint, f->arch->name, strlen(f->arch->name));
	fingerprint = fingerprint_add(fingerprint, g->dims, sizeof(g->dims));
	return fingerprint_add(fingerprint, sizes, sizeof(sizes));
}

u64 torus_fabric_fingerprint(const struct torus_fabric *f)
{
	struct torus_traffic traffic = f->workload->traffic;
	const struct torus_pairs *table = f->pairs;
	u64 fingerprint = fingerprint_build(f->cfg.seed, f);
	const void *image;
	size_t bytes;

	/* ignore the warm-up: a run can end it early (torus_traffic_open()) */
	traffic.warmup = 0;
	fingerprint = fingerprint_add(fingerprint, f->cfg.params, sizeof(f->cfg.params));
	fingerprint = fingerprint_add(fingerprint, &traffic, sizeof(traffic));
	if (table) {
		fingerprint = fingerprint_add(fingerprint, table->first,
					      (table->nodes + 1) * sizeof(*table->first));
		fingerprint = fingerprint_add(fingerprint, table->dst,
					      table->npairs * sizeof(*table->dst));
		fingerprint = fingerprint_add(fingerprint, table->upto,
					      table->npairs * sizeof(*table->upto));
	}
	image = torus_fabric_routes(f, &bytes);
	if (image)
		fingerprint = fingerprint_add(fingerprint, image, bytes);
	return torus_mix(fingerprint ^ torus_routes_fingerprint(f));
}

/* Return the reason why the fabric's state does not fit in a file, NULL if it does. */
static const char *snapshot_unsupported(const struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		if (f->domain[i].failed)
			return "it has stopped because it had no memory";
	if (!f->workload)
		return "it has no synthetic workload";
	if (f->nic || f->attached || f->vtime_clients)
		return "programs have attached to it";
	if (f->arch->later_bytes && f->arch->later_bytes(f))
		return "its registers have been written";
	if (f->loopback || f->dead)
		return "some of its nodes are dead or in loopback";
	if (f->partition)
		return "it is divided into partitions";
	if (f->injection_held)
		return "inject=hold or inject=drain keeps packets out of it";
	return f->router->snapshot ? NULL : "its machine does not support this";
}

/* Reset the fabric and discard its packets, then set its clock to the tick read from the file. */
static void snapshot_reset(struct torus_snapshot *snap, struct torus_fabric *f, u64 clock)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];
		bool latencies = d->latencies;

		torus_domain_start(d);
		d->now = clock;
		d->done = clock;
		d->wheel.now = clock - 1;
		/* the restored counters may be close to overflow: check them at the first event */
		d->look_at = 0;
		if (latencies && torus_latencies_start(f))
			torus_snapshot_no_memory(snap);
	}
	f->clock = clock;
	torus_routes_turn(f);
}

/* Write or read the global state of a fabric. */
static void snapshot_fabric(struct torus_snapshot *snap, struct torus_fabric *f)
{
	u64 clock = f->clock, fingerprint, own;

	SNAPSHOT_FIELD(snap, clock);
	torus_snapshot_check(snap, clock <= CLOCK_MAX, "tick =", clock);
	if (snap->reading && torus_snapshot_ok(snap))
		snapshot_reset(snap, f, clock);
	own = torus_fabric_fingerprint(f);
	fingerprint = own;
	SNAPSHOT_FIELD(snap, fingerprint);
	if (torus_snapshot_ok(snap) && fingerprint != own)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: saved from a fabric with a different "
					  "configuration");
	if (!torus_snapshot_ok(snap))
		return;
	torus_links_snapshot(snap, f);
	torus_faults_snapshot(snap, f);
	torus_stats_snapshot(snap, f);
	torus_workload_snapshot(snap, f);
	if (snap->reading && torus_snapshot_ok(snap))
		torus_traffic_verify(snap, f);
	torus_latencies_snapshot(snap, f);
}

/*
 * Check whether any domain has 64-bit sums of the hot counters (@folded true) or stall counters
 * (@folded false).
 */
static bool snapshot_any_counters(const struct torus_fabric *f, bool folded)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		if (folded ? (bool)f->domain[i].folded : (bool)f->domain[i].stalls)
			return true;
	return false;
}

/*
 * Return the counters of a node's links in the array *@all of a domain. If the snapshot is read,
 * allocate the array first.
 */
static void *snapshot_counters(struct torus_snapshot *snap, void **all, u32 local,
			       size_t node_bytes, size_t bytes)
{
	if (!*all && snap->reading) {
		*all = torus_alloc(bytes);
		if (!*all)
			torus_snapshot_no_memory(snap);
	}
	return *all ? (u8 *)*all + local * node_bytes : NULL;
}

static void snapshot_zeroes(struct torus_snapshot *snap, size_t n)
{
	u64 zero = 0;

	for (; n; n -= n < sizeof(zero) ? n : sizeof(zero))
		torus_snapshot_bytes(snap, &zero, n < sizeof(zero) ? n : sizeof(zero));
}

/*
 * Write or read a node's 64-bit sums, and its stall counters in units of 256. A domain without
 * these arrays writes zeros.
 */
static void snapshot_sums(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			  bool folded, bool stalls)
{
	const struct torus_fabric *f = d->f;
	size_t fold = (size_t)f->dirs * f->fold_stride * sizeof(*d->folded);
	size_t stall = (size_t)f->dirs * TORUS_STALL_MAX * sizeof(*d->stalls);
	u32 local = torus_domain_local(d, node);
	void *all, *at;

	if (folded) {
		all = d->folded;
		at = snapshot_counters(snap, &all, local, fold, d->count * fold);
		d->folded = all;
		if (at)
			torus_snapshot_bytes(snap, at, fold);
		else
			snapshot_zeroes(snap, fold);
	}
	if (stalls) {
		all = d->stalls;
		at = snapshot_counters(snap, &all, local, stall, torus_stalls_bytes(d));
		d->stalls = all;
		if (at)
			torus_snapshot_bytes(snap, at, stall);
		else
			snapshot_zeroes(snap, stall);
	}
}

/*
 * Write or read two CRCs of direction @dir: the sender's of the link that leaves @node, and the
 * receiver's of the link that arrives at @node.
 */
static void snapshot_link_crcs(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
			       u32 dir)
{
	u32 from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir)), none = 0;
	u32 *crc = f->link_crc;

	SNAPSHOT_FIELD(snap, crc[2 * ((size_t)node * f->dirs + dir)]);
	crc = from == TORUS_NONE ? &none : &crc[2 * ((size_t)from * f->dirs + dir) + 1];
	SNAPSHOT_FIELD(snap, *crc);
}

static void snapshot_node(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
			  bool folded, bool stalls)
{
	struct torus_domain *d = torus_domain_of(f, node);
	size_t links = (size_t)node * f->dirs;
	u32 dir;

	torus_snapshot_bytes(snap, f->hot + links * f->hot_stride,
			     (size_t)f->dirs * f->hot_stride * sizeof(*f->hot));
	snapshot_sums(snap, d, node, folded, stalls);
	if (d->tnis)
		torus_snapshot_bytes(snap, torus_tni(d, node, 0),
				     f->router->ports * sizeof(*d->tnis));
	for (dir = 0; f->link_crc && dir < f->dirs; dir++)
		snapshot_link_crcs(snap, f, node, dir);
	for (dir = 0; d->links && dir < f->dirs; dir++)
		torus_link_snapshot(snap, d, node, dir);
	torus_source_snapshot(snap, d, node);
	if (d->processors)
		torus_processor_snapshot(snap, d, node);
	if (d->queues)
		torus_queues_snapshot(snap, d, node);
	if (f->arch->snapshot)
		f->arch->snapshot(snap, d, node);
	f->router->snapshot(snap, d, node);
}

/* Return the size in bytes of a node's piece, including the length field at its start. */
static size_t snapshot_piece_bytes(const u8 *piece)
{
	u32 bytes;

	memcpy(&bytes, piece, sizeof(bytes));
	return sizeof(bytes) + bytes;
}

/*
 * Merge the pieces of all processes, in the order of nodes, into the section of process 0. Process
 * 0 writes the file.
 */
static void snapshot_gather(struct torus_snapshot *snap, struct torus_fabric *f, u32 first, u32 end)
{
	u32 each = f->cfg.procs ? f->ndomains / f->cfg.procs->count : 0, i, proc;
	struct torus_procs *procs = f->cfg.procs;
	u64 bytes = snap->filled - snap->pieces;
	size_t at[TORUS_DOMAINS_MAX];
	const u64 *sizes;
	const u8 *all;
	size_t got;

	if (!procs || snap->reading || !torus_snapshot_ok(snap))
		return;
	sizes = procs->pass(procs, &bytes, sizeof(bytes), &got);
	for (i = 0, got = 0; i < procs->count; got += sizes[i++])
		at[i] = got;
	all = procs->pass(procs, snap->bytes + snap->pieces, bytes, &got);
	snap->filled = snap->pieces;
	if (procs->self)
		return;
	for (; first < end && torus_snapshot_ok(snap); first++) {
		proc = torus_domain_of(f, first)->index / each;
		bytes = snapshot_piece_bytes(all + at[proc]);
		/* the cast is safe: a snapshot that is written only reads the piece */
		torus_snapshot_bytes(snap, (void *)(all + at[proc]), bytes);
		at[proc] += bytes;
	}
}

/**
 * struct snapshot_blocks - arguments of a section that has one piece per node
 * @section: TORUS_SECTION_NODES or TORUS_SECTION_EVENTS
 * @folded: section of nodes: a domain has 64-bit sums
 * @stalls: section of nodes: a domain counts stalls
 * @all: section of events: all events when written, the events of one node when read
 * @at: section of events: index in @all of the next event
 */
struct snapshot_blocks {
	u32 section;
	bool folded;
	bool stalls;
	struct torus_snapshot_events all;
	size_t at;
};

/* Write or read a block of nodes as one section. */
static void snapshot_block(struct torus_snapshot *snap, struct torus_fabric *f, u32 first, u32 end,
			   struct snapshot_blocks *b)
{
	bool folded = b->folded, stalls = b->stalls, nodes = b->section == TORUS_SECTION_NODES;
	u32 node;

	torus_snapshot_begin(snap, b->section);
	if (nodes) {
		torus_snapshot_flag(snap, &folded);
		torus_snapshot_flag(snap, &stalls);
	}
	for (node = first; node < end && torus_snapshot_ok(snap); node++) {
		if (!torus_snapshot_piece(snap, torus_node_here(f, node)))
			continue;
		if (nodes)
			snapshot_node(snap, f, node, folded, stalls);
		else
			torus_snapshot_node_events(snap, f, node, &b->all, &b->at);
		torus_snapshot_piece_end(snap);
		if (!nodes && snap->reading)
			torus_node_verify(snap, f, node, &b->all);
	}
	snapshot_gather(snap, f, first, end);
	torus_snapshot_end(snap);
}

static void snapshot_blocks(struct torus_snapshot *snap, struct torus_fabric *f,
			    struct snapshot_blocks *b)
{
	u32 node, end;

	for (node = 0; node < f->nodes && torus_snapshot_ok(snap); node = end) {
		end = f->nodes - node < BLOCK_NODES ? f->nodes : node + BLOCK_NODES;
		snapshot_block(snap, f, node, end, b);
		torus_yield();
	}
}

/* Write or read all nodes. */
static void snapshot_nodes(struct torus_snapshot *snap, struct torus_fabric *f)
{
	struct snapshot_blocks b = { .section = TORUS_SECTION_NODES };

	if (!snap->reading && torus_snapshot_ok(snap)) {
		b.folded = torus_procs_max(f, snapshot_any_counters(f, true));
		b.stalls = torus_procs_max(f, snapshot_any_counters(f, false));
	}
	snapshot_blocks(snap, f, &b);
}

/* Write or read all pending events. */
static void snapshot_events(struct torus_snapshot *snap, struct torus_fabric *f)
{
	struct snapshot_blocks b = { .section = TORUS_SECTION_EVENTS };

	if (!snap->reading && torus_snapshot_events_collect(f, &b.all)) {
		torus_snapshot_no_memory(snap);
		return;
	}
	snapshot_blocks(snap, f, &b);
	torus_snapshot_events_free(&b.all);
}

/* Check the restored state with a census, as at the end of a run. */
static void snapshot_check_census(struct torus_snapshot *snap, struct torus_fabric *f)
{
	struct torus_check census;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		if (f->domain[i].failed || f->domain[i].wheel.failed)
			torus_snapshot_no_memory(snap);
	if (!torus_snapshot_ok(snap))
		return;
	torus_procs_exchange_stats(f);
	if (torus_check_fabric(f, &census))
		torus_snapshot_no_memory(snap);
	else if (!census.conserved || census.wrong)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: the numbers of packets or tokens do not match");
}

int torus_fabric_snapshot(struct torus_snapshot *snap, struct torus_fabric *f)
{
	const char *lacks = snapshot_unsupported(f);

	if (lacks && !snap->status)
		snap->status = torus_fail(snap->err, EOPNOTSUPP,
					  "state: the fabric cannot be saved: %s", lacks);
	if (snap->status)
		return snap->status;
	torus_snapshot_begin(snap, TORUS_SECTION_FABRIC);
	snapshot_fabric(snap, f);
	torus_snapshot_end(snap);
	snapshot_nodes(snap, f);
	snapshot_events(snap, f);
	if (snap->reading && torus_snapshot_ok(snap)) {
		torus_faults_resume(f);
		snapshot_check_census(snap, f);
	}
	return snap->status;
}

int torus_fabric_snapshot_file(struct torus_snapshot *snap, struct torus_fabric *f,
			       const char *options,
			       u32 bytes)
{
	torus_snapshot_file_header(snap);
	if (snap->reading) {
		torus_snapshot_skip(snap, TORUS_SECTION_OPTIONS);
	} else {
		torus_snapshot_begin(snap, TORUS_SECTION_OPTIONS);
		SNAPSHOT_FIELD(snap, bytes);
		/* the cast is safe: a snapshot that is written only reads @options */
		torus_snapshot_bytes(snap, (void *)options, bytes);
		torus_snapshot_end(snap);
	}
	torus_fabric_snapshot(snap, f);
	if (snap->reading) {
		torus_snapshot_skip(snap, TORUS_SECTION_MEASURE);
	} else {
		torus_snapshot_begin(snap, TORUS_SECTION_MEASURE);
		torus_snapshot_end(snap);
	}
	torus_snapshot_finish(snap);
	return snap->status;
}

/*
 * Return the reason why a fabric cannot be @like of torus_fabric_restore(): it has state that does
 * not follow from its configuration. NULL if it can.
 */
static const char *snapshot_settings(const struct torus_fabric *f)
{
	if (f->clock || f->workload || torus_fabric_in_flight(f))
		return "it has already run";
	if (f->nic || f->attached || f->vtime_clients)
		return "programs have attached to it";
	if (f->arch->later_bytes && f->arch->later_bytes(f))
		return "its registers have been written";
	if (f->loopback || f->dead || f->partition)
		return "some of its nodes are dead, in loopback or in a partition";
	return NULL;
}

/*
 * Create a fabric with the configuration and tables of @like, and start a workload at its first
 * tick.
 */
static int snapshot_create(const struct torus_fabric *like, const struct torus_traffic *traffic,
			   const struct torus_pair *pairs, u32 npairs, struct torus_fabric **out,
			   struct torus_error *err)
{
	int ret = torus_fabric_create(&like->cfg, out, err);

	if (ret)
		return ret;
	ret = torus_routes_copy(*out, like, err);
	if (!ret && npairs)
		ret = torus_traffic_pairs(*out, pairs, npairs, err);
	if (!ret)
		ret = torus_traffic_start(*out, traffic, err);
	if (ret)
		torus_fabric_destroy(*out);
	return ret;
}

int torus_fabric_restore(struct torus_snapshot *snap, const struct torus_fabric *like,
			 const struct torus_traffic *traffic, const struct torus_pair *pairs,
			 u32 npairs, struct torus_fabric **out)
{
	const char *refused = snapshot_settings(like);

	if (refused) {
		snap->status = torus_fail(snap->err, EBUSY,
					  "state: can be restored only into a new fabric, but this "
					  "fabric cannot be used: %s", refused);
		return snap->status;
	}
	snap->status = snapshot_create(like, traffic, pairs, npairs, out, snap->err);
	if (snap->status)
		return snap->status;
	if (torus_fabric_snapshot_file(snap, *out, NULL, 0))
		torus_fabric_destroy(*out);
	return snap->status;
}
