// SPDX-License-Identifier: GPL-2.0
/*
 * Switch the core's packet hook on and off.  A domain calls its hook, if it has one, for each
 * packet event.  It has one only while a tracepoint is on, a capture is open, or a request that
 * needs events runs the paused fabric: otherwise the hook would cost time.  The task that runs the
 * fabric checks that between two runs, so the hook of a domain never changes during a run.  A
 * tracepoint that was switched off produces no events in the meantime.
 */
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "engine.h"
#include "trace_enable.h"

/**
 * struct torus_domain_tracer - the packet hook of a domain
 * @core: hook that the core calls
 * @e: the domain's engine
 */
struct torus_domain_tracer {
	struct torus_tracer core;
	struct torus_engine *e;
};

/* Enabled while a tracepoint is on. */
static DEFINE_STATIC_KEY_FALSE(torus_trace_points_on);
static torus_trace_point_fn *torus_trace_point;

/**
 * torus_trace_point_on() - set the hooks from the next run on: a tracepoint was switched on
 * @tracer: called for each packet event while any tracepoint is on; valid until the module is
 *	unloaded
 */
void torus_trace_point_on(torus_trace_point_fn *tracer)
{
	torus_trace_point = tracer;
	static_branch_inc(&torus_trace_points_on);
}

/* Note that a tracepoint was switched off. With the last one, the leader clears the hooks. */
void torus_trace_point_off(void)
{
	static_branch_dec(&torus_trace_points_on);
}

static void torus_trace_domain_event(struct torus_tracer *core, struct torus_domain *d, u32 what,
				     u32 node, u32 dir, u32 vc, const struct torus_packet *p)
{
	struct torus_domain_tracer *w = container_of(core, struct torus_domain_tracer, core);

	struct torus_trace_client *client;

	if (static_branch_unlikely(&torus_trace_points_on))
		torus_trace_point(w->e, d, what, node, dir, vc, core->about, p);
	if (w->e->trace.record)
		w->e->trace.record(w->e, d, what, node, dir, vc, core->about, p);
	list_for_each_entry(client, &w->e->trace.clients, link)
		client->ops->event(client, d, what, node, dir, vc, core->about, p);
}

/**
 * torus_trace_enable_init() - allocate the hooks of all domains, disabled
 * @e: a new engine
 * @domains: number of domains of its fabric
 *
 * Return: 0 or -ENOMEM.
 */
int torus_trace_enable_init(struct torus_engine *e, u32 domains)
{
	struct torus_engine_trace *trace = &e->trace;
	u32 i;

	trace->tracers = kcalloc(domains, sizeof(*trace->tracers), TORUS_GFP_USER);
	if (!trace->tracers)
		return -ENOMEM;
	for (i = 0; i < domains; i++) {
		trace->tracers[i].core.event = torus_trace_domain_event;
		trace->tracers[i].e = e;
	}
	return 0;
}

/* Free the hooks: the fabric was deleted. */
void torus_trace_enable_free(struct torus_engine *e)
{
	kfree(e->trace.tracers);
}

/**
 * torus_trace_enable() - set or clear the packet hooks of all domains
 * @e: the engine, locked
 * @on: true to set them
 */
void torus_trace_enable(struct torus_engine *e, bool on)
{
	struct torus_fabric *f = e->fabric;
	u32 i;

	lockdep_assert_held(&e->lock.mutex);
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].tracer = on ? &e->trace.tracers[i].core : NULL;
	e->trace.on = on;
}

/*
 * Before a run, with the engine locked: set the hooks if a tracepoint is on, a capture is open or
 * events are recorded, clear them otherwise.
 */
void torus_trace_poll(struct torus_engine *e)
{
	bool on = static_branch_unlikely(&torus_trace_points_on) ||
		  !list_empty(&e->trace.clients) || e->trace.record;

	if (unlikely(on != e->trace.on))
		torus_trace_enable(e, on);
}

/* After a run, with the engine locked: make captures publish their records. */
void torus_trace_flush(struct torus_engine *e)
{
	struct torus_trace_client *client;

	lockdep_assert_held(&e->lock.mutex);
	if (likely(!e->trace.on))
		return;
	list_for_each_entry(client, &e->trace.clients, link)
		client->ops->ran(client, torus_fabric_clock(e->fabric));
}

/* Disconnect all captures: the fabric is being deleted. The engine is locked. */
void torus_trace_disconnect(struct torus_engine *e)
{
	struct torus_trace_client *client, *next;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry_safe(client, next, &e->trace.clients, link) {
		client->ops->ran(client, torus_fabric_clock(e->fabric));
		list_del_init(&client->link);
		client->ops->end(client);
	}
}
