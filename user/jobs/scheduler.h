/* SPDX-License-Identifier: GPL-2.0 */
/* Scheduler of jobs, with EASY backfill. */
#ifndef TORUS_JOBS_SCHEDULER_H
#define TORUS_JOBS_SCHEDULER_H

#include "jobs.h"

int jobs_run(const struct jobs_stream *stream, struct jobs_kinds *kinds,
	     const struct torus_geometry *g, enum jobs_shapes shapes, enum jobs_order order,
	     u32 depth, const struct jobs_watch *watch, struct jobs_result *result);

#endif
