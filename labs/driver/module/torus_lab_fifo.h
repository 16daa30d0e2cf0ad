/* SPDX-License-Identifier: GPL-2.0 */
/* Programmed I/O, for labs 4, 8 and 9. Do not change this file. */
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

/**
 * torus_lab_fifo_space() - read the free space of injection FIFO 0; any context
 * @td: the device
 *
 * Return: chunks of 8 words; -ENODEV if the node is gone.
 */
static inline int torus_lab_fifo_space(struct torus_device *td)
{
	u32 space = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, 0));

	return space == ~0u ? -ENODEV : space;
}

/**
 * torus_lab_fifo_write() - write a packet into injection FIFO 0, which has space; any context
 * @td: the device; one caller at a time
 * @words: the packet
 * @count: number of words
 */
static inline void torus_lab_fifo_write(struct torus_device *td, const u32 *words, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		torus_write32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, 0), words[i]);
}

#endif
