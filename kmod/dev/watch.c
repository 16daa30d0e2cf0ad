// SPDX-License-Identifier: GPL-2.0
/*
 * Watching a fabric's packets.  The core tells a domain's watcher of them where there is one, and
 * there is one only while a tracepoint is on or somebody captures: else the core pays for it what
 * it pays without a watcher.  The leader looks, between two runs, whether somebody does; so a
 * watcher never comes or goes during a run, and a tracepoint that is switched off is quiet by
 * itself until the leader looks.
 */
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "capture.h"
#include "engine.h"
#include "watch.h"

/**
 * struct torus_domain_watcher - the watcher of a domain
 * @core: what the core calls
 * @e: the domain's engine
 */
struct torus_domain_watcher {
	struct torus_watcher core;
	struct torus_engine *e;
};

static void torus_watch_event(struct torus_watcher *core, struct torus_domain *d, u32 what,
			      u32 node, u32 dir, u32 vc, const struct torus_packet *p)
{
	struct torus_domain_watcher *w = container_of(core, struct torus_domain_watcher, core);

	if (static_branch_unlikely(&torus_trace_key))
		torus_trace_tell(w->e, d, what, node, dir, vc, core->about, p);
	if (!list_empty(&w->e->watch.captures))
		torus_captures_take(w->e, d, what, node, dir, vc, p);
}

/**
 * torus_watch_init() - nobody watches yet
 * @e: an engine that is being made
 * @domains: of its fabric
 *
 * Return: 0 or -ENOMEM.
 */
int torus_watch_init(struct torus_engine *e, u32 domains)
{
	struct torus_watching *watch = &e->watch;
	u32 i;

	watch->watchers = kcalloc(domains, sizeof(*watch->watchers), TORUS_GFP_USER);
	if (!watch->watchers)
		return -ENOMEM;
	for (i = 0; i < domains; i++) {
		watch->watchers[i].core.event = torus_watch_event;
		watch->watchers[i].e = e;
	}
	return 0;
}

/* The end of it: the fabric is gone. */
void torus_watch_free(struct torus_engine *e)
{
	kfree(e->watch.watchers);
}

/**
 * torus_watch_turn() - give the domains their watchers, or take them away
 * @e: the engine, held
 * @on: which
 */
void torus_watch_turn(struct torus_engine *e, bool on)
{
	struct torus_fabric *f = e->fabric;
	u32 i;

	lockdep_assert_held(&e->lock);
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].watcher = on ? &e->watch.watchers[i].core : NULL;
	e->watch.on = on;
}
