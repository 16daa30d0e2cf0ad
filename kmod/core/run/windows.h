/* SPDX-License-Identifier: GPL-2.0 */
/* YAWNS windows: one leader and its workers. */
#ifndef TORUS_CORE_RUN_WINDOWS_H
#define TORUS_CORE_RUN_WINDOWS_H

#include "core/run/fabric.h"

/**
 * torus_fabric_idle_advance() - let an idle fabric's clock pass
 * @f: the fabric, held, with no event left before the clock + @ticks
 * @ticks: how much
 *
 * For limits that a reader must feel although nothing moves (rx_stall).
 */
void torus_fabric_idle_advance(struct torus_fabric *f, u64 ticks);

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

#endif
