/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of the guest that the node accesses: pages that are pinned. */
#ifndef TORUS_VFIO_MEMORY_H
#define TORUS_VFIO_MEMORY_H

#include <linux/types.h>

struct torus_vfio;

void torus_vfio_memory_init(struct torus_vfio *v);
int torus_vfio_memory_pin(struct torus_vfio *v, u64 address, u32 bytes);
bool torus_vfio_memory_access(void *owner, u64 address, void *buffer, u32 bytes, bool write);
void torus_vfio_memory_unmap(struct torus_vfio *v, u64 address, u64 bytes);

#endif
