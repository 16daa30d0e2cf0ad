/* SPDX-License-Identifier: GPL-2.0 */
/* Received packets fill the descriptors of the reception ring. */
#ifndef TORUS_CORE_PORT_RECEIVE_RING_H
#define TORUS_CORE_PORT_RECEIVE_RING_H

#include "core/platform.h"

struct torus_port;

/*
 * Write a packet of reception FIFO @fifo to the memory of the next descriptor that can have it
 * (fabric's thread). Return: false if there is none: the packet waits.
 */
bool torus_port_receive_ring_push(struct torus_port *port, u32 fifo, const u8 *bytes, u32 chunks);

#endif
