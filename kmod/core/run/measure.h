/* SPDX-License-Identifier: GPL-2.0 */
/* Run the synthetic workload phase by phase, and measure it. */
#ifndef TORUS_CORE_MEASURE_H
#define TORUS_CORE_MEASURE_H

#include "core/workload/traffic.h"

struct torus_latencies;
struct torus_snapshot;

/**
 * torus_traffic_runs() - check whether the workload has anything left to simulate
 * @f: the fabric; no run may be in progress
 *
 * A restored workload may have ended already.
 *
 * Return: false without a workload, or after its end. torus_traffic_step() then starts no run that
 * workers could join.
 */
bool torus_traffic_runs(const struct torus_fabric *f);

/**
 * torus_traffic_failed() - check whether the workload has ended for want of memory
 * @f: the fabric; no run may be in progress
 *
 * Return: true if so; then the fabric must be reset.
 */
bool torus_traffic_failed(const struct torus_fabric *f);

/**
 * torus_traffic_step() - simulate some windows of the workload
 * @f: the fabric; no run may be in progress
 * @budget: maximum number of windows; 0: no limit
 * @threads: as in torus_fabric_run(); above 1 only if torus_traffic_runs()
 *
 * Return: true while there is more to simulate.
 */
bool torus_traffic_step(struct torus_fabric *f, u64 budget, u32 threads);

/* Record the counts at the current clock. No run may be in progress. */
void torus_traffic_point(struct torus_fabric *f, struct torus_point *point);

/**
 * torus_traffic_pause() - make torus_traffic_step() return at a tick
 * @f: the fabric with its workload; no run may be in progress
 * @at: the tick, later than the clock; 0: no longer return early
 *
 * The step returns earlier if its budget, a phase or a part of the window ends before @at, or if no
 * event is left. The pause then stays set.
 */
void torus_traffic_pause(struct torus_fabric *f, u64 at);

/* End the warm-up now, regardless of its configured length. No run may be in progress. */
void torus_traffic_open(struct torus_fabric *f);

/**
 * torus_traffic_close() - end the window now, regardless of its configured length
 * @f: the fabric with its workload; no run may be in progress
 * @half: the counts in the middle of the window
 */
void torus_traffic_close(struct torus_fabric *f, const struct torus_point *half);

/* Return the parameters of the workload, which must exist. No run may be in progress. */
const struct torus_traffic *torus_traffic_asked(const struct torus_fabric *f);

/*
 * Report the measurement so far. No run may be in progress. All processes make this call. Without a
 * workload, or without memory, all members of @result are 0.
 */
void torus_traffic_result(struct torus_fabric *f, struct torus_result *result);

/**
 * torus_traffic_chunks() - add up the packets generated in the window so far
 * @f: the fabric with its workload; no run may be in progress
 * @l: latencies returned by torus_latencies_take()
 *
 * Return: chunks.
 */
u64 torus_traffic_chunks(struct torus_fabric *f, const struct torus_latencies *l);

/**
 * torus_traffic_verify() - check the progress of a workload that was read from a file
 * @snap: snapshot that is read
 * @f: the fabric with its workload; its clock has been read
 *
 * The phases must follow each other, and no unfinished phase may end before the clock.
 */
void torus_traffic_verify(struct torus_snapshot *snap, const struct torus_fabric *f);

/*
 * Return the number of points taken so far; @points: [out] the points, first the start of the
 * window. No run may be in progress.
 */
u32 torus_traffic_points(struct torus_fabric *f, const struct torus_point **points);

/* Return the finished part of the workload, in units of 2^-16. */
u32 torus_traffic_progress(struct torus_fabric *f);

#endif
