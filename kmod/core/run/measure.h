/* SPDX-License-Identifier: GPL-2.0 */
/* The core's own workload, run phase by phase and measured. */
#ifndef TORUS_CORE_MEASURE_H
#define TORUS_CORE_MEASURE_H

#include "core/workload/traffic.h"

struct torus_latencies;
struct torus_snapshot;

/**
 * torus_traffic_runs() - check whether the workload has anything left to simulate
 * @f: the fabric, held
 *
 * A workload that has ended may be there from the start: in a state that was restored.
 *
 * Return: false without a workload or once it has ended: torus_traffic_step() then begins no run,
 * in which workers could take part.
 */
bool torus_traffic_runs(const struct torus_fabric *f);

/**
 * torus_traffic_step() - simulate a piece of the workload
 * @f: the fabric, held
 * @budget: windows at most
 * @threads: as in torus_fabric_run(); more than one only if torus_traffic_runs()
 *
 * Return: true while there is more to do.
 */
bool torus_traffic_step(struct torus_fabric *f, u64 budget, u32 threads);

/* The counts of this moment (held). */
void torus_traffic_point(struct torus_fabric *f, struct torus_point *point);

/**
 * torus_traffic_pause() - have torus_traffic_step() return at a tick, for somebody to look
 * @f: the fabric with its workload, held
 * @at: the tick, later than the clock; where warm-up or a part of the window ends before, or
 *      nothing moves any more, that comes first and the pause stays
 */
void torus_traffic_pause(struct torus_fabric *f, u64 at);

/* The warm-up ends now, and not when it was to (held). */
void torus_traffic_open(struct torus_fabric *f);

/**
 * torus_traffic_close() - the window ends now, and not when it was to
 * @f: the fabric with its workload, held
 * @half: the counts in the window's middle
 */
void torus_traffic_close(struct torus_fabric *f, const struct torus_point *half);

/* The workload that was asked for, which there is (held). */
const struct torus_traffic *torus_traffic_asked(const struct torus_fabric *f);

/* What has been measured so far (held). */
void torus_traffic_result(struct torus_fabric *f, struct torus_result *result);

/**
 * torus_traffic_chunks() - add up the packets generated in the window so far
 * @f: the fabric with its workload, held
 * @l: what torus_latencies_take() returned
 *
 * Return: chunks.
 */
u64 torus_traffic_chunks(struct torus_fabric *f, const struct torus_latencies *l);

/**
 * torus_traffic_verify() - check how far a workload that has been read from a file has come
 * @snap: the snapshot
 * @f: the fabric with its workload; its clock has been read
 *
 * Its phases follow each other, and none has ended before the clock.
 */
void torus_traffic_verify(struct torus_snapshot *snap, const struct torus_fabric *f);

/* Points taken so far, the window's start first (held). */
u32 torus_traffic_points(struct torus_fabric *f, const struct torus_point **points);

/* Done, in units of 2^-16 of the whole. */
u32 torus_traffic_progress(struct torus_fabric *f);

#endif
