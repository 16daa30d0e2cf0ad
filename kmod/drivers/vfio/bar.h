/* SPDX-License-Identifier: GPL-2.0 */
/* The memory regions of the PCI function: BAR 0 has the registers, BAR 2 the tables of MSI-X. */
#ifndef TORUS_VFIO_BAR_H
#define TORUS_VFIO_BAR_H

#include <linux/torus_port.h>
#include <linux/types.h>

struct torus_vfio;

#define TORUS_VFIO_BAR_BYTES	TORUS_PORT_BYTES

/* VFIO's user emulates the tables: here they read as all ones, and writes are ignored. */
#define TORUS_VFIO_MSIX_BAR	2u
#define TORUS_VFIO_MSIX_BYTES	0x1000u
#define TORUS_VFIO_MSIX_TABLE	0x000u
#define TORUS_VFIO_MSIX_PENDING	0x800u

ssize_t torus_vfio_bar_read(struct torus_vfio *v, char __user *to, size_t count, u64 at);
ssize_t torus_vfio_bar_write(struct torus_vfio *v, const char __user *from, size_t count, u64 at);
ssize_t torus_vfio_msix_read(char __user *to, size_t count, u64 at);
ssize_t torus_vfio_msix_write(size_t count, u64 at);
int torus_vfio_bar_reset(struct torus_vfio *v);

#endif
