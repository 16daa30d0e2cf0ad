// SPDX-License-Identifier: GPL-2.0
/*
 * The life cycle of an engine: create it with its fabric and threads, remove it, replace the
 * fabric.
 *
 * The registry owns the fabric.  torus_engine_remove() detaches every context, clears
 * engine.fabric under the lock, stops the threads and destroys the fabric, even while programs use
 * it; it waits for no program.  The engine itself is freed with the last reference, for instance
 * that of a context.
 */
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/state/interrupt.h"
#include "dev/base/params.h"
#include "client.h"
#include "doorbell.h"
#include "engine.h"
#include "engine_lifecycle.h"
#include "job.h"
#include "leader.h"
#include "pair_upload.h"
#include "pause.h"
#include "paused_run.h"
#include "rights.h"
#include "routes.h"
#include "snapshot.h"

static void torus_engine_destroy(struct kref *ref)
{
	struct torus_engine *e = container_of(ref, struct torus_engine, ref);

	WARN_ON_ONCE(e->fabric || !list_empty(&e->clients.list) || !xa_empty(&e->ports.slots));
	mutex_destroy(&e->lock.mutex);
	kfree(e->threads.workers);
	kvfree(e->watchdog.parked);
	torus_trace_enable_free(e);
	kvfree(e->nodes.owners);
	kfree(e->workload.kept);
	torus_jobs_free(e);
	torus_group_owner_put(&e->pause.by);
	kfree(e);
}

void torus_engine_get(struct torus_engine *e)
{
	kref_get(&e->ref);
}

/* Drop a reference to an engine. The last one frees it. */
void torus_engine_put(struct torus_engine *e)
{
	kref_put(&e->ref, torus_engine_destroy);
}

/**
 * torus_engine_restart() - reset the state that the engine keeps about its fabric
 * @e: the engine, locked; its fabric was just reset or replaced, or is unused
 */
void torus_engine_restart(struct torus_engine *e)
{
	lockdep_assert_held(&e->lock.mutex);
	e->state = TORUS_FABRIC_IDLE;
	e->workload.state = TORUS_TRAFFIC_NONE;
	e->workload.windows = TORUS_BUDGET_MIN;
	e->clients.refused_base = atomic64_read(&e->clients.refused);
	e->watchdog.checked = false;
	e->watchdog.rest_since = torus_pause_jiffies(e);
	kfree(e->workload.kept);
	e->workload.kept = NULL;
	e->vtime.stalled = false;
	torus_engine_reset_gates(e);
	memset(e->watchdog.parked, 0, e->geo.nodes * sizeof(*e->watchdog.parked));
}

/* Have the fabric report interrupts to its engine. */
static void torus_engine_listen(struct torus_engine *e)
{
	torus_interrupt_listen(e->fabric, torus_interrupts_raised, e);
}

/**
 * torus_engine_exchange() - replace the fabric of an engine, and destroy the old one
 * @e: the engine, locked, without clients
 * @f: the new fabric, of the same configuration; owned by the engine from now on
 */
void torus_engine_exchange(struct torus_engine *e, struct torus_fabric *f)
{
	struct torus_fabric *old = e->fabric;

	lockdep_assert_held(&e->lock.mutex);
	/*
	 * A worker may still be leaving the last run, whose barrier is a part of the old fabric.
	 * Wait until all workers have left it.
	 */
	while ((u32)atomic_read_acquire(&e->threads.left) !=
	       e->threads.runs * (e->threads.count - 1))
		schedule_timeout_uninterruptible(1);
	e->fabric = f;
	torus_engine_listen(e);
	torus_trace_enable(e, e->trace.on);
	torus_engine_restart(e);
	torus_routes_count(e);
	torus_fabric_destroy(old);
}

/**
 * torus_engine_end_workload() - end the workload, so that the engine serves programs again
 * @e: the engine, locked, with a workload that runs or is done
 */
void torus_engine_end_workload(struct torus_engine *e)
{
	lockdep_assert_held(&e->lock.mutex);
	torus_traffic_stop(e->fabric);
	e->workload.state = TORUS_TRAFFIC_NONE;
	e->watchdog.checked = false;
	e->watchdog.rest_since = torus_pause_jiffies(e);
}

/**
 * torus_engine_keep_result() - save the result of a finished workload, and end the workload
 * @e: the engine, locked
 *
 * Called before a program uses the fabric. The result can be read until another workload begins,
 * the fabric is reset, or the workload is stopped again. Does nothing if no workload is done.
 *
 * Return: 0 or -ENOMEM: nothing has changed.
 */
int torus_engine_keep_result(struct torus_engine *e)
{
	struct torus_kept *kept;

	lockdep_assert_held(&e->lock.mutex);
	if (e->workload.state != TORUS_TRAFFIC_DONE)
		return 0;
	kept = kzalloc(sizeof(*kept), TORUS_GFP_USER);
	if (!kept)
		return -ENOMEM;
	torus_traffic_result(e->fabric, &kept->result);
	kept->progress = torus_traffic_progress(e->fabric);
	torus_engine_end_workload(e);
	kfree(e->workload.kept);
	e->workload.kept = kept;
	return 0;
}

/**
 * torus_engine_renice() - set the nice value of all threads to the fabric's key `nice`
 * @e: the engine, locked, or new and not yet visible to other tasks
 */
void torus_engine_renice(struct torus_engine *e)
{
	long nice = torus_fabric_config(e->fabric)->params[TORUS_P_NICE];
	u32 i;

	set_user_nice(e->threads.leader, nice);
	for (i = 1; i < e->threads.count; i++)
		set_user_nice(e->threads.workers[i], nice);
}

static void torus_engine_stop_threads(struct torus_engine *e)
{
	u32 i;

	/* Stop the leader first: while it runs, it may wait for its workers. */
	if (!IS_ERR_OR_NULL(e->threads.leader))
		kthread_stop(e->threads.leader);
	for (i = 1; e->threads.workers && i < e->threads.count; i++) {
		if (!IS_ERR_OR_NULL(e->threads.workers[i]))
			kthread_stop(e->threads.workers[i]);
	}
}

static int torus_engine_start_threads(struct torus_engine *e)
{
	u32 i;

	e->threads.workers = kcalloc(e->threads.count, sizeof(*e->threads.workers), TORUS_GFP_USER);
	if (!e->threads.workers)
		return -ENOMEM;
	for (i = 1; i < e->threads.count; i++) {
		e->threads.workers[i] = kthread_create(torus_engine_worker_thread, e, "torus/%s:%u",
						       e->name, i);
		if (IS_ERR(e->threads.workers[i]))
			return PTR_ERR(e->threads.workers[i]);
	}
	e->threads.leader = kthread_create(torus_engine_leader_thread, e, "torus/%s", e->name);
	if (IS_ERR(e->threads.leader))
		return PTR_ERR(e->threads.leader);
	torus_engine_renice(e);
	for (i = 1; i < e->threads.count; i++)
		wake_up_process(e->threads.workers[i]);
	wake_up_process(e->threads.leader);
	return 0;
}

/**
 * torus_engine_create() - create a fabric and start the threads that run it
 * @net: network namespace of the fabric
 * @name: name of the fabric
 * @cfg: its configuration, copied
 * @out: [out] the engine; the caller owns the reference
 * @err: [out] reason of a failure
 *
 * Return: 0, -ENOMEM, or the error of torus_fabric_create() or of the start of a thread.
 */
int torus_engine_create(struct net *net, const char *name, const struct torus_config *cfg,
			struct torus_engine **out, struct torus_error *err)
{
	struct torus_config own = *cfg;
	struct torus_engine *e;
	int ret;

	e = kzalloc(sizeof(*e), TORUS_GFP_USER);
	if (!e)
		return torus_fail(err, ENOMEM, "no memory for an engine");
	kref_init(&e->ref);
	INIT_LIST_HEAD(&e->registry.link);
	mutex_init(&e->lock.mutex);
	init_waitqueue_head(&e->lock.turn);
	INIT_LIST_HEAD(&e->clients.list);
	init_llist_head(&e->ports.requests);
	xa_init(&e->ports.slots);
	INIT_LIST_HEAD(&e->gates.list);
	INIT_LIST_HEAD(&e->nodes.jobs);
	INIT_LIST_HEAD(&e->vtime.processes);
	INIT_LIST_HEAD(&e->trace.clients);
	init_waitqueue_head(&e->sleep.wait);
	init_waitqueue_head(&e->clients.drained);
	init_waitqueue_head(&e->threads.work);
	torus_doorbell_init(e);
	torus_paused_run_init(e);
	e->registry.net = net;
	strscpy(e->name, name, sizeof(e->name));
	e->arch = cfg->arch;
	e->geo = cfg->geo;
	e->tick_fs = cfg->arch->tick_fs(cfg);
	e->vtime.enabled = cfg->params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL;
	e->generation = 1;
	e->clients.user = INVALID_UID;
	e->workload.windows = TORUS_BUDGET_MIN;
	torus_upload_init(&e->uploads.pairs, &torus_pairs_upload_kind);
	torus_upload_init(&e->uploads.routes, &torus_routes_kind);
	torus_upload_init(&e->uploads.saved, &torus_snapshot_upload_kind);
	torus_upload_init(&e->uploads.loaded, &torus_snapshot_upload_kind);
	e->threads.count = max(1u, min(cfg->domains, torus_param_threads()));
	e->watchdog.parked = kvcalloc(cfg->geo.nodes, sizeof(*e->watchdog.parked), TORUS_GFP_USER);
	if (!e->watchdog.parked) {
		ret = torus_fail(err, ENOMEM, "no memory for an engine");
		goto err_put;
	}
	own.threads = e->threads.count;
	ret = torus_fabric_create(&own, &e->fabric, err);
	if (ret) {
		e->fabric = NULL;
		goto err_put;
	}
	ret = torus_trace_enable_init(e, e->fabric->ndomains);
	if (ret) {
		torus_fail(err, -ret, "no memory for an engine");
		goto err_stop;
	}
	torus_interrupts_init(&e->interrupts);
	torus_engine_listen(e);
	ret = torus_engine_start_threads(e);
	if (ret) {
		torus_fail(err, -ret, "cannot start %u threads", e->threads.count);
		goto err_stop;
	}
	*out = e;
	return 0;

err_stop:
	torus_engine_stop_threads(e);
	torus_fabric_destroy(e->fabric);
	e->fabric = NULL;
err_put:
	torus_engine_put(e);
	return ret;
}

/**
 * torus_engine_unused() - check that the fabric is not in use
 * @e: the engine, locked
 * @err: [out] the use that was found
 *
 * A client that is draining does not count: its program has ended, or has closed its file.
 *
 * Return: 0 or -EBUSY.
 */
int torus_engine_unused(struct torus_engine *e, struct torus_error *err)
{
	lockdep_assert_held(&e->lock.mutex);
	if (e->clients.attached > e->clients.draining)
		return torus_fail(err, EBUSY,
				  "fabric %s is in use: programs or drivers have %u FIFO groups",
				  e->name, e->clients.attached - e->clients.draining);
	if (e->gates.files)
		return torus_fail(err, EBUSY, "fabric %s is in use: programs have gates", e->name);
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return torus_fail(err, EBUSY, "fabric %s is in use: a workload runs", e->name);
	if (!list_empty(&e->trace.clients))
		return torus_fail(err, EBUSY, "fabric %s is in use: its packets are captured",
				  e->name);
	if (e->paused)
		return torus_fail(err, EBUSY, "fabric %s is in use: it is paused", e->name);
	if (e->registry.tied)
		return torus_fail(err, EBUSY,
				  "fabric %s is in use: it ends with the program that created it",
				  e->name);
	return 0;
}

/**
 * torus_engine_remove() - delete the fabric, even while programs use it
 * @e: the engine, not locked, and already removed from the registry; the caller has a reference
 */
void torus_engine_remove(struct torus_engine *e)
{
	torus_engine_lock_always(e);
	torus_engine_remove_locked(e);
}

/**
 * torus_engine_remove_locked() - delete the fabric of a locked engine, and unlock the engine
 * @e: the engine, already removed from the registry; the caller has a reference
 */
void torus_engine_remove_locked(struct torus_engine *e)
{
	struct torus_fabric *f;

	torus_engine_kill(e);
	torus_port_slots_unplug(e);
	torus_upload_drop(&e->uploads.pairs);
	torus_upload_drop(&e->uploads.saved);
	torus_upload_drop(&e->uploads.loaded);
	torus_routes_release(e);
	torus_trace_disconnect(e);
	torus_paused_run_drop(e);
	f = e->fabric;
	e->fabric = NULL;
	torus_engine_wake_attach(e);
	torus_engine_unlock(e);

	torus_doorbell_stop(e);
	torus_engine_stop_threads(e);
	torus_fabric_destroy(f);
}
