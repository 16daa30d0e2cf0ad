/* SPDX-License-Identifier: GPL-2.0 */
/* The view of a job: its ranks as nodes of a virtual torus or mesh. */
#ifndef TORUS_LIB_VIEW_H
#define TORUS_LIB_VIEW_H

#include <stdint.h>

#include "job.h"

int torus_job_take_view(struct torus_job *job, uint32_t axes, const uint32_t *lengths);

#endif /* TORUS_LIB_VIEW_H */
