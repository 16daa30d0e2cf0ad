/* SPDX-License-Identifier: GPL-2.0 */
/* Allocate received messages, and account for their memory. */
#ifndef TORUS_LIB_MEMORY_H
#define TORUS_LIB_MEMORY_H

#include <stdint.h>

#include "job.h"

int torus_memory_account(struct torus_job *job, __u64 bytes, bool always);
int torus_message_new(struct torus_job *job, uint32_t length, uint32_t packets,
		      unsigned char *place, bool always, struct message **new);
bool torus_message_own(struct torus_job *job, struct message *message);
void torus_message_free(struct torus_job *job, struct message *message);
void torus_memory_close(struct torus_job *job);

#endif /* TORUS_LIB_MEMORY_H */
