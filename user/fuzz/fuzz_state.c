// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz saved states of small fabrics of each machine. The target changes bytes of a section, or
 * changes a fabric before it is saved. The saved file always has correct CRCs. An accepted state
 * must run for RUN_TICKS ticks or to the end of its traffic, with all packets and tokens accounted
 * for, and a restore must not take long.
 *
 * The first byte selects a scene, the second a tick, the third the kind and number of changes.
 * If STATE_COUNTS=FILE is set, counts are appended to FILE at the end.
 */
#include <time.h>

#include "arch/tests/snapshot_rig.h"
#include "core/base/random.h"
#include "core/link/internal.h"
#include "core/workload/workload.h"
#include "core/run/snapshot.h"
#include "core/run/census.h"
#include "core/run/measure.h"
#include "core/run/report.h"
#include "core/run/watchdog.h"
#include "core/state/snapshot_events.h"
#include "take.h"

#define LOAD(percent)	((u64)(percent) * (1ull << 32) / 100)
#define OPEN(percent)	.load = LOAD(percent), .warmup = 400, .cycles = 800, .size_min = 64, \
			.size_max = 256
#define CLOSED(n)	.packets = (n), .size_min = 64, .size_max = 256

#define TICKS		4		/* number of saved states per scene, each at another tick */
#define CHANGES_MAX	4
/* greatest number of packets, and of events, from which an input selects */
#define FOUND_MAX	4096
#define RUN_TICKS	20000u		/* ticks of a run after a restore */
#define NS_PER_MB	1000000000ull	/* time limit of a restore in nanoseconds per megabyte */

static const struct snapshot_scene scenes[] = {
	{ .arch = "kncube", .shape = "3x2", .settings = "", .traffic = { OPEN(70) } },
	{ .arch = "kncube", .shape = "3x2x2", .settings = "",
	  .traffic = { CLOSED(8), .reply = 64 } },
	{ .arch = "kncube", .shape = "3x3", .settings = "buffers=finite routing=adaptive",
	  .traffic = { OPEN(90) } },
	{ .arch = "kncube", .shape = "4mx3", .settings = "buffers=finite routing=valiant",
	  .traffic = { OPEN(60) } },
	{ .arch = "kncube", .shape = "2x2x2", .settings = "buffers=finite escape=dateline",
	  .traffic = { CLOSED(10) }, .statistics = true },
	{ .arch = "bgl", .shape = "3x2x2", .settings = "", .traffic = { OPEN(95) } },
	{ .arch = "bgl", .shape = "2x2x2", .settings = "crc=full", .traffic = { CLOSED(12) },
	  .faults = true },
	{ .arch = "bgl", .shape = "3x3mx2", .settings = "ber=0.00005 control=simulated",
	  .traffic = { OPEN(50) } },
	{ .arch = "bgl", .shape = "2x2x2",
	  .settings = "unblocking=on arbiter_gap=1 vc_delay=10 control=simulated",
	  .traffic = { OPEN(80) } },
	{ .arch = "bgl", .shape = "3x2x2",
	  .settings = "inject_packet=100 receive_packet=120 receive_chunk=9",
	  .traffic = { OPEN(60), .reply = 128, .outstanding = 3 }, .faults = true },
	{ .arch = "bgl", .shape = "3x2x2", .settings = "injection=infinite source_order=direction",
	  .traffic = { OPEN(120) } },
	{ .arch = "bgl", .shape = "4x2x2", .settings = "",
	  .traffic = { .packets = 12, .size_min = 256, .size_max = 256,
		       .pattern = TORUS_PATTERN_LINEFILL } },
	{ .arch = "xt", .shape = "3x2x2", .settings = "",
	  .traffic = { .load = LOAD(60), .warmup = 400, .cycles = 800, .size_min = 16,
		       .size_max = 72 } },
	{ .arch = "xt", .shape = "2x2x2", .settings = "arbitration=rr crc=full",
	  .traffic = { .packets = 30, .size_min = 16, .size_max = 72 }, .faults = true },
	{ .arch = "xt", .shape = "2x2x2", .settings = "ber=0.00005",
	  .traffic = { .load = LOAD(60), .warmup = 400, .cycles = 800, .size_min = 16,
		       .size_max = 72 } },
	{ .arch = "tofu", .shape = "1x1x1", .settings = "", .traffic = { OPEN(70) } },
	{ .arch = "tofu", .shape = "2x1x1", .settings = "path=roundrobin tnis=6 crc=full",
	  .traffic = { CLOSED(12) }, .faults = true },
	{ .arch = "tofu", .shape = "1x1x1", .settings = "path=hash inject_packet=30 ber=0.00002",
	  .traffic = { OPEN(50), .reply = 64 } },
};

static const u64 ticks[TICKS] = { 150, 420, 700, 1100 };

/* Saved states of each scene, created when first used. */
static struct snapshot_file states[COUNT(scenes)][TICKS];
static u64 accepted[COUNT(scenes)], rejected[COUNT(scenes)], longest;

/*
 * Count the scenes of one machine, which are consecutive. @first: the first scene of the machine.
 */
static u32 scenes_of(u32 first)
{
	u32 i = first;

	while (i < COUNT(scenes) && !strcmp(scenes[i].arch, scenes[first].arch))
		i++;
	return i - first;
}

/* Select first a machine, then one of its scenes, so that all machines are equally frequent. */
static u32 draw_scene(struct fuzz_input *in)
{
	u32 byte = fuzz_u8(in), machine = byte % 4, first = 0;

	for (; machine; machine--)
		first += scenes_of(first);
	return first + byte / 4 % scenes_of(first);
}

static void counts(void)
{
	const char *name = getenv("STATE_COUNTS");
	FILE *file = name ? fopen(name, "a") : NULL;
	u64 yes, no;
	u32 first, i;

	if (!file)
		return;
	for (first = 0; first < COUNT(scenes); first += scenes_of(first)) {
		for (yes = no = 0, i = first; i < first + scenes_of(first); i++) {
			yes += accepted[i];
			no += rejected[i];
		}
		fprintf(file, "%s: %llu accepted, %llu rejected\n", scenes[first].arch, yes, no);
	}
	fprintf(file, "longest restore: %llu us for each MB\n", longest / 1000);
	fclose(file);
}

static void states_make(u32 scene)
{
	struct torus_fabric *f;
	u32 i;

	if (states[scene][0].n)
		return;
	for (i = 0; i < TICKS; i++) {
		f = snapshot_make(&scenes[scene], 1);
		snapshot_run_to(f, ticks[i]);
		states[scene][i] = snapshot_save(f);
		torus_fabric_destroy(f);
	}
}

/* ------------------------------------------------------------- values in a file */

/*
 * Compute a changed value: near @old, with one bit of @old inverted, at the limit of an integer
 * type, or arbitrary.
 */
static u64 change(struct fuzz_input *in, u64 old)
{
	static const u64 edges[] = {
		0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
		0xffffffff, 1ull << 47, 1ull << 48, 1ull << 60, ~0ull >> 1, 1ull << 63, ~0ull,
	};
	u32 way = fuzz_below(in, 8), value = fuzz_u8(in);

	switch (way) {
	case 0:
		return old + 1;
	case 1:
		return old - 1;
	case 2:
		return old ^ 1ull << (value & 63);
	case 3:
		return old ^ 1ull << (value & 7);
	case 4:
		return value;
	case 5:
		return old + (s8)value;
	case 6:
		return torus_mix(value);
	default:
		return edges[value % COUNT(edges)];
	}
}

/* Change a value of a section, or copy bytes within the section. */
static void change_bytes(struct snapshot_file *m, struct fuzz_input *in)
{
	u32 section = 1 + fuzz_below(in, 3), width = 1u << fuzz_below(in, 4);
	u32 at = fuzz_u32(in), how = fuzz_below(in, 8);
	size_t bytes, first = snapshot_section(m, section, &bytes);
	u64 value = 0;
	u8 *to, *from;

	if (bytes < 64)
		return;
	/*
	 * section 1, the statistics, consists mostly of histograms: select its first 256 bytes
	 * often
	 */
	at %= section == 1 && how & 1 && bytes > 256 ? 256 : bytes - 63;
	to = m->bytes + first + (how & 2 ? at & ~(width - 1) : at);
	if (how < 6) {
		memcpy(&value, to, width);
		value = change(in, value);
		memcpy(to, &value, width);
		return;
	}
	from = m->bytes + first + fuzz_u32(in) % (bytes - 63);
	memmove(to, from, 8u << fuzz_below(in, 3));
}

/* -------------------------------------------------------- contents of a fabric */

/* Packets and events of the fabric, from which the input selects those to change. */
static struct {
	struct torus_packet *packet[FOUND_MAX];
	struct torus_event *event[FOUND_MAX];
	u32 packets, events;
} found;

static void find_packets(struct torus_fabric *f, u32 pkt)
{
	if (pkt != TORUS_NONE && found.packets < FOUND_MAX)
		found.packet[found.packets++] = torus_packet_at(f->domain, pkt);
}

static void state_find(struct torus_fabric *f)
{
	u32 tick, lane, node, slot, i;
	struct torus_block *blk;
	bool blocked;
	u64 waits;

	found.packets = 0;
	found.events = 0;
	for (tick = 0; tick < TORUS_WHEEL_SIZE; tick++)
		for (lane = TORUS_LANE_ANY; lane < TORUS_LANE_DONE; lane++)
			for (blk = *torus_wheel_list(&f->domain->wheel, lane, f->clock + tick); blk;
			     blk = blk->next)
				for (i = 0; i < blk->n && found.events < FOUND_MAX; i++) {
					found.event[found.events++] = &blk->ev[i];
					if (f->router->event(f, &blk->ev[i]) == TORUS_EVENT_PACKET)
						find_packets(f, blk->ev[i].pkt);
				}
	for (node = 0; f->router->head && node < f->nodes; node++)
		for (slot = 0; slot < f->dirs * f->vcs; slot++)
			find_packets(f, f->router->head(f, node, slot, &waits, &blocked));
	for (i = 0; f->links && i < f->nodes * f->dirs; i++)
		if (f->links[i].live)
			find_packets(f, f->links[i].head);
}

static void change_packet(struct torus_fabric *f, struct fuzz_input *in)
{
	struct torus_packet *p;
	u32 what, i;

	if (!found.packets)
		return;
	p = found.packet[(fuzz_u8(in) | fuzz_u8(in) << 8) % found.packets];
	what = fuzz_below(in, 12);
	i = fuzz_below(in, TORUS_HEADER_MAX);
	switch (what) {
	case 0 ... 4:
		p->header[i] = (u8)change(in, p->header[i]);
		break;
	case 5:
		p->flags = (u8)change(in, p->flags) & ~TORUS_PACKET_USER;
		break;
	case 6:
		p->slot = (u8)change(in, p->slot);
		break;
	case 7:
		p->dst = (u32)change(in, p->dst) % f->nodes;
		break;
	case 8:
		p->src = (u32)change(in, p->src) % f->nodes;
		break;
	case 9:
		p->hops = (u16)change(in, p->hops);
		break;
	case 10:
		p->chunks = (u8)change(in, p->chunks);
		break;
	default:
		if (f->domain->pool.grains == TORUS_PACKET_WIDE && f->domain->pool.wide_from == 0)
			p->link_seq = (u32)change(in, p->link_seq);
		p->seq = (u32)change(in, p->seq);
	}
}

/* Add a copy of an event, with a copy of its packet if it has one. */
static void add_event(struct torus_fabric *f, struct torus_event ev, u64 at)
{
	struct torus_domain *d = f->domain;
	struct torus_packet copy;
	u32 pkt;

	if (f->router->event(f, &ev) == TORUS_EVENT_PACKET) {
		copy = *torus_packet_at(d, ev.pkt);
		pkt = torus_pool_get(&d->pool);
		fuzz_demand(pkt != TORUS_NONE);
		copy.next = TORUS_NONE;
		copy.body = TORUS_NONE;
		torus_pool_fill(&d->pool, pkt, &copy);
		ev.pkt = pkt;
		/*
		 * an earlier change may have set any value here; avoid an overflow of the increment
		 */
		if (d->stats.population == INT64_MAX)
			d->stats.population = 0;
		d->stats.injected++;
		torus_stats_enter(&d->stats, &copy, f->clock);
	}
	torus_wheel_push(&d->wheel, at, ev);
}

static void change_event(struct torus_fabric *f, struct fuzz_input *in)
{
	u32 what = fuzz_below(in, 8), many = fuzz_u8(in);
	struct torus_event *ev, copy;
	u64 at;

	if (!found.events)
		return;
	ev = found.event[(fuzz_u8(in) | fuzz_u8(in) << 8) % found.events];
	at = f->clock + fuzz_u8(in);
	switch (what) {
	case 0:
		ev->dir = (u8)change(in, ev->dir);
		break;
	case 1:
		ev->queue = (u8)change(in, ev->queue);
		break;
	case 2:
		if (!torus_event_has_packet(ev) && ev->kind < TORUS_EV_OWN)
			ev->tokens = (u32)change(in, ev->tokens);
		break;
	case 3:
		if (torus_event_has_packet(ev) && ev->kind != TORUS_EV_LINK_TAIL)
			ev->kind = many % TORUS_EV_LINK_TAIL;
		else if (!torus_event_has_packet(ev) && ev->kind < TORUS_EV_OWN)
			ev->kind = TORUS_EV_DONE + many % (TORUS_EV_FAULT_BEGIN - TORUS_EV_DONE);
		break;
	case 4:
		for (copy = *ev, many %= 40; many; many--)
			add_event(f, copy, at);
		break;
	default:
		add_event(f, *ev, at);
	}
}

/* Change a word of a struct that consists of 64-bit numbers. */
static void change_word(struct fuzz_input *in, void *words, size_t bytes)
{
	u64 *word = (u64 *)words + (fuzz_u8(in) | fuzz_u8(in) << 8) % (bytes / sizeof(u64));

	*word = change(in, *word);
}

static void change_workload(struct torus_fabric *f, struct fuzz_input *in)
{
	struct torus_workload *w = f->workload;

	switch (fuzz_below(in, 8)) {
	case 0 ... 2:
		change_word(in, w->sources, (size_t)f->nodes * w->streams * sizeof(*w->sources));
		break;
	case 3:
		if (w->npoints)
			change_word(in, w->points, w->npoints * sizeof(*w->points));
		break;
	case 4:
		w->traffic.warmup = change(in, w->traffic.warmup);
		break;
	case 5:
		w->phase = fuzz_below(in, TORUS_PHASE_DONE + 1);
		break;
	case 6:
		change_word(in, &w->begin, offsetof(struct torus_moment, stats.by_hops));
		break;
	default:
		change_word(in, &f->domain->stats, offsetof(struct torus_stats, by_hops));
	}
}

/* Change a field of a live link, except its resend FIFO. */
static void change_link(struct torus_fabric *f, struct fuzz_input *in)
{
	u32 which = fuzz_u8(in), what = fuzz_below(in, 12);
	struct torus_link *l;

	if (!f->links)
		return;
	l = &f->links[which % (f->nodes * f->dirs)];
	if (!l->live)
		return;
	switch (what) {
	case 0:
		l->next_seq = (u16)change(in, l->next_seq);
		break;
	case 1:
		l->expected = (u16)change(in, l->expected);
		break;
	case 2:
		l->bytes = (u32)change(in, l->bytes);
		break;
	case 3:
		l->deadline = change(in, l->deadline);
		break;
	case 4:
		l->resent_at = change(in, l->resent_at);
		break;
	case 5:
		l->busy = !l->busy;
		break;
	case 6:
		l->timer = !l->timer;
		break;
	case 7:
		l->parked = !l->parked;
		break;
	case 8:
		l->resend = l->resend == TORUS_NONE ? l->head : TORUS_NONE;
		break;
	case 9:
		l->ecc_double = (u32)change(in, l->ecc_double);
		break;
	case 10:
		l->disabled = !l->disabled;
		break;
	default:
		l->error_in = change(in, l->error_in);
	}
}

/* ------------------------------------------------------------------- restore */

static u64 cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

/*
 * Restore a state into a new fabric. Return: the fabric, or NULL if the state was rejected with an
 * error message.
 */
static struct torus_fabric *restore(const struct snapshot_scene *s, struct snapshot_file *m,
				    u32 domains)
{
	struct torus_fabric *f = snapshot_make(s, domains);
	struct torus_error err = { 0 };
	u64 ns = cpu_ns();
	int ret = snapshot_whole(f, m, &snapshot_from, &err);

	ns = (cpu_ns() - ns) / (m->n / (1u << 20) + 1);
	longest = ns > longest ? ns : longest;
	fuzz_demand(ns < NS_PER_MB);
	if (!ret)
		return f;
	fuzz_demand(!strncmp(err.text, "state: ", 7));
	torus_fabric_destroy(f);
	return NULL;
}

/* Run an accepted state, call functions that query it, and save it again. */
static void state_run(struct torus_fabric *f)
{
	struct torus_fabric_counters counters;
	u64 end = f->clock + RUN_TICKS;
	struct torus_error err = { 0 };
	struct snapshot_file again = { 0 };
	struct torus_result result;
	struct torus_check check;
	struct torus_cycle cycle;

	torus_traffic_pause(f, end);
	while (torus_traffic_step(f, 0, 1) && f->clock < end)
		;
	fuzz_demand(!torus_check_fabric(f, &check) && check.conserved && !check.wrong);
	torus_fabric_counters(f, &counters);
	torus_traffic_result(f, &result);
	torus_traffic_progress(f);
	torus_watchdog_check(f, &cycle);
	snapshot_whole(f, &again, &snapshot_to, &err);
	free(again.bytes);
}

static struct snapshot_file changed_fabric(const struct snapshot_scene *s,
					   struct snapshot_file *from,
					   struct fuzz_input *in, u32 changes)
{
	struct torus_fabric *f = restore(s, from, 1);
	struct snapshot_file m = { 0 };
	struct torus_error err = { 0 };

	fuzz_demand(f);
	state_find(f);
	for (; changes; changes--)
		switch (fuzz_below(in, 8)) {
		case 0 ... 2:
			change_packet(f, in);
			break;
		case 3 ... 4:
			change_event(f, in);
			break;
		case 5 ... 6:
			change_link(f, in);
			break;
		default:
			change_workload(f, in);
		}
	if (snapshot_whole(f, &m, &snapshot_to, &err)) {
		free(m.bytes);
		m = (struct snapshot_file){ 0 };
	}
	torus_fabric_destroy(f);
	return m;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u32 scene = draw_scene(&in), tick = fuzz_below(&in, TICKS);
	u32 how = fuzz_u8(&in), changes = 1 + (how >> 1) % CHANGES_MAX;
	static bool registered;
	struct torus_fabric *f;
	struct snapshot_file m;

	if (!registered)
		registered = !atexit(counts);
	states_make(scene);
	if (how & 1) {
		m = changed_fabric(&scenes[scene], &states[scene][tick], &in, changes);
	} else {
		m = snapshot_copy(&states[scene][tick]);
		for (; changes; changes--)
			change_bytes(&m, &in);
		snapshot_seal(&m);
	}
	/* an empty file: saving has rejected the changed fabric */
	if (!m.n)
		return 0;
	f = restore(&scenes[scene], &m, 2);
	accepted[scene] += !!f;
	rejected[scene] += !f;
	if (f) {
		state_run(f);
		torus_fabric_destroy(f);
	}
	free(m.bytes);
	return 0;
}
