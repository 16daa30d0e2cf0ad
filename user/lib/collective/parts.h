/* SPDX-License-Identifier: GPL-2.0 */
/* Receive one part from each of many ranks into one buffer. */
#ifndef TORUS_LIB_PARTS_H
#define TORUS_LIB_PARTS_H

#include "../job/job.h"

int torus_parts_receive(struct torus_job *job, unsigned int kind, __u32 tag, const char *what,
			void *data, __u32 bytes, const __u32 *ranks, __u32 count, int timeout_ms);

#endif /* TORUS_LIB_PARTS_H */
