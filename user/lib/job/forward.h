/* SPDX-License-Identifier: GPL-2.0 */
/* Forward packets of other ranks. */
#ifndef TORUS_LIB_FORWARD_H
#define TORUS_LIB_FORWARD_H

#include "job.h"

bool torus_forward_leads(const struct torus_job *job, const struct torus_view *view,
			 uint32_t *dest);
bool torus_forward_clashes(const struct torus_job *a, const struct torus_job *b);
int torus_forward_queue(struct torus_job *job, const struct flight *flight,
			const unsigned char *packet, size_t bytes);
int torus_forward_take(struct torus_job *job, const struct torus_view *view);
int torus_forward_push(struct torus_job *job, int budget);
void torus_forward_close(struct torus_job *job);

#endif /* TORUS_LIB_FORWARD_H */
