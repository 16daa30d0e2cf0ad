/* SPDX-License-Identifier: GPL-2.0 */
/* Read job logs in the Standard Workload Format, version 2.2. */
#ifndef TORUS_JOBS_SWF_H
#define TORUS_JOBS_SWF_H

#include "jobs.h"

int jobs_swf_read(struct jobs_stream *stream, const struct jobs_kinds *kinds,
		  const char *path, const struct jobs_law *law, const struct jobs_watch *watch);

#endif
