/* SPDX-License-Identifier: GPL-2.0 */
/* Receive one part from each of many ranks into one buffer. */
#ifndef TORUS_LIB_PARTS_H
#define TORUS_LIB_PARTS_H

#include <stdint.h>

#include "../job/job.h"

int torus_parts_receive(struct torus_job *job, unsigned int kind, uint32_t tag, const char *what,
			void *data, uint32_t bytes, const uint32_t *ranks, uint32_t count,
			int timeout_ms);

#endif /* TORUS_LIB_PARTS_H */
