// SPDX-License-Identifier: GPL-2.0
/*
 * Blue Gene/L's device control registers, by their own offsets
 * (reference/bgl-hardware.md, Device control registers).
 */
#include "bgl.h"

#define READ_ONLY	TORUS_REG_READ_ONLY

enum {
	REG_MAXIMUM = 0x01,
	REG_NODE = 0x02,
	REG_PLUS = 0x03,
	REG_MINUS = 0x04,
	REG_CUTOFF_PLUS = 0x05,
	REG_CUTOFF_MINUS = 0x06,
	REG_TIMEOUT = 0x08,		/* X, Y, Z: plus in the upper half */
	REG_ARBITRATION = 0x0b,
	REG_RECEIVER_CRC = 0x32,
	REG_FULLNESS = 0x38,
	REG_TOKENS = 0x3e,
	REG_SENDER_CRC = 0x44,
};

const struct torus_reg bgl_reg_list[] = {
	{ "maximum_coordinate", REG_MAXIMUM, READ_ONLY },
	{ "node_coordinate", REG_NODE, READ_ONLY },
	{ "plus_neighbor", REG_PLUS, 0 },
	{ "minus_neighbor", REG_MINUS, 0 },
	{ "cutoff_plus", REG_CUTOFF_PLUS, 0 },
	{ "cutoff_minus", REG_CUTOFF_MINUS, 0 },
	{ "timeout_x", REG_TIMEOUT, 0 },
	{ "timeout_y", REG_TIMEOUT + 1, 0 },
	{ "timeout_z", REG_TIMEOUT + 2, 0 },
	{ "arbitration", REG_ARBITRATION, 0 },
	{ "receiver_crc_xp", REG_RECEIVER_CRC, READ_ONLY },
	{ "receiver_crc_xm", REG_RECEIVER_CRC + 1, READ_ONLY },
	{ "receiver_crc_yp", REG_RECEIVER_CRC + 2, READ_ONLY },
	{ "receiver_crc_ym", REG_RECEIVER_CRC + 3, READ_ONLY },
	{ "receiver_crc_zp", REG_RECEIVER_CRC + 4, READ_ONLY },
	{ "receiver_crc_zm", REG_RECEIVER_CRC + 5, READ_ONLY },
	{ "fullness_xp", REG_FULLNESS, READ_ONLY },
	{ "fullness_xm", REG_FULLNESS + 1, READ_ONLY },
	{ "fullness_yp", REG_FULLNESS + 2, READ_ONLY },
	{ "fullness_ym", REG_FULLNESS + 3, READ_ONLY },
	{ "fullness_zp", REG_FULLNESS + 4, READ_ONLY },
	{ "fullness_zm", REG_FULLNESS + 5, READ_ONLY },
	{ "tokens_xp", REG_TOKENS, READ_ONLY },
	{ "tokens_xm", REG_TOKENS + 1, READ_ONLY },
	{ "tokens_yp", REG_TOKENS + 2, READ_ONLY },
	{ "tokens_ym", REG_TOKENS + 3, READ_ONLY },
	{ "tokens_zp", REG_TOKENS + 4, READ_ONLY },
	{ "tokens_zm", REG_TOKENS + 5, READ_ONLY },
	{ "sender_crc_xp", REG_SENDER_CRC, READ_ONLY },
	{ "sender_crc_xm", REG_SENDER_CRC + 1, READ_ONLY },
	{ "sender_crc_yp", REG_SENDER_CRC + 2, READ_ONLY },
	{ "sender_crc_ym", REG_SENDER_CRC + 3, READ_ONLY },
	{ "sender_crc_zp", REG_SENDER_CRC + 4, READ_ONLY },
	{ "sender_crc_zm", REG_SENDER_CRC + 5, READ_ONLY },
};

const u32 bgl_reg_count = sizeof(bgl_reg_list) / sizeof(bgl_reg_list[0]);

static u32 three_bytes(u8 x, u8 y, u8 z)
{
	return (u32)x << 16 | (u32)y << 8 | z;
}

/**
 * bgl_regs_reset() - a node's registers as software leaves them at boot
 * @f: the fabric
 * @node: number of the node
 */
void bgl_regs_reset(struct torus_fabric *f, u32 node)
{
	const struct torus_geometry *g = &f->cfg.geo;
	struct bgl_machine *m = bgl_machine(f);
	struct bgl_regs *r = &m->regs[node];
	bool minimal = f->cfg.params[BGL_P_HINTS] == BGL_HINTS_MINIMAL;
	u32 coords[TORUS_DIMS_MAX], dim, full;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < BGL_DIMS; dim++) {
		bool mesh = g->mesh >> dim & 1;

		r->plus[dim] = bgl_neighbor_coord(g->dims[dim], coords[dim], false, mesh);
		r->minus[dim] = bgl_neighbor_coord(g->dims[dim], coords[dim], true, mesh);
		r->cutoff[dim] = bgl_cutoffs(g->dims[dim], coords[dim], mesh, minimal);
		r->timeout[2 * dim] = (u16)f->cfg.params[BGL_P_TIMEOUT];
		r->timeout[2 * dim + 1] = r->timeout[2 * dim];
		bgl_set_neighbor(f, node, 2 * dim, r->plus[dim]);
		bgl_set_neighbor(f, node, 2 * dim + 1, r->minus[dim]);
	}
	/* FULL of 210, the rest RAND: 157 and 53 for the papers' 75 %; HPINJ in 32nds */
	full = (u32)f->cfg.params[BGL_P_SLQ_FRACTION] * 210 / 100;
	memset(r->bypass, 127, sizeof(r->bypass));
	r->arbitration = full << 18 | (210 - full) << 10 | (u32)(m->inject_first >> 3) << 5;
}

static u32 bgl_crc(struct torus_fabric *f, u32 node, u32 dir, bool receiver)
{
	struct torus_link_view view;
	u32 sender = node;

	if (receiver)
		sender = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
	if (sender == TORUS_NONE)
		return 0;
	torus_link_view(f, sender, dir, &view);
	return receiver ? view.rx_crc : view.tx_crc;
}

/**
 * bgl_reg_read() - read a register
 * @f: the fabric, held
 * @node: number of the node
 * @offset: of the register
 * @value: out
 * @err: why not
 *
 * Return: 0 or -ENOENT.
 */
int bgl_reg_read(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
		 struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	const struct bgl_regs *r = &bgl_machine(f)->regs[node];
	u32 coords[TORUS_DIMS_MAX];

	switch (offset) {
	case REG_MAXIMUM:
		*value = three_bytes((u8)(g->dims[0] - 1), (u8)(g->dims[1] - 1),
				     (u8)(g->dims[2] - 1));
		return 0;
	case REG_NODE:
		torus_geometry_coords(g, node, coords);
		*value = three_bytes((u8)coords[0], (u8)coords[1], (u8)coords[2]);
		return 0;
	case REG_PLUS:
		*value = three_bytes(r->plus[0], r->plus[1], r->plus[2]);
		return 0;
	case REG_MINUS:
		*value = three_bytes(r->minus[0], r->minus[1], r->minus[2]);
		return 0;
	case REG_CUTOFF_PLUS:
		*value = three_bytes(r->cutoff[0].plus, r->cutoff[1].plus, r->cutoff[2].plus);
		return 0;
	case REG_CUTOFF_MINUS:
		*value = three_bytes(r->cutoff[0].minus, r->cutoff[1].minus, r->cutoff[2].minus);
		return 0;
	case REG_TIMEOUT:
	case REG_TIMEOUT + 1:
	case REG_TIMEOUT + 2:
		offset -= REG_TIMEOUT;
		*value = (u32)r->timeout[2 * offset] << 16 | r->timeout[2 * offset + 1];
		return 0;
	case REG_ARBITRATION:
		*value = r->arbitration;
		return 0;
	}
	if (offset - REG_RECEIVER_CRC < BGL_DIRS)
		*value = bgl_crc(f, node, offset - REG_RECEIVER_CRC, true);
	else if (offset - REG_FULLNESS < BGL_DIRS)
		*value = bgl_vc_fullness(f, node, offset - REG_FULLNESS);
	else if (offset - REG_TOKENS < BGL_DIRS)
		*value = bgl_vc_tokens(f, node, offset - REG_TOKENS);
	else if (offset - REG_SENDER_CRC < BGL_DIRS)
		*value = bgl_crc(f, node, offset - REG_SENDER_CRC, false);
	else
		return torus_fail(err, ENOENT, "register 0x%x: bgl has no such register", offset);
	return 0;
}

static int bgl_write_neighbors(struct torus_fabric *f, u32 node, u8 *regs, u32 minus, u32 value)
{
	u32 dim;

	for (dim = 0; dim < BGL_DIMS; dim++) {
		regs[dim] = (u8)(value >> (16 - 8 * dim));
		bgl_set_neighbor(f, node, 2 * dim + minus, regs[dim]);
	}
	return 0;
}

/**
 * bgl_reg_write() - write a register
 * @f: the fabric, held
 * @node: number of the node
 * @offset: of the register
 * @value: what to write
 * @err: why not
 *
 * Return: 0, -ENOENT, -EPERM for a read-only register, -ERANGE for a value that
 * the register cannot hold.
 */
int bgl_reg_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		  struct torus_error *err)
{
	struct bgl_regs *r = &bgl_machine(f)->regs[node];
	u32 i, full, random;

	for (i = 0; i < bgl_reg_count && bgl_reg_list[i].offset != offset; i++)
		;
	if (i == bgl_reg_count)
		return torus_fail(err, ENOENT, "register 0x%x: bgl has no such register", offset);
	if (bgl_reg_list[i].flags & READ_ONLY)
		return torus_fail(err, EPERM, "register %s (0x%02x) is read-only",
				  bgl_reg_list[i].name, offset);
	switch (offset) {
	case REG_TIMEOUT:
	case REG_TIMEOUT + 1:
	case REG_TIMEOUT + 2:
		if (!(value >> 16) || !(value & 0xffff))
			return torus_fail(err, ERANGE,
					  "%s = 0x%08x: each half is a time-out of 1..65535 ticks",
					  bgl_reg_list[i].name, value);
		r->timeout[2 * (offset - REG_TIMEOUT)] = (u16)(value >> 16);
		r->timeout[2 * (offset - REG_TIMEOUT) + 1] = (u16)value;
		return 0;
	case REG_ARBITRATION:
		full = value >> 18 & 0xff;
		random = value >> 10 & 0xff;
		if (!(full + random))
			return torus_fail(err, ERANGE,
					  "arbitration = 0x%08x: FULL and RAND are both 0", value);
		if (value >> 26 || (value & 0x1f))
			return torus_fail(err, ERANGE,
					  "arbitration = 0x%08x: sender disable and reserved bits must be 0",
					  value);
		r->arbitration = value;
		full = full * 256 / (full + random);
		bgl_set_arbitration(f, node, (u8)(full > 255 ? 255 : full),
				    (u8)((value >> 5 & 0x1f) << 3));
		return 0;
	}
	if (value >> 24)
		return torus_fail(err, ERANGE, "%s = 0x%08x: the register holds three bytes X Y Z",
				  bgl_reg_list[i].name, value);
	switch (offset) {
	case REG_PLUS:
		return bgl_write_neighbors(f, node, r->plus, 0, value);
	case REG_MINUS:
		return bgl_write_neighbors(f, node, r->minus, 1, value);
	case REG_CUTOFF_PLUS:
		for (i = 0; i < BGL_DIMS; i++)
			r->cutoff[i].plus = (u8)(value >> (16 - 8 * i));
		return 0;
	default:
		for (i = 0; i < BGL_DIMS; i++)
			r->cutoff[i].minus = (u8)(value >> (16 - 8 * i));
		return 0;
	}
}
