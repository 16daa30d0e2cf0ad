// SPDX-License-Identifier: GPL-2.0
/* Registers of FIFOs: watermarks 0D-0E, injection checksums 4D-54. */
#include "registers.h"

#define FIELDS		6	/* of 5 bits, from the top */
#define FIELD_SHIFT(i)	(27 - 5 * (i))

/**
 * bgl_fifo_read() - what a register of this room holds
 * @f: the fabric
 * @node: number of the node
 * @offset: of the register
 *
 * Return: the value.
 */
u32 bgl_fifo_read(struct torus_fabric *f, u32 node, u32 offset)
{
	if (offset < REG_CHECKSUM)
		return bgl_machine(f)->regs[node].watermarks[offset - REG_WATERMARKS];
	return 0;
}

/**
 * bgl_fifo_write() - write a register of this room
 * @f: the fabric, held
 * @node: number of the node
 * @offset: of the register
 * @value: what to write
 * @err: ignored: every value can be held
 *
 * Return: 0.
 */
int bgl_fifo_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		   struct torus_error *err)
{
	bgl_machine(f)->regs[node].watermarks[offset - REG_WATERMARKS] = value;
	return 0;
}

/**
 * bgl_checksum_clear() - an injection checksum back to its first value
 * @f: the fabric, held
 * @node: number of the node
 * @i: N0-5, P0, P1
 */
void bgl_checksum_clear(struct torus_fabric *f, u32 node, u32 i)
{
}
