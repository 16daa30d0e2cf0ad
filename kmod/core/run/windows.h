/* SPDX-License-Identifier: GPL-2.0 */
/* Run a fabric in YAWNS windows, with one leader and its workers. */
#ifndef TORUS_CORE_RUN_WINDOWS_H
#define TORUS_CORE_RUN_WINDOWS_H

#include "core/run/fabric.h"

/**
 * torus_fabric_idle_advance() - advance the clock of an idle fabric
 * @f: the fabric; no run may be in progress
 * @ticks: number of ticks; the clock stops earlier at the first pending event or staged tables
 *
 * For time limits of readers that apply although nothing moves (rx_stall).
 */
void torus_fabric_idle_advance(struct torus_fabric *f, u64 ticks);

/**
 * torus_fabric_next() - find the first tick in which an event is pending
 * @f: the fabric; no run may be in progress
 *
 * Return: the tick, also of staged tables; ~0 for none. It may lie before the fabric's clock.
 */
u64 torus_fabric_next(const struct torus_fabric *f);

/**
 * torus_fabric_run() - simulate, as the leader
 * @f: the fabric, locked by the caller
 * @until: stop before this tick
 * @budget: stop after this many windows (0: no limit)
 * @threads: number of threads, including the leader; each worker must be in
 *           torus_fabric_work(f, 1..threads-1) or about to call it
 *
 * If the fabric has a stop condition (state/stop.h), the run also stops after the tick in which the
 * condition is met, with TORUS_RUN_BUDGET.
 *
 * Return: enum torus_run.
 */
enum torus_run torus_fabric_run(struct torus_fabric *f, u64 until, u64 budget, u32 threads);

/**
 * torus_fabric_run_through() - simulate with one thread, and move the clock also without events
 * @f: the fabric, locked by the caller
 * @until: stop before this tick
 * @budget: stop after this many windows (0: no limit)
 * @through: move the clock to @until even if no event is pending; else as torus_fabric_run()
 *
 * Return: enum torus_run.
 */
enum torus_run torus_fabric_run_through(struct torus_fabric *f, u64 until, u64 budget,
					bool through);

/**
 * torus_fabric_spent() - check whether the last run ended with events left before its tick
 * @f: the fabric; no run may be in progress
 *
 * Return: true if the run ended because of its budget of windows, its stop condition or an event
 * that a program waits for. If it ended at its tick, for lack of events or without memory, its
 * duration does not measure the budget.
 */
bool torus_fabric_spent(const struct torus_fabric *f);

/**
 * torus_fabric_work() - take part in the leader's run as thread @thread
 * @f: the fabric
 * @thread: 1 .. threads - 1
 *
 * Returns when the run ends. Each worker must call it exactly once for each run with more than one
 * thread.
 */
void torus_fabric_work(struct torus_fabric *f, u32 thread);

#endif
