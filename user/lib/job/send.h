/* SPDX-License-Identifier: GPL-2.0 */
/* Send messages: queue them, and wait until they are sent. */
#ifndef TORUS_LIB_SEND_H
#define TORUS_LIB_SEND_H

#include <stdint.h>

#include "job.h"

int torus_send_queue(struct torus_job *job, uint32_t dest, unsigned int kind, uint32_t tag,
		     const void *data, uint32_t length, struct torus_send **send);
void torus_send_cancel(struct torus_job *job, struct torus_send *send);
int torus_send_blocking(struct torus_job *job, uint32_t dest, unsigned int kind, uint32_t tag,
			const void *data, uint32_t length);

#endif /* TORUS_LIB_SEND_H */
