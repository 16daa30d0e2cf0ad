/* SPDX-License-Identifier: GPL-2.0 */
/* Inject the packets of queued messages. */
#ifndef TORUS_LIB_PUSH_H
#define TORUS_LIB_PUSH_H

#include "job.h"

int torus_send_push(struct torus_job *job);

#endif /* TORUS_LIB_PUSH_H */
