/* SPDX-License-Identifier: GPL-2.0 */
/* An engine: a fabric, and the threads that run it. See engine_lifecycle.c and engine_lock.c. */
#ifndef TORUS_DEV_ENGINE_ENGINE_H
#define TORUS_DEV_ENGINE_ENGINE_H

#include <linux/kref.h>
#include <linux/types.h>

#include "core/run/fabric.h"
#include "client.h"
#include "doorbell.h"
#include "engine_lock.h"
#include "interrupts.h"
#include "job.h"
#include "leader.h"
#include "registry.h"
#include "trace_enable.h"
#include "upload.h"

struct net;

/* The core's own workload on this fabric. */
enum torus_traffic_state {
	TORUS_TRAFFIC_NONE,
	TORUS_TRAFFIC_RUNNING,
	TORUS_TRAFFIC_DONE,		/* ended or stopped; its result can be read */
};

/**
 * struct torus_kept - result of a workload that is over
 * @result: measurements, as TRAFFIC_GET reports them
 * @progress: progress of the workload, as TRAFFIC_GET reports it
 */
struct torus_kept {
	struct torus_result result;
	u64 progress;
};

/**
 * struct torus_engine_workload - the core's own workload on an engine's fabric (engine.lock)
 * @state: whether it runs
 * @windows: windows to run between two releases of the lock
 * @kept: results of a workload that had to make way for programs, or NULL
 */
struct torus_engine_workload {
	enum torus_traffic_state state;
	u32 windows;
	struct torus_kept *kept;
};

/**
 * struct torus_engine - a fabric, and the threads that run it
 * @ref: one for the registry, one for each context, one for each task that uses it for a moment
 * @registry: see registry.c
 * @name: name of the fabric
 * @arch: the machine
 * @geo: its shape; stays when the fabric is gone
 * @tick_fs: femtoseconds of its tick
 *
 * @lock: protects the members that follow, unless the comment of their struct says otherwise
 * @fabric: the fabric; NULL when it was deleted
 * @state: enum torus_fabric_state
 * @generation: changes when the configuration does, for dumps
 * @workload: the core's own traffic
 * @clients: clients of FIFO groups
 * @uploads: see upload.c
 * @steps: counters of the leader
 * @vtime: owned by dev/vtime, which the engine calls by struct torus_vtime_ops
 * @watchdog: what does not move
 * @nodes: owners and jobs
 * @interrupts: interrupts that were not reported yet; has a lock of its own
 *
 * @gates: owned by dev/context, which the engine calls by struct torus_gate_client_ops
 * @trace: clients that record packets, of dev/trace
 * @sleep: where the leader sleeps
 * @wakeups: readers that are woken after the run
 * @doorbell: see doorbell.c
 * @threads: the leader and its workers
 *
 * The order is that of cache lines, 64 bytes each. Apart from constants, a doorbell and the run
 * that follows use these lines:
 * - that of @fabric, with most of @lock, and the one before, where @lock begins;
 * - that of @state, @workload and the first members of @clients;
 * - the two of @steps, @vtime, and the first members of @watchdog;
 * - that of interrupts.count;
 * - the two from @gates to the flags of @doorbell.
 */
struct torus_engine {
	struct kref ref;
	struct torus_registry_entry registry;
	char name[TORUS_NAME_MAX];
	const struct torus_arch *arch;
	struct torus_geometry geo;
	u64 tick_fs;

	struct torus_engine_lock lock;
	struct torus_fabric *fabric;
	u32 state;
	u32 generation;
	struct torus_engine_workload workload;
	struct torus_engine_clients clients;
	struct torus_uploads uploads;
	struct torus_leader_steps steps;
	struct torus_engine_vtime vtime;
	struct torus_leader_watchdog watchdog;
	struct torus_engine_nodes nodes;
	struct torus_interrupt_notes interrupts;

	struct torus_gate_clients gates;
	struct torus_engine_trace trace;
	struct torus_leader_sleep sleep;
	struct torus_deferred_wakeups wakeups;
	struct torus_doorbell doorbell;
	struct torus_engine_threads threads;
};

#endif
