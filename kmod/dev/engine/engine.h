/* SPDX-License-Identifier: GPL-2.0 */
/* An engine: a fabric, and the threads that run it. */
#ifndef TORUS_DEV_ENGINE_ENGINE_H
#define TORUS_DEV_ENGINE_ENGINE_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "core/run/fabric.h"
#include "interrupts.h"
#include "upload.h"
#include "watch.h"

struct net;
struct task_struct;

/* The core's own workload on this fabric. */
enum torus_traffic_state {
	TORUS_TRAFFIC_NONE,
	TORUS_TRAFFIC_RUNNING,
	TORUS_TRAFFIC_DONE,		/* ended or stopped; its result can be read */
};

/**
 * struct torus_kept - what a workload has measured
 * @result: as TRAFFIC_GET tells it
 * @progress: how much was done, as there
 */
struct torus_kept {
	struct torus_result result;
	u64 progress;
};

/**
 * struct torus_engine - a fabric, and the threads that run it
 * @ref: one for the registry, one for each context, one for who looks at it
 * @link: in its namespace's list (registry locked)
 * @net: the namespace; stays valid while @fabric is not NULL
 * @name: name of the fabric
 * @arch: the machine
 * @geo: its shape; stays when the fabric is gone
 * @bytes: what it has taken of the budget
 * @tied: port of the socket with which it dies; 0: none
 *
 * @lock: the fabric is held, in the core's words: no run is in progress.  What
 *        follows is protected by it
 * @fabric: the fabric; NULL when it was deleted
 * @clients: those of FIFO groups: struct torus_engine_client
 * @attached: their number
 * @user: whose they all are, INVALID_UID if they are several users', or there is none
 * @draining: closed ones among them
 * @drains: closed ones that are gone
 * @generation: changes when the configuration does, for dumps
 * @holders: changes when a group is taken or given back, or gates are
 * @state: enum torus_fabric_state
 * @workload: the core's own traffic
 * @kept: what a workload has measured that had to make way for programs, or NULL
 * @pairs: a table for it that is being loaded
 * @routes: routing tables that are being loaded
 * @saved: the fabric's state at a tick, for whoever reads it
 * @loaded: a state that is being loaded
 * @routes_bytes: what the fabric's own count against max_bytes
 * @budget: windows of it between two looks at @lock
 * @round: rounds of looking at the rings
 * @unpublished: steps since fill levels were published
 * @leap: how often it ran with no packet in flight, or none that moves
 * @refused: chunks that were no packet, which the core has not seen
 * @refused_base: the same when counters were last reset
 * @tick_fs: femtoseconds of its tick
 * @virtual: its time is that of programs, see program.c
 * @programs: those that are attached: struct torus_program
 * @virtual_since: jiffies since which virtual time runs
 * @stalled: somebody was told that all programs wait
 * @checked: the watchdog has looked since anything moved
 * @rest_since: jiffies since which nothing moves
 * @waiting_told: jiffies when senders were last told of packets that dead links hold up
 * @owners: of each node, INVALID_UID for anybody; NULL: no node has one
 * @jobs: struct torus_job_nodes, see job.h
 * @parked: of each node, bit d: it was told that the link in direction d is parked
 * @cycle: what the watchdog found
 * @interrupts: interrupts that are still to be told
 * @gates_open: its barrier gates are ready for use
 * @gate_files: files that have gates
 * @gate_clients: those of barrier gates: struct torus_gate_client
 * @watch: who watches its packets
 *
 * @wait: where the leader sleeps
 * @kicked: it shall not
 * @asleep: it does, and who rings may run the fabric instead
 * @lent: it sleeps, and who rang does its work
 * @rung: somebody has rung meanwhile
 * @late: wakes it where it was kicked by who may have more to send
 * @defer: readers are woken behind the run
 * @untold: some of them are to be
 * @untold_since: when that was first put off, in ns
 * @drained: where ATTACH waits for a group that a closed context still holds
 * @leader: the thread that runs the fabric
 * @workers: threads that help
 * @threads: their number, the leader included
 * @work: where workers wait
 * @runs: runs with workers so far
 * @left: how often a worker has come back from one
 */
struct torus_engine {
	struct kref ref;
	struct list_head link;
	struct net *net;
	char name[TORUS_NAME_MAX];
	const struct torus_arch *arch;
	struct torus_geometry geo;
	u64 bytes;
	u32 tied;

	struct mutex lock;	/* the fabric is held */
	wait_queue_head_t turn;	/* programs that wait for it, */
	atomic_t waiting;	/* and how many, some of them awake */
	u64 gave_way;
	struct torus_fabric *fabric;
	struct list_head clients;
	u32 attached;
	kuid_t user;
	u32 draining;
	u32 drains;
	u32 generation;
	u32 holders;
	u32 state;
	enum torus_traffic_state workload;
	struct torus_kept *kept;
	struct torus_upload pairs;
	struct torus_upload routes;
	struct torus_upload saved;
	struct torus_upload loaded;
	u64 routes_bytes;
	u32 budget;
	u32 round;
	u32 unpublished;
	u32 leap;
	atomic64_t refused;
	s64 refused_base;
	u64 tick_fs;
	bool virtual;
	struct list_head programs;
	unsigned long virtual_since;
	bool stalled;
	bool checked;
	unsigned long rest_since;
	unsigned long waiting_told;
	kuid_t *owners;
	struct list_head jobs;
	u32 *parked;
	struct torus_cycle cycle;
	struct torus_interrupt_notes interrupts;
	bool gates_open;
	u32 gate_files;
	struct list_head gate_clients;
	struct torus_watching watch;

	wait_queue_head_t wait;
	bool kicked;
	bool asleep;
	bool lent;
	bool rung;
	struct hrtimer late;
	bool defer;
	bool untold;
	u64 untold_since;
	wait_queue_head_t drained;
	struct task_struct *leader;
	struct task_struct **workers;
	u32 threads;
	wait_queue_head_t work;
	u32 runs;
	atomic_t left;
};

int torus_engine_create(struct net *net, const char *name, const struct torus_config *cfg,
			struct torus_engine **out, struct torus_error *err);
void torus_engine_remove(struct torus_engine *e);
void torus_engine_get(struct torus_engine *e);
void torus_engine_put(struct torus_engine *e);

int torus_engine_hold(struct torus_engine *e) __must_check;
int torus_engine_hold_killable(struct torus_engine *e) __must_check;
void torus_engine_give_way(struct torus_engine *e);
void torus_engine_release(struct torus_engine *e);
void torus_engine_release_kick(struct torus_engine *e);
void torus_engine_kick(struct torus_engine *e);
void torus_engine_restart(struct torus_engine *e);
void torus_engine_exchange(struct torus_engine *e, struct torus_fabric *f);
void torus_engine_end_workload(struct torus_engine *e);
int torus_engine_keep_result(struct torus_engine *e);
void torus_engine_renice(struct torus_engine *e);

#endif
