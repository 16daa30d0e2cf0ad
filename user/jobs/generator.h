/* SPDX-License-Identifier: GPL-2.0 */
/* Generate jobs with random sizes, times and arrivals. */
#ifndef TORUS_JOBS_GENERATOR_H
#define TORUS_JOBS_GENERATOR_H

#include "jobs.h"

int jobs_stream_add(struct jobs_stream *stream, const struct jobs_job *job);
int jobs_stream_draw(struct jobs_stream *stream, const struct jobs_kinds *kinds,
		     const struct torus_geometry *g, const struct jobs_law *law, u64 seed,
		     const struct jobs_watch *watch);
void jobs_stream_scale(struct jobs_stream *stream, const struct jobs_kinds *kinds,
		       const struct torus_geometry *g, double load);
double jobs_stream_load(const struct jobs_stream *stream, const struct jobs_kinds *kinds,
			const struct torus_geometry *g);
void jobs_stream_free(struct jobs_stream *stream);

#endif
