/* SPDX-License-Identifier: GPL-2.0 */
/* Route packets around dead nodes and links. */
#ifndef TORUS_LIB_RELAY_H
#define TORUS_LIB_RELAY_H

#include "job.h"

int torus_relay_learn(struct torus_job *job, const struct dead_links *dead);
void torus_relay_forget(struct torus_job *job);
__u32 torus_relay_flags(const struct torus_job *job);
void torus_relay_aim(struct torus_job *job, struct peer *peer, struct torus_member *where,
		     __u32 *hints, bool *dynamic);
int torus_relay_refuse(const struct torus_job *job, __u32 from, __u32 to, __u32 flags);

#endif /* TORUS_LIB_RELAY_H */
