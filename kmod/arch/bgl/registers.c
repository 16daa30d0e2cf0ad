// SPDX-License-Identifier: GPL-2.0
/*
 * Blue Gene/L's device control registers: a table of names and the machine's own offsets, and
 * dispatch to the source file that implements a register.
 */
#include "core/state/snapshot.h"
#include "registers.h"
#include "registers_error.h"
#include "registers_fifo.h"
#include "registers_link.h"
#include "registers_resend.h"
#include "registers_reset.h"
#include "registers_route.h"

#define READ_ONLY	TORUS_REG_READ_ONLY
#define READ_CLEARS	TORUS_REG_READ_CLEARS
#define WRITE_CLEARS	TORUS_REG_WRITE_CLEARS
#define RESET_CLEARS	TORUS_REG_RESET_CLEARS
#define NRE		(READ_ONLY | RESET_CLEARS)

#define REG(name_, offset_, flags_, mask_, help_) \
	{ .name = name_, .offset = offset_, .flags = flags_, .mask = mask_, .help = help_ }

/* Six registers, one per direction. */
#define SIX(name_, offset_, flags_, mask_, help_)			\
	REG(name_ "_xp", (offset_) + 0, flags_, mask_, help_),		\
	REG(name_ "_xm", (offset_) + 1, flags_, mask_, help_),		\
	REG(name_ "_yp", (offset_) + 2, flags_, mask_, help_),		\
	REG(name_ "_ym", (offset_) + 3, flags_, mask_, help_),		\
	REG(name_ "_zp", (offset_) + 4, flags_, mask_, help_),		\
	REG(name_ "_zm", (offset_) + 5, flags_, mask_, help_)

/* Parts of a node's registers in a snapshot. */
enum { SNAPSHOT_ERRORS = 1, SNAPSHOT_RESEND = 2, SNAPSHOT_ALL = 3 };

#define ALL	0xffffffffu
#define XYZ	0x00ffffffu

const struct torus_reg bgl_reg_list[] = {
	REG("reset", REG_RESET, WRITE_CLEARS, 0xffffc000,
	    "ones reset: b0 registers, b1 random, b2 injection, b3 reception, b4-9 send, b10-11 "
	    "SRAM, b12-17 receive"),
	REG("maximum_coordinate", REG_MAXIMUM, READ_ONLY, 0, "bytes X Y Z"),
	REG("node_coordinate", REG_NODE, READ_ONLY, 0, "bytes X Y Z"),
	REG("plus_neighbor", REG_PLUS, 0, XYZ,
	    "bytes X Y Z: coordinate at which a plus hint is cleared"),
	REG("minus_neighbor", REG_MINUS, 0, XYZ,
	    "bytes X Y Z: coordinate at which a minus hint is cleared"),
	REG("cutoff_plus", REG_CUTOFF_PLUS, 0, XYZ,
	    "bytes X Y Z: largest higher destination coordinate that is reached in plus direction"),
	REG("cutoff_minus", REG_CUTOFF_MINUS, 0, XYZ,
	    "bytes X Y Z: smallest lower destination coordinate that is reached in minus "
	    "direction"),
	REG("bypass_thresholds", REG_BYPASS, 0, 0x7f7f7f7f,
	    "7 bits each D0 D1 BN BP: number of chunks in a VC that closes the bypass"),
	REG("timeout_x", REG_TIMEOUT, 0, ALL,
	    "retransmit time-outs in ticks: 16 bits X+, 16 bits X-"),
	REG("timeout_y", REG_TIMEOUT + 1, 0, ALL, "retransmit time-outs: Y+, Y-"),
	REG("timeout_z", REG_TIMEOUT + 2, 0, ALL, "retransmit time-outs: Z+, Z-"),
	REG("arbitration", REG_ARBITRATION, 0, 0xffffffe0,
	    "b0-5 sender disable X+..Z-, b6-13 FULL, b14-21 RAND, b22-26 HPINJ"),
	REG("clock_ratio", REG_CLOCK_RATIO, 0, 0xe0000000,
	    "b0-2: log2 of clock over torus clock, 0..4; stored, without effect"),
	REG("watermarks_0", REG_WATERMARKS, 0, 0xfffffffc,
	    "group 0, 5 bits each: reception, priority reception, I0, I1, I2, priority injection"),
	REG("watermarks_1", REG_WATERMARKS + 1, 0, 0xfffffffc,
	    "group 1: fields as in watermarks_0"),
	REG("link_control", REG_LINKS, 0, 0xfff80000,
	    "b0 loopback, b1-6 stop receive X+..Z-, b7-12 stop retransmit"),
	REG("threshold_input", REG_THRESHOLD + BGL_THRESHOLD_INPUT, 0, ALL,
	    "input errors of a receiver at which it interrupts; 0: never"),
	REG("threshold_ecc", REG_THRESHOLD + BGL_THRESHOLD_ECC, 0, ALL,
	    "corrected single-bit errors of a memory at which it interrupts; 0: never"),
	REG("threshold_retry", REG_THRESHOLD + BGL_THRESHOLD_RETRY, 0, ALL,
	    "retries of a sender at which it interrupts; 0: never"),
	REG("threshold_random", REG_THRESHOLD + BGL_THRESHOLD_RANDOM, 0, ALL,
	    "parity errors of the random number generator at which it interrupts; 0: never"),
	REG("threshold_bad_header", REG_THRESHOLD + BGL_THRESHOLD_BAD_HEADER, 0, ALL,
	    "bad headers and writes to a full FIFO at which the node interrupts; 0: never"),
	REG("threshold_overflow", REG_THRESHOLD + BGL_THRESHOLD_OVERFLOW, 0, ALL,
	    "chunks that overflowed a VC at which the node interrupts; 0: never"),
	REG("clear", REG_CLEAR, WRITE_CLEARS, 0xfc0fcff0,
	    "ones clear: b0-5 receiver CRCs, b12-17 sender CRCs, b20-27 checksums N0-5 P0 P1"),
	SIX("nre_mask_receiver", REG_NRE_MASK + BGL_NRE_RECEIVER, 0, ALL,
	    "ones: these bits of nre_receiver do not interrupt"),
	REG("nre_mask_header", REG_NRE_MASK + BGL_NRE_HEADER, 0, ALL,
	    "ones: these bits of nre_header do not interrupt"),
	REG("nre_mask_sender", REG_NRE_MASK + BGL_NRE_SENDER, 0, ALL,
	    "ones: these bits of nre_sender do not interrupt"),
	REG("nre_mask_inject_0", REG_NRE_MASK + BGL_NRE_INJECT, 0, ALL,
	    "ones: these bits of nre_inject_0 do not interrupt"),
	REG("nre_mask_inject_1", REG_NRE_MASK + BGL_NRE_INJECT + 1, 0, ALL,
	    "ones: these bits of nre_inject_1 do not interrupt"),
	REG("nre_mask_inject_memory", REG_NRE_MASK + BGL_NRE_INJECT_MEMORY, 0, ALL,
	    "ones: these bits of nre_inject_memory do not interrupt"),
	REG("nre_mask_receive_memory", REG_NRE_MASK + BGL_NRE_RECEIVE_MEMORY, 0, ALL,
	    "ones: these bits of nre_receive_memory do not interrupt"),
	REG("nre_mask_access", REG_NRE_MASK + BGL_NRE_ACCESS, 0, ALL,
	    "ones: these bits of nre_access do not interrupt"),
	REG("error_mask", REG_RE_MASK, 0, 0xfffff000,
	    "ones: these errors do not interrupt: b0 all non-recoverable ones, b1-19 the counters "
	    "6C-7E"),
	SIX("receiver_crc", REG_RECEIVER_CRC, READ_ONLY, 0,
	    "32-bit link CRC of the received bytes"),
	SIX("fullness", REG_FULLNESS, READ_ONLY, 0,
	    "chunks in the VC buffers D0 D1 BN BP of the receiver"),
	SIX("tokens", REG_TOKENS, READ_ONLY, 0,
	    "tokens (free chunks downstream) of the sender for D0 D1 BN BP"),
	SIX("sender_crc", REG_SENDER_CRC, READ_ONLY, 0, "32-bit link CRC of the sent bytes"),
	REG("resend_x", REG_RESEND, READ_ONLY, 0,
	    "resend FIFO, 8 bits each in chunks: X+ begin, X+ end, X- begin, X- end"),
	REG("resend_y", REG_RESEND + 1, READ_ONLY, 0,
	    "resend FIFO of Y+ and Y-: fields as in resend_x"),
	REG("resend_z", REG_RESEND + 2, READ_ONLY, 0,
	    "resend FIFO of Z+ and Z-: fields as in resend_x"),
	REG("checksum_n0", REG_CHECKSUM, READ_ONLY, 0, "injection checksum: group 0, I0"),
	REG("checksum_n1", REG_CHECKSUM + 1, READ_ONLY, 0, "injection checksum: group 0, I1"),
	REG("checksum_n2", REG_CHECKSUM + 2, READ_ONLY, 0, "injection checksum: group 0, I2"),
	REG("checksum_n3", REG_CHECKSUM + 3, READ_ONLY, 0, "injection checksum: group 1, I0"),
	REG("checksum_n4", REG_CHECKSUM + 4, READ_ONLY, 0, "injection checksum: group 1, I1"),
	REG("checksum_n5", REG_CHECKSUM + 5, READ_ONLY, 0, "injection checksum: group 1, I2"),
	REG("checksum_p0", REG_CHECKSUM + 6, READ_ONLY, 0, "injection checksum: group 0, priority"),
	REG("checksum_p1", REG_CHECKSUM + 7, READ_ONLY, 0, "injection checksum: group 1, priority"),
	SIX("nre_receiver", REG_NRE + BGL_NRE_RECEIVER, NRE, 0,
	    "b22-25 parity BP BN D1 D0, b26-29 double-bit errors BP BN D1 D0"),
	REG("nre_header", REG_NRE + BGL_NRE_HEADER, NRE, 0,
	    "5 bits per sender X+..Z-: both hints, neighbor, Dynamic/VC, destination, deposit"),
	REG("nre_sender", REG_NRE + BGL_NRE_SENDER, NRE, 0,
	    "b0-5 parity, b6-7 send SRAM; not simulated"),
	REG("nre_inject_0", REG_NRE + BGL_NRE_INJECT, NRE, 0,
	    "errors of the injection units of group 0; not simulated"),
	REG("nre_inject_1", REG_NRE + BGL_NRE_INJECT + 1, NRE, 0,
	    "errors of the injection units of group 1; not simulated"),
	REG("nre_inject_memory", REG_NRE + BGL_NRE_INJECT_MEMORY, NRE, 0,
	    "errors of the injection memory; not simulated"),
	REG("nre_receive_memory", REG_NRE + BGL_NRE_RECEIVE_MEMORY, NRE, 0,
	    "errors of the reception memory; not simulated"),
	REG("nre_access", REG_NRE + BGL_NRE_ACCESS, NRE, 0,
	    "b4-5 read beyond the end of a FIFO of group 0, 1; b6 write beyond the end of a FIFO"),
	SIX("input_errors", REG_RE + BGL_RE_INPUT, READ_CLEARS, ALL,
	    "packets received with a wrong header or packet CRC"),
	REG("ecc_resend", REG_RE + BGL_RE_ECC_RESEND, READ_CLEARS, ALL,
	    "single-bit errors in resend FIFOs; changed only by writes"),
	REG("ecc_receiver", REG_RE + BGL_RE_ECC_RECEIVER, READ_CLEARS, ALL,
	    "single-bit errors corrected in VC buffers"),
	SIX("retries", REG_RE + BGL_RE_RETRY, READ_CLEARS, ALL, "packets sent again"),
	REG("random_parity", REG_RE + BGL_RE_RANDOM, READ_CLEARS, ALL,
	    "parity errors of the random number generator; changed only by writes"),
	REG("ecc_inject", REG_RE + BGL_RE_ECC_INJECT, READ_CLEARS, ALL,
	    "single-bit errors in injection FIFOs; changed only by writes"),
	REG("ecc_receive", REG_RE + BGL_RE_ECC_RECEIVE, READ_CLEARS, ALL,
	    "single-bit errors in reception FIFOs; changed only by writes"),
	REG("bad_header", REG_RE + BGL_RE_BAD_HEADER, READ_CLEARS, ALL,
	    "rejected headers and writes to a full FIFO"),
	REG("vc_overflow", REG_RE + BGL_RE_OVERFLOW, READ_CLEARS, ALL,
	    "chunks that arrived at a full VC buffer; tokens prevent this"),
};

const u32 bgl_reg_count = sizeof(bgl_reg_list) / sizeof(bgl_reg_list[0]);

/* Functions that read and write the registers up to offset @last. */
static const struct bgl_reg_functions {
	u32 last;
	u32 (*read)(struct torus_fabric *f, u32 node, u32 offset);
	int (*write)(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		     struct torus_error *err);
} functions[] = {
	{ REG_RESET, NULL, bgl_reset_write },
	{ REG_BYPASS, bgl_route_read, bgl_route_write },
	{ REG_TIMEOUT + 2, bgl_link_read, bgl_link_write },
	{ REG_CLOCK_RATIO, bgl_route_read, bgl_route_write },
	{ REG_WATERMARKS + 1, bgl_fifo_read, bgl_fifo_write },
	{ REG_LINKS, bgl_link_read, bgl_link_write },
	{ REG_THRESHOLD + BGL_THRESHOLDS - 1, bgl_error_read, bgl_error_write },
	{ REG_CLEAR, NULL, bgl_clear_write },
	{ REG_RE_MASK, bgl_error_read, bgl_error_write },
	{ REG_RESEND + 2, bgl_link_read, NULL },
	{ REG_CHECKSUM + 7, bgl_fifo_read, NULL },
	{ REG_RE + BGL_RES - 1, bgl_error_read, bgl_error_write },
};

static const struct bgl_reg_functions *bgl_reg_functions_of(u32 offset)
{
	const struct bgl_reg_functions *r = functions;

	while (offset > r->last)
		r++;
	return r;
}

/* Return the register with the machine's offset, or NULL. */
const struct torus_reg *bgl_reg_find(u32 offset)
{
	u32 i;

	for (i = 0; i < bgl_reg_count; i++)
		if (bgl_reg_list[i].offset == offset)
			return &bgl_reg_list[i];
	return NULL;
}

static const struct torus_reg *bgl_reg_named(u32 offset, struct torus_error *err)
{
	const struct torus_reg *reg = bgl_reg_find(offset);

	if (!reg)
		torus_fail(err, ENOENT, "register 0x%x: bgl has no such register", offset);
	return reg;
}

/*
 * Reject a value with an error message.
 *
 * @reg: the register
 * @value: the value
 * @why: description of accepted values
 * @err: [out] the message
 *
 * Return: -ERANGE.
 */
int bgl_reg_range(const struct torus_reg *reg, u32 value, const char *why,
		  struct torus_error *err)
{
	return torus_fail(err, ERANGE, "%s = 0x%08x: %s", reg->name, value, why);
}

/* Set a node's registers to the values that software writes at boot. */
static void bgl_regs_boot(struct torus_fabric *f, u32 node, struct bgl_regs *r)
{
	const struct torus_geometry *g = &f->cfg.geo;
	bool minimal = f->cfg.params[BGL_P_HINTS] == BGL_HINTS_MINIMAL;
	u32 coords[TORUS_DIMS_MAX], dim, full;

	memset(r, 0, sizeof(*r));
	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < BGL_DIMS; dim++) {
		bool mesh = g->mesh >> dim & 1;

		r->plus[dim] = bgl_neighbor_coord(g->dims[dim], coords[dim], false, mesh);
		r->minus[dim] = bgl_neighbor_coord(g->dims[dim], coords[dim], true, mesh);
		r->cutoff[dim] = bgl_cutoffs(g->dims[dim], coords[dim], mesh, minimal);
		r->timeout[2 * dim] = (u16)f->cfg.params[BGL_P_TIMEOUT];
		r->timeout[2 * dim + 1] = r->timeout[2 * dim];
	}
	/*
	 * Fields FULL and RAND add up to 210: 157 and 53 for the papers' 75 %. Field HPINJ is in
	 * units of 1/32.
	 */
	full = (u32)f->cfg.params[BGL_P_SLQ_FRACTION] * 210 / 100;
	r->arbitration = full << 18 | (210 - full) << 10 |
			 (u32)(bgl_machine(f)->inject_first >> 3) << 5;
	/* code for 350 MHz over 175 MHz */
	r->clock_ratio = 1;
	memset(r->bypass, BGL_BYPASS_OPEN, sizeof(r->bypass));
}

/*
 * Return a node's registers: the values written, or those of boot. A fabric whose registers are
 * never written uses no memory for them.
 */
struct bgl_regs bgl_regs_get(struct torus_fabric *f, u32 node)
{
	struct bgl_regs boot;

	if (bgl_machine(f)->regs)
		return bgl_machine(f)->regs[node];
	bgl_regs_boot(f, node, &boot);
	return boot;
}

/*
 * Return a node's registers for writing; allocate those of all nodes if necessary.
 *
 * @f: the fabric, locked
 *
 * Return: NULL without memory; @err is then set.
 */
struct bgl_regs *bgl_regs_own(struct torus_fabric *f, u32 node, struct torus_error *err)
{
	struct bgl_machine *m = bgl_machine(f);
	struct bgl_regs *regs;
	u32 i;

	if (m->regs)
		return &m->regs[node];
	regs = torus_alloc((size_t)f->nodes * sizeof(*regs));
	if (!regs) {
		torus_fail(err, ENOMEM, "no memory for the registers of %u nodes", f->nodes);
		return NULL;
	}
	for (i = 0; i < f->nodes; i++) {
		bgl_regs_boot(f, i, &regs[i]);
		if (!(i & 1023))
			torus_yield();
	}
	m->regs = regs;
	return &regs[node];
}

/*
 * Return the size in bytes of the memory for struct bgl_regs; 0 if no register was written. Error
 * registers are not included.
 */
size_t bgl_regs_bytes(const struct torus_fabric *f)
{
	const struct bgl_machine *m = f->machine;

	return m->regs ? (size_t)f->nodes * sizeof(*m->regs) : 0;
}

/* Reset a node's registers to the values that software writes at boot. */
void bgl_regs_reset(struct torus_fabric *f, u32 node)
{
	struct bgl_machine *m = bgl_machine(f);
	struct bgl_regs r;
	u32 dim;

	bgl_regs_boot(f, node, &r);
	if (m->regs)
		m->regs[node] = r;
	for (dim = 0; dim < BGL_DIMS; dim++) {
		bgl_set_neighbor(f, node, 2 * dim, r.plus[dim]);
		bgl_set_neighbor(f, node, 2 * dim + 1, r.minus[dim]);
	}
	bgl_set_bypass(f, node, r.bypass);
	bgl_watermarks_reset(f, node);
	bgl_errors_reset(f, node);
}

/*
 * Save or restore those registers of a node that a fabric without written registers can have: the
 * registers of errors, and the base of the resend pointers. A byte says which of them follow.
 */
void bgl_regs_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	u8 has = 0;

	if (!snap->reading)
		has = (bgl_errors_written(d->f, node) ? SNAPSHOT_ERRORS : 0) |
		      (bgl_resend_based(d->f, node) ? SNAPSHOT_RESEND : 0);
	SNAPSHOT_FIELD(snap, has);
	if (!torus_snapshot_check(snap, !(has & ~SNAPSHOT_ALL), "registers =", has))
		return;
	if (has & SNAPSHOT_ERRORS)
		bgl_errors_snapshot(snap, d->f, node);
	if (has & SNAPSHOT_RESEND)
		bgl_resend_snapshot(snap, d->f, node);
}

/*
 * Read a register without side effects.
 *
 * @f: the fabric, locked
 * @offset: the machine's offset of the register
 * @value: [out] the value
 *
 * Return: 0 or -ENOENT.
 */
int bgl_reg_peek(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
		 struct torus_error *err)
{
	const struct bgl_reg_functions *r;

	if (!bgl_reg_named(offset, err))
		return -ENOENT;
	r = bgl_reg_functions_of(offset);
	*value = r->read ? r->read(f, node, offset) : 0;
	return 0;
}

/*
 * Return the value of a writable register at boot. It is 0 for a register that is cleared by
 * reading or by writing ones.
 *
 * @f: the fabric, locked
 * @offset: the machine's offset of the register
 */
u32 bgl_reg_boot(struct torus_fabric *f, u32 node, u32 offset)
{
	const struct bgl_reg_functions *functions = bgl_reg_functions_of(offset);
	struct bgl_regs regs;

	if (functions->read == bgl_error_read)
		return bgl_error_boot_value(offset);
	bgl_regs_boot(f, node, &regs);
	if (functions->read == bgl_route_read)
		return bgl_route_value(&regs, &f->cfg.geo, node, offset);
	if (offset >= REG_TIMEOUT && offset <= REG_TIMEOUT + 2)
		return (u32)regs.timeout[2 * (offset - REG_TIMEOUT)] << 16 |
		       regs.timeout[2 * (offset - REG_TIMEOUT) + 1];
	/*
	 * Link control and watermarks are 0 at boot. The caller asks only for writable
	 * registers.
	 */
	return 0;
}

/*
 * Read a register as a processor does. A read-to-clear register is 0 afterwards.
 *
 * @f: the fabric, locked
 * @offset: the machine's offset of the register
 * @value: [out] the value
 *
 * Return: 0 or -ENOENT.
 */
int bgl_reg_read(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
		 struct torus_error *err)
{
	int ret = bgl_reg_peek(f, node, offset, value, err);

	if (!ret && bgl_reg_find(offset)->flags & READ_CLEARS)
		bgl_error_clear(f, node, offset);
	return ret;
}

/*
 * Write a register.
 *
 * @f: the fabric, locked
 * @offset: the machine's offset of the register
 *
 * Return: 0; -ENOENT; -EPERM for a read-only register; -ERANGE for a value that the register
 * cannot hold; -EBUSY if the operation needs an idle link or fabric; -EOPNOTSUPP if the node cannot
 * have loopback; -ENOMEM.
 */
int bgl_reg_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		  struct torus_error *err)
{
	const struct torus_reg *reg = bgl_reg_named(offset, err);

	if (!reg)
		return -ENOENT;
	if (reg->flags & READ_ONLY)
		return torus_fail(err, EPERM, "register %s (0x%02x) is read-only%s", reg->name,
				  offset, reg->flags & RESET_CLEARS ?
				  ": only a reset of the registers clears it" : "");
	if (value & ~reg->mask)
		return torus_fail(err, ERANGE,
				  "%s = 0x%08x: bits 0x%08x are reserved, must be within 0x%08x",
				  reg->name, value, value & ~reg->mask, reg->mask);
	return bgl_reg_functions_of(offset)->write(f, node, offset, value, err);
}
