/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fabric: one machine, whole.  What torusctl, the device and torus-sim see of
 * the core.
 *
 * Who may call what: a fabric is run by one leader and any number of workers.
 * Everything that is not torus_fabric_run() or torus_fabric_work() wants the
 * fabric held: no run in progress.  The device holds a mutex for that.
 */
#ifndef TORUS_CORE_RUN_FABRIC_H
#define TORUS_CORE_RUN_FABRIC_H

#include "core/state/config.h"
#include "core/state/domain.h"
#include "core/state/fabric.h"
#include "core/link/fault.h"
#include "core/nic/group.h"
#include "core/load/traffic.h"
#include "core/run/config.h"
#include "core/run/measure.h"
#include "core/run/report.h"
#include "core/run/watchdog.h"

/* Why a run came back. */
enum torus_run {
	TORUS_RUN_TIME,		/* reached the tick asked for */
	TORUS_RUN_BUDGET,	/* not over: as many windows as asked for, or other tables */
	TORUS_RUN_IDLE,		/* no event is left, and packets wait for no tables */
	TORUS_RUN_FAILED,	/* out of memory */
};

/* -------------------------------------------------------------- life cycle */

/**
 * torus_fabric_create() - build a fabric
 * @cfg: copied
 * @out: the fabric
 * @err: why not
 *
 * Return: 0, -EINVAL, -ERANGE for what the core has no room for, -ENOMEM.
 */
int torus_fabric_create(const struct torus_config *cfg, struct torus_fabric **out,
			struct torus_error *err);

/* Take a fabric apart; every client must have detached. */
void torus_fabric_destroy(struct torus_fabric *f);

/**
 * torus_fabric_reset() - everything but attachments back to the start
 * @f: the fabric, held
 * @seed: new seed
 * @err: why not
 *
 * Packets in flight are dropped, registers, faults, counters and the clock
 * return to their first values.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_fabric_reset(struct torus_fabric *f, u64 seed, struct torus_error *err);

/* Bytes of memory that the fabric takes now. */
u64 torus_fabric_memory(const struct torus_fabric *f);

#define TORUS_ROUTES_NOW	(~0ull)

/**
 * torus_fabric_routes_load() - all routing tables at once
 * @f: the fabric, held
 * @image: as the ABI describes it, aligned to 4 bytes; copied
 * @bytes: its length
 * @at: tick from which on routers go by them, the clock's or one to come; TORUS_ROUTES_NOW
 * @err: what is wrong with it
 *
 * All routers change over in one tick: what is due before @at goes by the old tables, what is
 * due in @at and behind it by the new ones, packets that are under way too.  The result is
 * the same for any number of domains.
 *
 * Tables may wait for several ticks; those for the same tick replace each other, and
 * TORUS_ROUTES_NOW has none of them come; a reset forgets them.  They do not move the clock of
 * a fabric without packets, which then changes over as soon as its clock gets there.  The clock
 * of a fabric whose packets all stand still goes on to the least of those ticks, whatever they
 * stand for: a dead link, a node without tables, a reader that does not read.  Only where rx_stall
 * limits how long a reader may keep them waiting, it is torus_fabric_idle_advance() that lets
 * the clock pass.
 *
 * Return: 0; -EOPNOTSUPP where the machine has none; -EINVAL also for a tick that has passed;
 * -ERANGE; -ENOSPC when tables wait for 64 ticks; -ENOMEM.  What was loaded before stays then.
 */
int torus_fabric_routes_load(struct torus_fabric *f, const void *image, size_t bytes, u64 at,
			     struct torus_error *err);

/**
 * torus_fabric_routes_at() - may tables be loaded for a tick?
 * @f: the fabric, held
 * @at: as in torus_fabric_routes_load()
 * @err: why not
 *
 * Return: 0, -EINVAL for a tick that has passed, -ENOSPC when tables wait for 64 others.
 */
int torus_fabric_routes_at(const struct torus_fabric *f, u64 at, struct torus_error *err);

/* Bytes of the images that are loaded: of the one that routers go by, and of those that wait. */
u64 torus_fabric_routes_bytes(const struct torus_fabric *f);

/**
 * torus_fabric_routes_waiting() - do tables wait for their tick?
 * @f: the fabric, held
 * @first: out: the least tick for which some do
 *
 * Return: the number of ticks for which tables wait.
 */
u32 torus_fabric_routes_waiting(const struct torus_fabric *f, u64 *first);

/**
 * torus_fabric_routes() - the routing tables that are loaded
 * @f: the fabric, held
 * @bytes: gets the length of the image
 *
 * Return: the image, NULL while none is loaded.
 */
const void *torus_fabric_routes(const struct torus_fabric *f, size_t *bytes);

/**
 * torus_fabric_idle_advance() - let an idle fabric's clock pass
 * @f: the fabric, held, with no event left before the clock + @ticks
 * @ticks: how much
 *
 * For limits that a reader must feel although nothing moves (rx_stall).
 */
void torus_fabric_idle_advance(struct torus_fabric *f, u64 ticks);

/* ----------------------------------------------------------------- running */

/**
 * torus_fabric_run() - simulate, as the leader
 * @f: the fabric, held by the caller
 * @until: stop before this tick
 * @budget: stop after this many windows (0: no limit)
 * @threads: threads that take part, the leader included; each worker must be
 *           in torus_fabric_work(f, 1..threads-1) or on its way there
 *
 * Return: enum torus_run.
 */
enum torus_run torus_fabric_run(struct torus_fabric *f, u64 until, u64 budget, u32 threads);

/**
 * torus_fabric_spent() - did the last run have all the windows that it was given?
 * @f: the fabric, held
 *
 * Return: true if @budget of torus_fabric_run() has ended it, and neither its tick nor that nothing
 * was left to do: how long it took then says how long so many windows take.
 */
bool torus_fabric_spent(const struct torus_fabric *f);

/**
 * torus_fabric_work() - take part in the leader's run as thread @thread
 * @f: the fabric
 * @thread: 1 .. threads - 1
 *
 * Comes back when the run ends.  The caller sees to it that it is called once,
 * by each worker, for each run with more than one thread.
 */
void torus_fabric_work(struct torus_fabric *f, u32 thread);

#endif /* TORUS_CORE_RUN_FABRIC_H */
