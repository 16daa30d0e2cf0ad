/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration space of the PCI function. */
#ifndef TORUS_VFIO_CONFIG_H
#define TORUS_VFIO_CONFIG_H

#include <linux/types.h>

struct torus_vfio;

void torus_vfio_config_reset(struct torus_vfio *v);
ssize_t torus_vfio_config_read(struct torus_vfio *v, char __user *to, size_t count, u64 at);
ssize_t torus_vfio_config_write(struct torus_vfio *v, const char __user *from, size_t count,
				u64 at);

#endif
