/* SPDX-License-Identifier: GPL-2.0 */
/* Lost packets: the log of injected packets, and errors of the messages that they belong to. */
#ifndef TORUS_LIB_LOSS_H
#define TORUS_LIB_LOSS_H

#include "job.h"

void torus_loss_log(struct torus_job *job, unsigned int fifo, struct peer *peer,
		    unsigned int kind, __u32 number, __u32 packets);
int torus_loss_drain(struct torus_job *job);
int torus_loss_of(const struct torus_job *job, const struct peer *peer);
int torus_loss_left(struct torus_job *job, struct peer *peer, bool all);
int torus_loss_tell(struct torus_job *job);
void torus_loss_close(struct torus_job *job);

#endif /* TORUS_LIB_LOSS_H */
