// SPDX-License-Identifier: GPL-2.0
/* Analyse which VC buffers wait for each other, and whether any of them can ever move. */
#include "core/run/watchdog.h"
#include "core/state/domain.h"

/*
 * State of a VC buffer. MOVES: its head can move eventually. REPORTED: as MOVES, and the other
 * processes have been notified.
 */
enum { MOVES, STUCK, REPORTED };

/*
 * Return the index (node * slots + slot) of the buffer into which alternative @bit of a head at
 * @node leads.
 */
static size_t watchdog_target(const struct torus_fabric *f, u32 node, u32 bit)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, bit / f->vcs);

	return (size_t)peer * f->dirs * f->vcs + bit;
}

/**
 * struct watchdog - the analysis of a fabric
 * @f: the fabric
 * @state: state of each VC buffer, by node and slot
 * @queue: ring of nodes whose stuck buffers are to be inspected
 * @queued: by node: 1 if the node is in the queue
 * @first: index of the queue's first node
 * @count: number of nodes in the queue
 * @stuck: number of stuck buffers of this process's nodes
 */
struct watchdog {
	struct torus_fabric *f;
	u8 *state;
	u32 *queue;
	u8 *queued;
	u32 first;
	u32 count;
	u64 stuck;
};

static void watchdog_push(struct watchdog *w, u32 node)
{
	if (w->queued[node] || !torus_node_here(w->f, node))
		return;
	w->queued[node] = 1;
	w->queue[(w->first + w->count++) % w->f->nodes] = node;
}

/*
 * For each stuck buffer of a node: if an alternative of its head leads into a moving buffer, mark
 * the buffer as moving. Then queue the upstream node, because only the heads there can wait for
 * this buffer.
 */
static void watchdog_inspect(struct watchdog *w, u32 node)
{
	struct torus_fabric *f = w->f;
	u32 slots = f->dirs * f->vcs, slot, from;

	for (slot = 0; slot < slots; slot++) {
		u8 *s = &w->state[(size_t)node * slots + slot];
		u64 waits;
		bool blocked;

		if (*s != STUCK)
			continue;
		f->router->head(f, node, slot, &waits, &blocked);
		for (; waits; waits &= waits - 1)
			if (w->state[watchdog_target(f, node, torus_ctz(waits))] != STUCK)
				break;
		if (!waits)
			continue;
		*s = MOVES;
		w->stuck--;
		from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(slot / f->vcs));
		if (from != TORUS_NONE)
			watchdog_push(w, from);
	}
}

/*
 * Inspect nodes until nothing changes. A node is inspected once, and at most once more for each
 * buffer for which its heads wait.
 */
static void watchdog_relax(struct watchdog *w)
{
	u32 node, done = 0;

	for (node = 0; node < w->f->nodes; node++)
		watchdog_push(w, node);
	while (w->count) {
		node = w->queue[w->first];
		w->first = w->first + 1 == w->f->nodes ? 0 : w->first + 1;
		w->count--;
		w->queued[node] = 0;
		watchdog_inspect(w, node);
		if (!(++done & 1023))
			torus_yield();
	}
}

/* Return the node that feeds a slot, if another process simulates that node; else TORUS_NONE. */
static u32 watchdog_stranger(const struct torus_fabric *f, u32 node, u32 slot)
{
	u32 from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(slot / f->vcs));

	return from == TORUS_NONE || torus_node_here(f, from) ? TORUS_NONE : from;
}

/*
 * List the moving buffers of this process that nodes of other processes feed, and that were not
 * reported to these processes yet.
 */
static size_t watchdog_news(const struct torus_fabric *f, u8 *state, u64 *news)
{
	u32 slots = f->dirs * f->vcs, node, slot;
	size_t n = 0, at;

	for (node = 0; node < f->nodes; node++)
		for (slot = 0; torus_node_here(f, node) && slot < slots; slot++) {
			at = (size_t)node * slots + slot;
			if (state[at] != MOVES || watchdog_stranger(f, node, slot) == TORUS_NONE)
				continue;
			if (news) {
				news[n] = at;
				state[at] = REPORTED;
			}
			n++;
		}
	return n;
}

/*
 * Report newly moving buffers to the processes whose packets may wait for them. Return 1 if any
 * process reported buffers, 0 if none did, or -ENOMEM.
 */
static int watchdog_report(struct torus_fabric *f, u8 *state)
{
	struct torus_procs *procs = f->cfg.procs;
	size_t n, got, i;
	const u64 *all;
	u64 *news;

	if (!procs)
		return 0;
	n = watchdog_news(f, state, NULL);
	news = torus_procs_alloc(f, (n + 1) * sizeof(*news));
	if (!news)
		return -ENOMEM;
	watchdog_news(f, state, news);
	all = procs->pass(procs, news, n * sizeof(*news), &got);
	for (i = 0; i < got / sizeof(*all); i++)
		if (state[all[i]] == STUCK)
			state[all[i]] = REPORTED;
	torus_free(news, (n + 1) * sizeof(*news));
	return got != 0;
}

/* Return the index of the buffer for which a stuck buffer's head waits. */
static size_t watchdog_waits_for(struct torus_fabric *f, size_t at)
{
	u32 slots = f->dirs * f->vcs;
	bool blocked;
	u64 waits;

	f->router->head(f, (u32)(at / slots), (u32)(at % slots), &waits, &blocked);
	return watchdog_target(f, (u32)(at / slots), torus_ctz(waits));
}

/*
 * Return an array with an entry for each buffer of all processes. For a stuck buffer: 1 + index of
 * the buffer for which its head waits. For a moving buffer: 0.
 */
static u64 *watchdog_gather(struct torus_fabric *f, const u8 *state, u64 stuck)
{
	size_t n = (size_t)f->nodes * f->dirs * f->vcs, at, used = 0, got;
	u64 *next = torus_procs_alloc(f, n * sizeof(*next));
	u64 *own = torus_procs_alloc(f, (stuck + 1) * 2 * sizeof(*own));
	const u64 *all;

	if (!next || !own) {
		torus_free(next, n * sizeof(*next));
		torus_free(own, (stuck + 1) * 2 * sizeof(*own));
		return NULL;
	}
	for (at = 0; at < n; at++) {
		if (state[at] != STUCK || !torus_node_here(f, (u32)(at / (f->dirs * f->vcs))))
			continue;
		own[used++] = at;
		own[used++] = watchdog_waits_for(f, at) + 1;
	}
	if (f->cfg.procs)
		all = f->cfg.procs->pass(f->cfg.procs, own, used * sizeof(*own), &got);
	else
		all = own, got = used * sizeof(*own);
	for (; got; got -= 2 * sizeof(*all), all += 2)
		next[all[0]] = all[1];
	torus_free(own, (stuck + 1) * 2 * sizeof(*own));
	return next;
}

static void watchdog_name_cycle(struct torus_fabric *f, const u64 *next, struct torus_cycle *cycle)
{
	u32 slots = f->dirs * f->vcs, vcs = f->vcs, i;
	size_t at = 0, start, len = 0;
	char coords[64], dir[16];

	while (!next[at])
		at++;
	/* follow one step per stuck buffer: the walk has then reached the cycle */
	for (i = 0; i < cycle->stuck; i++)
		at = next[at] - 1;
	start = at;
	do {
		u32 node = (u32)(at / slots), slot = (u32)(at % slots);

		cycle->length++;
		torus_geometry_text(&f->cfg.geo, node, coords, sizeof(coords));
		len += (size_t)scnprintf(cycle->text + len, sizeof(cycle->text) - len, "%s%s %s %s",
					 len ? " > " : "", coords,
					 torus_direction_name(slot / vcs, dir, sizeof(dir)),
					 f->router->vc_names[slot % vcs]);
		at = next[at] - 1;
	} while (at != start);
}

/*
 * Set the initial states of this process's nodes and their neighbours. Buffers of other processes
 * count as stuck until reported.
 */
static void watchdog_begin(struct watchdog *w)
{
	struct torus_fabric *f = w->f;
	u32 slots = f->dirs * f->vcs, node, slot, peer;
	u8 *state = w->state;
	bool blocked;
	u64 waits;

	for (node = 0; node < f->nodes; node++)
		for (slot = 0; torus_node_here(f, node) && slot < slots; slot++) {
			f->router->head(f, node, slot, &waits, &blocked);
			state[(size_t)node * slots + slot] = blocked ? STUCK : MOVES;
			w->stuck += blocked;
			peer = torus_geometry_neighbor(&f->cfg.geo, node, slot / f->vcs);
			if (peer != TORUS_NONE && !torus_node_here(f, peer))
				state[(size_t)peer * slots + slot] = STUCK;
		}
}

/*
 * Mark buffers as moving until nothing changes. Return the number of stuck buffers, or ~0 without
 * memory.
 */
static u64 watchdog_settle(struct watchdog *w)
{
	int reported;

	do {
		watchdog_relax(w);
		reported = watchdog_report(w->f, w->state);
		if (reported < 0)
			return ~0ull;
	} while (reported);
	return w->stuck;
}

static void watchdog_free(struct watchdog *w)
{
	u32 nodes = w->f->nodes;

	torus_free(w->state, (size_t)nodes * w->f->dirs * w->f->vcs);
	torus_free(w->queue, nodes * sizeof(*w->queue));
	torus_free(w->queued, nodes);
}

static bool watchdog_init(struct watchdog *w, struct torus_fabric *f)
{
	w->f = f;
	w->state = torus_procs_alloc(f, (size_t)f->nodes * f->dirs * f->vcs);
	w->queue = torus_procs_alloc(f, f->nodes * sizeof(*w->queue));
	w->queued = torus_procs_alloc(f, f->nodes);
	if (w->state && w->queue && w->queued)
		return true;
	watchdog_free(w);
	return false;
}

int torus_watchdog_check(struct torus_fabric *f, struct torus_cycle *cycle)
{
	size_t n = (size_t)f->nodes * f->dirs * f->vcs;
	int verdict = TORUS_VERDICT_ALIVE;
	bool pending = torus_fabric_pending(f);
	u64 own, stuck, *next = NULL;
	struct watchdog w = { 0 };

	if (cycle)
		memset(cycle, 0, sizeof(*cycle));
	if (!f->router->head)
		return TORUS_VERDICT_ALIVE;
	if (!watchdog_init(&w, f))
		return -ENOMEM;
	watchdog_begin(&w);
	own = watchdog_settle(&w);
	stuck = own == ~0ull ? own : torus_procs_sum_one(f, own);
	if (stuck == ~0ull)
		verdict = -ENOMEM;
	else if (stuck)
		verdict = TORUS_VERDICT_DEADLOCK;
	else if (!pending && torus_fabric_in_flight(f))
		verdict = TORUS_VERDICT_WAITING;
	if (verdict == TORUS_VERDICT_DEADLOCK && cycle) {
		cycle->stuck = stuck > 0xffffffffu ? 0xffffffffu : (u32)stuck;
		next = watchdog_gather(f, w.state, own);
		if (next)
			watchdog_name_cycle(f, next, cycle);
		else
			verdict = -ENOMEM;
		torus_free(next, n * sizeof(*next));
	}
	watchdog_free(&w);
	return verdict;
}
