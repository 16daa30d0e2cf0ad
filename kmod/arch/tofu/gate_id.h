/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ID of a barrier gate (VBG ID), which names a node, a TNI and a gate.
 *
 * Programs of the public interface (uTofu) build these numbers by hand, so the layout is
 * uTofu's: bits 63-61 TNI, 59 c, 58-57 b, 56 a, 55-48 z, 47-40 y, 39-32 x, 5-0 gate; all other
 * bits are 0.
 */
#ifndef TORUS_ARCH_TOFU_GATE_ID_H
#define TORUS_ARCH_TOFU_GATE_ID_H

#include "arch/tofu/geometry.h"

#define TOFU_VBG_NULL	(~0ull)	/* no gate */
#define TOFU_VBG_GATE	0x3full	/* bits of a VBG ID that hold the gate number */
#define TOFU_VBG_BITS	0xefffffff0000003full

/*
 * Return the VBG ID of a gate.
 *
 * @coords: the node's six coordinates; x, y and z are below 256
 * @tni: 0 to 7
 * @gate: 0 to 63
 */
torus_inline u64 tofu_vbg(const u32 *coords, u32 tni, u32 gate)
{
	return (u64)tni << 61 | (u64)coords[TOFU_C] << 59 | (u64)coords[TOFU_B] << 57 |
	       (u64)coords[TOFU_A] << 56 | (u64)coords[TOFU_Z] << 48 |
	       (u64)coords[TOFU_Y] << 40 | (u64)coords[TOFU_X] << 32 | gate;
}

/*
 * Extract the six coordinates of the gate's node from a VBG ID.
 *
 * @coords: [out] the node's coordinates
 *
 * Return: false if the ID is invalid: a reserved bit is set, or coordinate b is 3.
 */
torus_inline bool tofu_vbg_coords(u64 vbg, u32 *coords)
{
	coords[TOFU_X] = (u32)(vbg >> 32) & 0xff;
	coords[TOFU_Y] = (u32)(vbg >> 40) & 0xff;
	coords[TOFU_Z] = (u32)(vbg >> 48) & 0xff;
	coords[TOFU_A] = (u32)(vbg >> 56) & 1;
	coords[TOFU_B] = (u32)(vbg >> 57) & 3;
	coords[TOFU_C] = (u32)(vbg >> 59) & 1;
	return !(vbg & ~TOFU_VBG_BITS) && coords[TOFU_B] < TOFU_B_LENGTH;
}

torus_inline u32 tofu_vbg_tni(u64 vbg)
{
	return (u32)(vbg >> 61);
}

torus_inline u32 tofu_vbg_gate(u64 vbg)
{
	return (u32)(vbg & TOFU_VBG_GATE);
}

#endif
