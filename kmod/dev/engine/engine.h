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
#include "pause.h"
#include "paused_run.h"
#include "port_slot.h"
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
 * @state: state of the workload
 * @windows: number of windows that the leader runs before it unlocks the engine
 * @kept: result of a workload that a program has ended, or NULL
 */
struct torus_engine_workload {
	enum torus_traffic_state state;
	u32 windows;
	struct torus_kept *kept;
};

/**
 * struct torus_engine - a fabric, and the threads that run it
 * @ref: one reference for the registry, one per context, open file of gates, capture, device and
 *	dump, one per task that uses the engine for a moment
 * @registry: entry in the registry; see registry.c
 * @name: name of the fabric
 * @arch: machine of the fabric
 * @geo: shape of the fabric; valid even after the fabric was deleted
 * @tick_fs: length of a tick in femtoseconds
 *
 * @lock: protects the members that follow, unless the comment of their struct says otherwise
 * @fabric: the fabric; NULL after it was deleted
 * @state: enum torus_fabric_state
 * @generation: changes with the configuration; dumps detect a change by it
 * @paused: the fabric is paused: only requests run it
 * @workload: the core's own workload
 * @clients: clients of FIFO groups
 * @uploads: uploads in progress; see upload.c
 * @steps: counters of the leader
 * @vtime: virtual time; owned by dev/vtime, which the engine calls by struct torus_vtime_ops
 * @watchdog: state of the watchdog, which finds packets that do not move
 * @nodes: owners of nodes, and jobs
 * @interrupts: interrupts that were not reported yet; has a lock of its own
 * @pause: the pause of the fabric
 * @run: run of the paused fabric
 *
 * @gates: owned by dev/context, which the engine calls by struct torus_gate_client_ops
 * @trace: packet hooks, and the captures of dev/trace
 * @sleep: sleep of the leader
 * @ports: FIFO groups that are reserved for drivers
 * @wakeups: readers that are woken after the run
 * @doorbell: doorbell calls; see doorbell.c
 * @threads: the leader and its workers
 *
 * The members are in the order of cache lines, 64 bytes each. Apart from constants, a doorbell and
 * the run that follows use these lines:
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
	bool paused;
	struct torus_engine_workload workload;
	struct torus_engine_clients clients;
	struct torus_uploads uploads;
	struct torus_leader_steps steps;
	struct torus_engine_vtime vtime;
	struct torus_leader_watchdog watchdog;
	struct torus_engine_nodes nodes;
	struct torus_interrupt_notes interrupts;
	struct torus_pause pause;
	struct torus_paused_run run;

	struct torus_gate_clients gates;
	struct torus_engine_trace trace;
	struct torus_leader_sleep sleep;
	struct torus_port_slots ports;
	struct torus_deferred_wakeups wakeups;
	struct torus_doorbell doorbell;
	struct torus_engine_threads threads;
};

#endif
