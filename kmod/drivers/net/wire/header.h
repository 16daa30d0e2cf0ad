/* SPDX-License-Identifier: GPL-2.0 */
/* The machines' packet headers, as torus_net writes them. */
#ifndef TORUS_NET_HEADER_H
#define TORUS_NET_HEADER_H

#include "core/platform.h"

#define TORUS_NET_HEADER_MAX	16	/* bytes of the longest header */

/**
 * struct torus_net_machine - a machine whose nodes can have an interface
 * @name: name of the machine, as in struct torus_device
 * @header_bytes: bytes of a packet's header
 * @header: write a header: to the node with coordinates @dest and number @node, its FIFO group
 *	@group, a packet of @chunks chunks. Packets between two nodes stay in order
 */
struct torus_net_machine {
	const char *name;
	u32 header_bytes;
	void (*header)(u8 *bytes, const u32 *dest, u32 node, u32 group, u32 chunks);
};

const struct torus_net_machine *torus_net_machine_find(const char *name);

#endif
