/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts of the node become MSI or MSI-X of the PCI function. */
#ifndef TORUS_VFIO_INTERRUPT_H
#define TORUS_VFIO_INTERRUPT_H

#include <linux/types.h>

struct torus_vfio;
struct vfio_irq_set;

int torus_vfio_interrupts_request(struct torus_vfio *v);
void torus_vfio_interrupts_free(struct torus_vfio *v);
u32 torus_vfio_interrupts_count(u32 index);
int torus_vfio_interrupts_set(struct torus_vfio *v, const struct vfio_irq_set *set,
			      const void *data);
void torus_vfio_interrupts_forget(struct torus_vfio *v);
void torus_vfio_interrupts_off(struct torus_vfio *v);
bool torus_vfio_interrupts_unplug(struct torus_vfio *v);

#endif
