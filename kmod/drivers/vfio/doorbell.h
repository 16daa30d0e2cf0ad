/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptors that the guest has filled in: their memory is pinned before the node gets them. */
#ifndef TORUS_VFIO_DOORBELL_H
#define TORUS_VFIO_DOORBELL_H

#include <linux/types.h>

struct torus_vfio;

void torus_vfio_doorbell_init(struct torus_vfio *v);
bool torus_vfio_doorbell_at(u32 offset, u32 *ring);
u32 torus_vfio_doorbell_tail(struct torus_vfio *v, u32 ring);
bool torus_vfio_doorbell_ring(struct torus_vfio *v, u32 ring, u32 tail);
void torus_vfio_doorbell_reset(struct torus_vfio *v);
void torus_vfio_doorbell_stop(struct torus_vfio *v);

#endif
