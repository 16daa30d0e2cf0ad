/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's DMA operations of a device. */
#ifndef TORUS_HOST_DMA_OPS_H
#define TORUS_HOST_DMA_OPS_H

struct torus_host_node;

void torus_host_dma_bind(struct torus_host_node *node);
void torus_host_dma_unbind(struct torus_host_node *node);

#endif
