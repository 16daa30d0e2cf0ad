/* SPDX-License-Identifier: GPL-2.0 */
/* Packets to and from the FIFOs of a node, by programmed I/O. */
#ifndef TORUS_NET_FIFO_H
#define TORUS_NET_FIFO_H

#include "net.h"

u32 torus_net_fifo_space(struct torus_net *tn);
void torus_net_fifo_write(struct torus_net *tn, const u8 *header, const u8 *data, u32 bytes,
			  u32 chunks);
u32 torus_net_fifo_read(struct torus_net *tn, u32 fifo);

#endif
