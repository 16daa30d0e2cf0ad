/* SPDX-License-Identifier: GPL-2.0 */
/* Send messages: queue them, and wait until they are sent. */
#ifndef TORUS_LIB_SEND_H
#define TORUS_LIB_SEND_H

#include "job.h"

int torus_send_queue(struct torus_job *job, __u32 dest, unsigned int kind, __u32 tag,
		     const void *data, __u32 length, struct torus_send **send);
void torus_send_cancel(struct torus_job *job, struct torus_send *send);
int torus_send_blocking(struct torus_job *job, __u32 dest, unsigned int kind, __u32 tag,
			const void *data, __u32 length);

#endif /* TORUS_LIB_SEND_H */
