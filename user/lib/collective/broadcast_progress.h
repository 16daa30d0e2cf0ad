/* SPDX-License-Identifier: GPL-2.0 */
/* Receive and inject packets of broadcasts, and search the job's list of broadcasts. */
#ifndef TORUS_LIB_BROADCAST_PROGRESS_H
#define TORUS_LIB_BROADCAST_PROGRESS_H

#include <stdint.h>

#include "../job/job.h"

struct torus_broadcast *torus_broadcast_find(struct torus_job *job, uint32_t root, uint32_t along,
					     uint32_t number);
int torus_broadcast_accept(struct torus_job *job, const struct torus_view *view);
int torus_broadcast_push(struct torus_job *job);

#endif /* TORUS_LIB_BROADCAST_PROGRESS_H */
