/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of queued messages into the injection rings. */
#ifndef TORUS_LIB_PUSH_H
#define TORUS_LIB_PUSH_H

#include "job.h"

int torus_send_push(struct torus_job *job);

#endif /* TORUS_LIB_PUSH_H */
