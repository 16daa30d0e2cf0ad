// SPDX-License-Identifier: GPL-2.0
/* Registers of FIFOs: watermarks 0D-0E, injection checksums 4D-54. */
#include "registers.h"
#include "core/nic/fifo_status.h"
#include "core/state/interrupt.h"
#include "registers_fifo.h"

/*
 * Number of fields of a watermark register, 5 bits each: normal reception FIFOs, priority
 * reception, I0, I1, I2, priority injection.
 */
#define FIELDS			6
#define FIELD_SHIFT(i)		(27 - 5 * (i))
#define FIELD_MASK		0x1f

/*
 * FIFO group of checksum register @i. The registers are for normal FIFOs N0-N5, three per group,
 * then for priority FIFOs P0 and P1.
 */
static u32 bgl_checksum_group(u32 i)
{
	return i < 6 ? i / TORUS_BGL_INJECT_PRIORITY : i - 6;
}

static u32 bgl_checksum_fifo(u32 i)
{
	return i < 6 ? i % TORUS_BGL_INJECT_PRIORITY : TORUS_BGL_INJECT_PRIORITY;
}

/* Return the value of a watermark register or an injection checksum. */
u32 bgl_fifo_read(struct torus_fabric *f, u32 node, u32 offset)
{
	u32 i, value = 0;

	if (offset >= REG_CHECKSUM) {
		i = offset - REG_CHECKSUM;
		return torus_nic_checksum(f, node, bgl_checksum_group(i), bgl_checksum_fifo(i));
	}
	for (i = 0; i < FIELDS; i++)
		value |= (torus_nic_watermark(f, node, offset - REG_WATERMARKS, i) & FIELD_MASK) <<
			 FIELD_SHIFT(i);
	return value;
}

/*
 * Write a watermark register.
 *
 * @f: the fabric, locked
 *
 * Return: 0 or -ENOMEM.
 */
int bgl_fifo_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		   struct torus_error *err)
{
	u32 i;

	for (i = 0; i < FIELDS; i++)
		if (torus_nic_watermark_set(f, node, offset - REG_WATERMARKS, i,
					    value >> FIELD_SHIFT(i) & FIELD_MASK))
			return torus_fail(err, ENOMEM, "no memory for the watermarks of node %u",
					  node);
	return 0;
}

/*
 * Reset an injection checksum.
 *
 * @f: the fabric, locked
 * @i: number in the order N0-5, P0, P1
 */
void bgl_checksum_clear(struct torus_fabric *f, u32 node, u32 i)
{
	torus_nic_checksum_clear(f, node, bgl_checksum_group(i), bgl_checksum_fifo(i));
}

/* Reset the watermarks to 0, their value at boot, which raises no interrupt (bgl_unmasked()). */
void bgl_watermarks_reset(struct torus_fabric *f, u32 node)
{
	u32 group, i;

	for (group = 0; group < BGL_GROUPS; group++)
		for (i = 0; i < FIELDS; i++)
			if (torus_nic_watermark(f, node, group, i))
				torus_nic_watermark_set(f, node, group, i, 0);
}

/*
 * Check whether a critical interrupt may be raised.
 *
 * @cause: TORUS_CAUSE()
 *
 * The machine has masks for these interrupts outside of the torus registers, which are not
 * modelled. Instead, a watermark of 0, its value at boot, disables the interrupt.
 */
bool bgl_unmasked(struct torus_fabric *f, u32 node, u32 cause)
{
	u32 index = TORUS_CAUSE_INDEX(cause), which, group;

	if (TORUS_CAUSE_KIND(cause) == TORUS_INTERRUPT_INJECT) {
		group = index / TORUS_BGL_INJECT_FIFOS;
		which = TORUS_NIC_WATERMARK_INJECT + index % TORUS_BGL_INJECT_FIFOS;
	} else {
		group = index / TORUS_BGL_RECEIVE_FIFOS;
		which = index % TORUS_BGL_RECEIVE_FIFOS == TORUS_BGL_RECEIVE_PRIORITY ?
			TORUS_NIC_WATERMARK_PRIORITY : TORUS_NIC_WATERMARK_RECEIVE;
	}
	return torus_nic_watermark(f, node, group, which);
}
