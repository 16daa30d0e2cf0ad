/* SPDX-License-Identifier: GPL-2.0 */
/* Reception FIFOs for programmed I/O: packets of the fabric become words. */
#ifndef TORUS_CORE_PORT_RECEIVE_FIFO_H
#define TORUS_CORE_PORT_RECEIVE_FIFO_H

#include "core/port/fifo.h"

struct torus_port;

/**
 * struct torus_port_receive - a reception FIFO
 * @fifo: received packets
 * @words: words of the first packet that the driver has read; owned by the accessor
 */
struct torus_port_receive {
	struct torus_port_fifo fifo;
	u32 words;
};

/*
 * Append a received packet (fabric's thread). Return: false if the FIFO has no space: the packet
 * waits, and the accessor requests a poll when the FIFO has more space.
 */
bool torus_port_receive_push(struct torus_port *port, u32 fifo, const u8 *bytes, u32 chunks);

/* Read the next word of the first packet (accessor). Return: 0 or -ENODATA. */
int torus_port_receive_data(struct torus_port *port, u32 fifo, u32 *word);

int torus_port_receive_read(struct torus_port *port, u32 reg, u32 fifo, u32 *value);

/* Return register READABLE: a mask of the FIFOs with packets (accessor). */
u32 torus_port_receive_readable(const struct torus_port *port);

#endif
