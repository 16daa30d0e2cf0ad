/* SPDX-License-Identifier: GPL-2.0 */
/* Watching a fabric's packets: tracepoints and captures. */
#ifndef TORUS_DEV_ENGINE_TRACE_ENABLE_H
#define TORUS_DEV_ENGINE_TRACE_ENABLE_H

#include <linux/list.h>
#include <linux/types.h>

#include "core/state/watch.h"

struct torus_domain_watcher;
struct torus_engine;

struct torus_watch_client;

/**
 * struct torus_watch_client_ops - what an engine asks of those who record a fabric's packets
 * @event: record a packet on a link. Called by the threads that run the fabric, concurrently
 * @ran: a run has ended at @clock; the engine is locked
 * @end: the fabric is being deleted, the client is no longer in the list; the engine is locked
 */
struct torus_watch_client_ops {
	void (*event)(struct torus_watch_client *client, struct torus_domain *d, u32 what,
		      u32 node, u32 dir, u32 vc, const struct torus_packet *p);
	void (*ran)(struct torus_watch_client *client, u64 clock);
	void (*end)(struct torus_watch_client *client);
};

/**
 * struct torus_watch_client - one who records a fabric's packets
 * @ops: its operations
 * @link: in the engine's list, which changes while the engine is locked
 */
struct torus_watch_client {
	const struct torus_watch_client_ops *ops;
	struct list_head link;
};

/**
 * struct torus_watching - who watches an engine's fabric (engine.lock)
 * @watchers: one a domain
 * @clients: those that record: struct torus_watch_client
 * @on: the domains have their watchers
 */
struct torus_watching {
	struct torus_domain_watcher *watchers;
	struct list_head clients;
	bool on;
};

/* Passes what the core reports on to the tracepoint for it. */
typedef void torus_watch_tracer(const struct torus_engine *e, const struct torus_domain *d,
				u32 what, u32 node, u32 dir, u32 vc, u64 about,
				const struct torus_packet *p);

int torus_watch_init(struct torus_engine *e, u32 domains);
void torus_watch_free(struct torus_engine *e);
void torus_watch_turn(struct torus_engine *e, bool on);
void torus_watch_look(struct torus_engine *e);
void torus_watch_ran(struct torus_engine *e);
void torus_watch_end(struct torus_engine *e);
void torus_watch_trace_begin(torus_watch_tracer *tracer);
void torus_watch_trace_end(void);

#endif
