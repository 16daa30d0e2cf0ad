/* SPDX-License-Identifier: GPL-2.0 */
/* Injection FIFOs for programmed I/O: words become packets, packets go to the fabric. */
#ifndef TORUS_CORE_PORT_INJECT_FIFO_H
#define TORUS_CORE_PORT_INJECT_FIFO_H

#include "core/port/fifo.h"

struct torus_port;

#define TORUS_PORT_HEADER_WORDS	4	/* maximum length of a machine's header */

/**
 * struct torus_port_inject - an injection FIFO
 * @fifo: complete packets
 * @header: header of the packet that is being written
 * @words: words of that packet that were written
 * @total: its length in words; 0: its header is not complete
 * @ignored: there is no space for that packet
 * @rejected: register REJECTED
 * @number: number of the first packet in @fifo
 *
 * The accessor owns @header to @ignored, the fabric's thread @number, and writes @rejected.
 */
struct torus_port_inject {
	struct torus_port_fifo fifo;
	u32 header[TORUS_PORT_HEADER_WORDS];
	u32 words;
	u32 total;
	bool ignored;
	u32 rejected;
	u32 number;
};

/* Write a word of a packet (accessor). Return: 0 or -ENOSPC. */
int torus_port_inject_write(struct torus_port *port, u32 fifo, u32 word);

int torus_port_inject_read(struct torus_port *port, u32 reg, u32 fifo, u32 *value);

/*
 * Copy the first packet to @bytes if it has at most @room chunks. Return: its chunks, or 0. Called
 * by the fabric's thread.
 */
u32 torus_port_inject_pull(struct torus_port_inject *inject, u32 room, u8 *bytes, u32 *number);

/* Remove the first packet, which the core has accepted, or rejected with @code. */
void torus_port_inject_accepted(struct torus_port_inject *inject);
void torus_port_inject_refused(struct torus_port_inject *inject, u32 code);

#endif
