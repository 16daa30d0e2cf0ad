/* SPDX-License-Identifier: GPL-2.0 */
/* Barrier gates of a file, for gate_ioctl.c and gate_context.c. */
#ifndef TORUS_DEV_CONTEXT_GATE_PRIVATE_H
#define TORUS_DEV_CONTEXT_GATE_PRIVATE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "core/nic/gate.h"
#include "dev/engine/client.h"
#include "dev/engine/engine.h"
#include "context.h"

/**
 * struct torus_gate_end - a gate that starts and ends chains
 * @link: in the list of its file
 * @id: ID of the gate
 * @running: an operation was started, and its result not taken yet
 * @done: the result may be available: a poll must lock the engine and check
 */
struct torus_gate_end {
	struct list_head link;
	u64 id;
	bool running;
	bool done;
};

struct torus_budget_user;

/**
 * struct torus_gates - the gates of a file
 * @lock: serializes the calls of the file
 * @engine: engine of the fabric, with a reference
 * @mm: identifies the process that opened the gates, with a reference
 * @engines: number of engines of the node
 * @client: link to the engine of the fabric
 * @evicted: the gates were revoked (engine.lock)
 * @closed: the file is closed; the gates stay until the clock of their process has left
 *	(engine.lock)
 * @mine: for each engine of the node, bit i: the file has gate i
 * @budget: for each engine of the node of which the file has gates: the user that is charged
 * @ends: gates that start and end chains: struct torus_gate_end
 */
struct torus_gates {
	struct mutex lock;	/* serializes calls */
	struct torus_engine *engine;
	struct mm_struct *mm;
	u32 engines;
	struct torus_gate_client client;
	bool evicted;
	bool closed;
	u64 mine[TORUS_ENGINES_MAX];
	struct torus_budget_user *budget[TORUS_ENGINES_MAX];
	struct list_head ends;
};

static inline const struct torus_gate_ops *torus_gates_ops(const struct torus_engine *e)
{
	return e->arch->gates;
}

static inline struct torus_gates *torus_gates_of(struct torus_ctx *ctx)
{
	return smp_load_acquire(&ctx->gates);	/* Pairs with torus_gates_open_at(). */
}

#endif
