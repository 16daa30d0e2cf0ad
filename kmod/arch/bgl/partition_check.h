/* SPDX-License-Identifier: GPL-2.0 */
/* Check that a packet cannot leave its partition. */
#ifndef TORUS_ARCH_BGL_PARTITION_CHECK_H
#define TORUS_ARCH_BGL_PARTITION_CHECK_H

#include "arch/bgl/bgl.h"

bool bgl_stays_in_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet);

#endif
