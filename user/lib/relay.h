/* SPDX-License-Identifier: GPL-2.0 */
/* Routes around dead nodes and links, and packets that are forwarded for other ranks. */
#ifndef TORUS_LIB_RELAY_H
#define TORUS_LIB_RELAY_H

#include "job.h"

int torus_relay_learn(struct torus_job *job, const struct dead_links *dead);
void torus_relay_forget(struct torus_job *job);
__u32 torus_relay_flags(const struct torus_job *job);
void torus_relay_aim(struct torus_job *job, struct peer *peer, struct torus_member *where,
		     __u32 *hints, bool *dynamic);
int torus_relay_refuse(const struct torus_job *job, __u32 from, __u32 to, __u32 flags);
int torus_relay_take(struct torus_job *job, const struct torus_view *view);
int torus_relay_push(struct torus_job *job, int budget);
void torus_relay_close(struct torus_job *job);

#endif /* TORUS_LIB_RELAY_H */
