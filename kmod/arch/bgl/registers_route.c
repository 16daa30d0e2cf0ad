// SPDX-License-Identifier: GPL-2.0
/* Registers of routing and arbitration: 01-07, 0B, 0C. */
#include "registers.h"
#include "registers_link.h"
#include "registers_route.h"

static u32 bgl_three_bytes(u8 x, u8 y, u8 z)
{
	return (u32)x << 16 | (u32)y << 8 | z;
}

/*
 * Return the stored value of a register of this file.
 *
 * @r: the node's registers
 * @g: shape of the fabric
 *
 * Return: the value; for register 0B without the bits of the senders.
 */
u32 bgl_route_value(const struct bgl_regs *r, const struct torus_geometry *g, u32 node, u32 offset)
{
	u32 coords[TORUS_DIMS_MAX];

	switch (offset) {
	case REG_MAXIMUM:
		return bgl_three_bytes((u8)(g->dims[0] - 1), (u8)(g->dims[1] - 1),
				       (u8)(g->dims[2] - 1));
	case REG_NODE:
		torus_geometry_coords(g, node, coords);
		return bgl_three_bytes((u8)coords[0], (u8)coords[1], (u8)coords[2]);
	case REG_PLUS:
		return bgl_three_bytes(r->plus[0], r->plus[1], r->plus[2]);
	case REG_MINUS:
		return bgl_three_bytes(r->minus[0], r->minus[1], r->minus[2]);
	case REG_CUTOFF_PLUS:
		return bgl_three_bytes(r->cutoff[0].plus, r->cutoff[1].plus, r->cutoff[2].plus);
	case REG_CUTOFF_MINUS:
		return bgl_three_bytes(r->cutoff[0].minus, r->cutoff[1].minus, r->cutoff[2].minus);
	case REG_BYPASS:
		return (u32)r->bypass[0] << 24 | (u32)r->bypass[1] << 16 |
		       (u32)r->bypass[2] << 8 | r->bypass[3];
	case REG_CLOCK_RATIO:
		return (u32)r->clock_ratio << 29;
	default:
		return r->arbitration & ~BGL_DISABLE_ALL;
	}
}

/* Return the value of a register of routing or arbitration. */
u32 bgl_route_read(struct torus_fabric *f, u32 node, u32 offset)
{
	const struct bgl_regs regs = bgl_regs_get(f, node);
	u32 value = bgl_route_value(&regs, &f->cfg.geo, node, offset);

	return offset == REG_ARBITRATION ? value | bgl_disabled(f, node) : value;
}

static void bgl_write_neighbors(struct torus_fabric *f, u32 node, u8 *regs, u32 minus, u32 value)
{
	u32 dim;

	for (dim = 0; dim < BGL_DIMS; dim++) {
		regs[dim] = (u8)(value >> (16 - 8 * dim));
		bgl_set_neighbor(f, node, 2 * dim + minus, regs[dim]);
	}
}

static u32 bgl_arbitration_full(u32 value)
{
	return value >> 18 & 0xff;
}

static u32 bgl_arbitration_random(u32 value)
{
	return value >> 10 & 0xff;
}

/* Check a value that passed the register's mask, before memory is allocated. */
static int bgl_route_check(u32 offset, u32 value, struct torus_error *err)
{
	if (offset == REG_CLOCK_RATIO && value >> 29 > 4)
		return bgl_reg_range(bgl_reg_find(offset), value,
				     "b0-2 must be 0 to 4", err);
	if (offset == REG_ARBITRATION &&
	    !(bgl_arbitration_full(value) + bgl_arbitration_random(value)))
		return bgl_reg_range(bgl_reg_find(offset), value,
				     "FULL (b6-13) and RAND (b14-21) must not both be 0", err);
	return 0;
}

/*
 * Write register 0B: FULL of FULL + RAND cycles arbitrate by fullness, the others at random. At
 * boot these are 157 of 210 cycles.
 */
static int bgl_write_arbitration(struct torus_fabric *f, u32 node, struct bgl_regs *r, u32 value,
				 struct torus_error *err)
{
	u32 full = bgl_arbitration_full(value), random = bgl_arbitration_random(value);
	int ret = bgl_links_set(f, node, value, r->links, err);

	if (ret)
		return ret;
	r->arbitration = value;
	full = full * 256 / (full + random);
	bgl_set_arbitration(f, node, (u8)(full > 255 ? 255 : full),
			    (u8)((value >> 5 & 0x1f) << 3));
	return 0;
}

/*
 * Apply the thresholds of register 07.
 *
 * @f: the fabric, locked
 * @thresholds: of D0, D1, BN and BP, 0..127 chunks: a receiver's bypass is closed while one of
 *     its VCs holds more
 */
void bgl_set_bypass(struct torus_fabric *f, u32 node, const u8 *thresholds)
{
	const struct bgl_machine *m = bgl_machine(f);
	u32 i, vc, largest = 0;
	bool watched = false;

	for (vc = 0; vc < f->vcs; vc++)
		largest = m->capacity[vc] > largest ? m->capacity[vc] : largest;
	for (i = 0; i < 4; i++)
		watched |= thresholds[i] < largest;
	bgl_router_of(f)->set_bypass(f, node, watched);
}

/*
 * Write a register of routing or arbitration. The fabric must be locked. Return 0, -ERANGE or
 * -ENOMEM; for register 0B also the errors of bgl_links_set().
 */
int bgl_route_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err)
{
	int ret = bgl_route_check(offset, value, err);
	struct bgl_regs *r;
	u32 i;

	if (ret)
		return ret;
	r = bgl_regs_own(f, node, err);
	if (!r)
		return -ENOMEM;
	switch (offset) {
	case REG_PLUS:
		bgl_write_neighbors(f, node, r->plus, 0, value);
		return 0;
	case REG_MINUS:
		bgl_write_neighbors(f, node, r->minus, 1, value);
		return 0;
	case REG_CUTOFF_PLUS:
		for (i = 0; i < BGL_DIMS; i++)
			r->cutoff[i].plus = (u8)(value >> (16 - 8 * i));
		return 0;
	case REG_CUTOFF_MINUS:
		for (i = 0; i < BGL_DIMS; i++)
			r->cutoff[i].minus = (u8)(value >> (16 - 8 * i));
		return 0;
	case REG_BYPASS:
		for (i = 0; i < BGL_REG_VCS; i++)
			r->bypass[i] = (u8)(value >> (24 - 8 * i));
		bgl_set_bypass(f, node, r->bypass);
		return 0;
	case REG_CLOCK_RATIO:
		r->clock_ratio = (u8)(value >> 29);
		return 0;
	default:
		return bgl_write_arbitration(f, node, r, value, err);
	}
}
