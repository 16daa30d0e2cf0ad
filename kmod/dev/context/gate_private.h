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
 * @link: in its file's list
 * @id: its id
 * @running: an operation was started whose result is not taken
 * @done: the result may be there: the fabric is to be asked
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
 * @lock: one call at a time
 * @engine: the fabric's
 * @mm: of the process that opened them
 * @engines: of the node
 * @client: the engine's view of them
 * @evicted: they were taken away (engine held)
 * @closed: the file is closed; they stay until their process's clock has left (engine held)
 * @mine: of each engine, bit i: gate i
 * @budget: of each engine of which the file has gates: the user whose rings they count with
 * @ends: those that start and end chains
 */
struct torus_gates {
	struct mutex lock;	/* one call at a time */
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
	return smp_load_acquire(&ctx->gates);	/* pairs with torus_gates_open_at() */
}

#endif
