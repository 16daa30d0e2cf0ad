/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core's packet hook: set while a tracepoint is on, a capture is open, or a request that needs
 * events runs the paused fabric.
 */
#ifndef TORUS_DEV_ENGINE_TRACE_ENABLE_H
#define TORUS_DEV_ENGINE_TRACE_ENABLE_H

#include <linux/list.h>
#include <linux/types.h>

#include "core/state/trace.h"

struct torus_domain_tracer;
struct torus_engine;

struct torus_trace_client;

/**
 * struct torus_trace_client_ops - calls of an engine to a client that records packets
 * @event: an event of the core; called by the threads that run the fabric, concurrently
 * @ran: publish the records of a run that ended at @clock; called with the engine locked
 * @end: the fabric is being deleted, and the client was removed from the list; called with the
 *	engine locked
 */
struct torus_trace_client_ops {
	void (*event)(struct torus_trace_client *client, struct torus_domain *d, u32 what,
		      u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p);
	void (*ran)(struct torus_trace_client *client, u64 clock);
	void (*end)(struct torus_trace_client *client);
};

/**
 * struct torus_trace_client - a client that records a fabric's packets
 * @ops: its operations
 * @link: in the engine's list, which changes while the engine is locked
 */
struct torus_trace_client {
	const struct torus_trace_client_ops *ops;
	struct list_head link;
};

/* Called for an event of the core, by the thread that runs the domain. */
typedef void torus_trace_point_fn(struct torus_engine *e, const struct torus_domain *d, u32 what,
				  u32 node, u32 dir, u32 vc, u64 about,
				  const struct torus_packet *p);

/**
 * struct torus_engine_trace - packet hooks of an engine's fabric (engine.lock)
 * @tracers: hook of each domain
 * @clients: clients that record packets: struct torus_trace_client
 * @record: called for each event while a request that needs events runs the fabric; else NULL
 * @on: the hooks are set
 */
struct torus_engine_trace {
	struct torus_domain_tracer *tracers;
	struct list_head clients;
	torus_trace_point_fn *record;
	bool on;
};

int torus_trace_enable_init(struct torus_engine *e, u32 domains);
void torus_trace_enable_free(struct torus_engine *e);
void torus_trace_enable(struct torus_engine *e, bool on);
void torus_trace_poll(struct torus_engine *e);
void torus_trace_flush(struct torus_engine *e);
void torus_trace_disconnect(struct torus_engine *e);
void torus_trace_point_on(torus_trace_point_fn *tracer);
void torus_trace_point_off(void);

#endif
