/* SPDX-License-Identifier: GPL-2.0 */
/* A waiting receive, whose buffer takes the packets of its message directly. */
#ifndef TORUS_LIB_POSTED_RECEIVE_H
#define TORUS_LIB_POSTED_RECEIVE_H

#include "job.h"

void torus_posted_begin(struct torus_job *job, struct posted_receive *posted);
unsigned char *torus_posted_place(struct torus_job *job, const struct peer *peer,
				  struct message *message);
void torus_posted_put(struct torus_job *job, struct message *message);
void torus_posted_ready(struct torus_job *job, const struct message *message);
bool torus_posted_end(struct torus_job *job, const struct message *message);

#endif /* TORUS_LIB_POSTED_RECEIVE_H */
