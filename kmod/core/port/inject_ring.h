/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptors of an injection ring become packets. All functions: fabric's thread. */
#ifndef TORUS_CORE_PORT_INJECT_RING_H
#define TORUS_CORE_PORT_INJECT_RING_H

#include "core/platform.h"

struct torus_port;

/*
 * Copy the packet of the first descriptor to @bytes if it has at most @room chunks. Descriptors
 * that describe no packet are rejected. Return: chunks of the packet, or 0.
 */
u32 torus_port_inject_ring_pull(struct torus_port *port, u32 ring, u32 room, u8 *bytes,
				u32 *number);

/* The core has accepted the packet that was pulled last, or rejected it with @code. */
void torus_port_inject_ring_accepted(struct torus_port *port, u32 ring);
void torus_port_inject_ring_refused(struct torus_port *port, u32 ring, u32 code);

#endif
