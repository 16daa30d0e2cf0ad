/* SPDX-License-Identifier: GPL-2.0 */
/* Route packets around dead nodes and links. */
#ifndef TORUS_LIB_RELAY_H
#define TORUS_LIB_RELAY_H

#include <stdint.h>

#include "job.h"

int torus_relay_learn(struct torus_job *job, const struct dead_links *dead);
int torus_relay_share(struct torus_job *job);
void torus_relay_forget(struct torus_job *job);
uint32_t torus_relay_flags(const struct torus_job *job);
void torus_relay_aim(struct torus_job *job, struct peer *peer, struct torus_member *where,
		     uint32_t *hints, bool *dynamic);
int torus_relay_refuse(const struct torus_job *job, uint32_t from, uint32_t to, uint32_t flags);

#endif /* TORUS_LIB_RELAY_H */
