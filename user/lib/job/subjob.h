/* SPDX-License-Identifier: GPL-2.0 */
/* Sub-jobs: jobs of some ranks of another job, which use its context. */
#ifndef TORUS_LIB_SUBJOB_H
#define TORUS_LIB_SUBJOB_H

#include <stdint.h>

struct torus_job;
struct torus_view;

int torus_subjob_open(struct torus_job *parent, const uint32_t *ranks, uint32_t count,
		      uint32_t key, struct torus_job **sub);
void torus_subjob_leave(struct torus_job *job);
struct torus_job *torus_subjob_find(struct torus_job *root, const struct torus_view *view);

#endif /* TORUS_LIB_SUBJOB_H */
