/* SPDX-License-Identifier: GPL-2.0 */
/* Receive by programmed I/O, for lab 4. Do not change this file. */
#ifndef TORUS_LAB_FIFO_H
#define TORUS_LAB_FIFO_H

#include "torus_lab.h"

/**
 * torus_lab_fifo_receive() - read a packet, without waiting; any context
 * @td: the device; one caller at a time
 * @words: [out] the packet, with space for TORUS_LAB_WORDS words
 *
 * Return: number of words; 0 if there is no packet; -ENODEV if the node is gone.
 */
static inline int torus_lab_fifo_receive(struct torus_device *td, u32 *words)
{
	u32 readable = torus_read32(td, TORUS_PORT_READABLE), fifo, count, i;

	if (!readable)
		return 0;
	if (readable == ~0u)
		return -ENODEV;
	fifo = __ffs(readable);
	count = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
	if (count > TORUS_LAB_WORDS)
		return -ENODEV;
	for (i = 0; i < count; i++)
		words[i] = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
	return count;
}

#endif
