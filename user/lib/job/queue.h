/* SPDX-License-Identifier: GPL-2.0 */
/* Queues of messages to send, one per rank, and the list of ranks whose queue is not empty. */
#ifndef TORUS_LIB_QUEUE_H
#define TORUS_LIB_QUEUE_H

#include "job.h"

void torus_queue_activate(struct torus_job *job, struct peer *peer);
void torus_queue_add(struct torus_job *job, struct torus_send *send);
struct peer *torus_queue_next(struct torus_job *job);
void torus_queue_done(struct torus_job *job, struct torus_send *send);
void torus_queue_remove(struct torus_job *job, struct torus_send *send);
void torus_queue_replace(const struct torus_send *send, struct torus_send *by);
void torus_send_fail(struct torus_job *job, struct peer *peer, int error);

#endif /* TORUS_LIB_QUEUE_H */
