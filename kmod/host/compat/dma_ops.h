/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a device can have DMA operations of its own: CONFIG_DMA_OPS before Linux 6.12,
 * CONFIG_ARCH_HAS_DMA_OPS since.
 */
#ifndef TORUS_HOST_COMPAT_DMA_OPS_H
#define TORUS_HOST_COMPAT_DMA_OPS_H

#include <linux/dma-map-ops.h>

#if defined(CONFIG_DMA_OPS) || defined(CONFIG_ARCH_HAS_DMA_OPS)
#define TORUS_HAS_DMA_OPS	true
#else
#define TORUS_HAS_DMA_OPS	false
#endif

#endif
