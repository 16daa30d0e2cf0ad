/* SPDX-License-Identifier: GPL-2.0 */
/* Open a job whose ranks can broadcast. */
#ifndef TORUS_LIB_OPEN_H
#define TORUS_LIB_OPEN_H

#include "job/job.h"

struct dead_links;

int torus_job_begin(struct torus_job **job, struct torus_context *context,
		    const struct torus_job_config *config, const struct dead_links *dead);

#endif /* TORUS_LIB_OPEN_H */
