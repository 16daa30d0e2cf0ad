// SPDX-License-Identifier: GPL-2.0
/*
 * Watching a fabric's packets.  The core tells a domain's watcher of them where there is one, and
 * there is one only while a tracepoint is on or somebody captures: else the core pays for it what
 * it pays without a watcher.  The leader looks, between two runs, whether somebody does; so a
 * watcher never comes or goes during a run, and a tracepoint that is switched off is quiet by
 * itself until the leader looks.
 */
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "core/link/wire.h"
#include "engine.h"
#include "trace_enable.h"

/**
 * struct torus_domain_watcher - the watcher of a domain
 * @core: what the core calls
 * @e: the domain's engine
 */
struct torus_domain_watcher {
	struct torus_watcher core;
	struct torus_engine *e;
};

/* On while a tracepoint is switched on. */
static DEFINE_STATIC_KEY_FALSE(torus_watch_traced);
static torus_watch_tracer *torus_watch_trace;

/**
 * torus_watch_trace_begin() - a tracepoint is switched on
 * @tracer: is called for each event from now on, as long as the module is there
 */
void torus_watch_trace_begin(torus_watch_tracer *tracer)
{
	torus_watch_trace = tracer;
	static_branch_inc(&torus_watch_traced);
}

/* A tracepoint is switched off. */
void torus_watch_trace_end(void)
{
	static_branch_dec(&torus_watch_traced);
}

static void torus_watch_event(struct torus_watcher *core, struct torus_domain *d, u32 what,
			      u32 node, u32 dir, u32 vc, const struct torus_packet *p)
{
	struct torus_domain_watcher *w = container_of(core, struct torus_domain_watcher, core);

	struct torus_watch_client *client;

	if (static_branch_unlikely(&torus_watch_traced))
		torus_watch_trace(w->e, d, what, node, dir, vc, core->about, p);
	if (list_empty(&w->e->watch.clients) || !torus_wire_is(d, what, node, dir))
		return;
	list_for_each_entry(client, &w->e->watch.clients, link)
		client->ops->event(client, d, what, node, dir, vc, p);
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

	lockdep_assert_held(&e->lock.mutex);
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].watcher = on ? &e->watch.watchers[i].core : NULL;
	e->watch.on = on;
}

/* Before a run, the engine locked: give the domains their watchers if anybody watches. */
void torus_watch_look(struct torus_engine *e)
{
	bool on = static_branch_unlikely(&torus_watch_traced) || !list_empty(&e->watch.clients);

	if (unlikely(on != e->watch.on))
		torus_watch_turn(e, on);
}

/* After a run, the engine locked: those that record may show what they have. */
void torus_watch_ran(struct torus_engine *e)
{
	struct torus_watch_client *client;

	lockdep_assert_held(&e->lock.mutex);
	if (likely(!e->watch.on))
		return;
	list_for_each_entry(client, &e->watch.clients, link)
		client->ops->ran(client, torus_fabric_clock(e->fabric));
}

/* The engine is locked, and its fabric being deleted: nobody records it any more. */
void torus_watch_end(struct torus_engine *e)
{
	struct torus_watch_client *client, *next;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry_safe(client, next, &e->watch.clients, link) {
		client->ops->ran(client, torus_fabric_clock(e->fabric));
		list_del_init(&client->link);
		client->ops->end(client);
	}
}
