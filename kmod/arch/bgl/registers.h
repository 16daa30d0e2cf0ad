/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blue Gene/L's device control registers: their offsets (doc/references.md, IBM's
 * packet layer), and the files that implement them.
 *
 *   registers.c        table of registers, and dispatch to the other files
 *   registers_route.c  coordinates, cutoffs, bypass, arbitration, clock
 *   registers_link.c   time-outs, link control, link CRCs, tokens
 *   registers_resend.c pointers of the resend FIFOs
 *   registers_fifo.c   watermarks, injection checksums
 *   registers_error.c  errors, counters, masks, thresholds, interrupts
 *   registers_reset.c  resets of parts
 *
 * Bits are counted as in the machine's manuals: b0 is the most significant.
 * "Receiver X+" is the one that receives packets that travel in direction X+.
 */
#ifndef TORUS_ARCH_BGL_REGISTERS_H
#define TORUS_ARCH_BGL_REGISTERS_H

#include "bgl.h"

enum {
	REG_RESET = 0x00,
	REG_MAXIMUM = 0x01,
	REG_NODE = 0x02,
	REG_PLUS = 0x03,
	REG_MINUS = 0x04,
	REG_CUTOFF_PLUS = 0x05,
	REG_CUTOFF_MINUS = 0x06,
	REG_BYPASS = 0x07,
	REG_TIMEOUT = 0x08,		/* of X, Y, Z; the upper half is for plus */
	REG_ARBITRATION = 0x0b,
	REG_CLOCK_RATIO = 0x0c,
	REG_WATERMARKS = 0x0d,		/* one register per group */
	REG_LINKS = 0x12,
	REG_THRESHOLD = 0x16,		/* indexed by enum bgl_threshold */
	REG_CLEAR = 0x1e,
	REG_NRE_MASK = 0x20,		/* indexed by enum bgl_nre, as REG_NRE */
	REG_RE_MASK = 0x30,
	REG_RECEIVER_CRC = 0x32,	/* X+ .. Z-, as the next ones */
	REG_FULLNESS = 0x38,
	REG_TOKENS = 0x3e,
	REG_SENDER_CRC = 0x44,
	REG_RESEND = 0x4a,		/* one each for X, Y, Z */
	REG_CHECKSUM = 0x4d,		/* N0-5, P0, P1 */
	REG_NRE = 0x5c,			/* indexed by enum bgl_nre */
	REG_RE = 0x6c,			/* indexed by enum bgl_re */
};

/* Non-recoverable errors: registers from 5C on; their masks are from 20 on. */
enum bgl_nre {
	BGL_NRE_RECEIVER,		/* one each for X+ .. Z- */
	BGL_NRE_HEADER = 6,		/* five checks of each sender */
	BGL_NRE_SENDER,
	BGL_NRE_INJECT,			/* one per group */
	BGL_NRE_INJECT_MEMORY = 10,
	BGL_NRE_RECEIVE_MEMORY,
	BGL_NRE_ACCESS,
	BGL_NRES,
};

/* Counters of recovered errors: registers from 6C on. */
enum bgl_re {
	BGL_RE_INPUT,			/* one each for X+ .. Z- */
	BGL_RE_ECC_RESEND = 6,
	BGL_RE_ECC_RECEIVER,
	BGL_RE_RETRY,			/* one each for X+ .. Z- */
	BGL_RE_RANDOM = 14,
	BGL_RE_ECC_INJECT,
	BGL_RE_ECC_RECEIVE,
	BGL_RE_BAD_HEADER,
	BGL_RE_OVERFLOW,
	BGL_RES,
};

/* Thresholds of counters, at which an interrupt is raised: registers from 16 on. */
enum bgl_threshold {
	BGL_THRESHOLD_INPUT,
	BGL_THRESHOLD_ECC,
	BGL_THRESHOLD_RETRY,
	BGL_THRESHOLD_RANDOM,
	BGL_THRESHOLD_BAD_HEADER,
	BGL_THRESHOLD_OVERFLOW,
	BGL_THRESHOLDS,
};

#define BGL_BIT(b)	(1u << (31 - (b)))

/* register 0B */
#define BGL_DISABLE(dir)	BGL_BIT(dir)
#define BGL_DISABLE_ALL		0xfc000000u
/* register 12 */
#define BGL_LOOPBACK		BGL_BIT(0)
#define BGL_STOP_RECEIVE(dir)	BGL_BIT(1 + (dir))
#define BGL_STOP_RESEND(dir)	BGL_BIT(7 + (dir))
/* register 1E */
#define BGL_CLEAR_RECEIVER(dir)	BGL_BIT(dir)
#define BGL_CLEAR_SENDER(dir)	BGL_BIT(12 + (dir))
#define BGL_CLEAR_CHECKSUM(i)	BGL_BIT(20 + (i))
/* register 00 */
#define BGL_RESET_REGISTERS	BGL_BIT(0)
#define BGL_RESET_RANDOM	BGL_BIT(1)
#define BGL_RESET_INJECTION	BGL_BIT(2)
#define BGL_RESET_RECEPTION	BGL_BIT(3)
#define BGL_RESET_SEND(dir)	BGL_BIT(4 + (dir))
#define BGL_RESET_SRAM(i)	BGL_BIT(10 + (i))	/* 0: X+ X- Y+, 1: Y- Z+ Z- */
#define BGL_RESET_RECEIVE(dir)	BGL_BIT(12 + (dir))
/* register 62: bits of sender @dir */
enum { BGL_CHECK_HINTS, BGL_CHECK_NEIGHBOR, BGL_CHECK_VC, BGL_CHECK_DEST, BGL_CHECK_DEPOSIT };
#define BGL_CHECK(dir, check)	BGL_BIT(5 * (dir) + (check))
/* registers 5C-61 */
#define BGL_NRE_PARITY(vc)	BGL_BIT(25 - (vc))
#define BGL_NRE_ECC(vc)		BGL_BIT(29 - (vc))
/* register 68 */
#define BGL_NRE_READ_EMPTY(i)	BGL_BIT(4 + (i))
#define BGL_NRE_WRITE_FULL	BGL_BIT(6)
/*
 * register 30: b0 masks all non-recoverable errors; each following bit masks a counter, in the
 * counters' order
 */
#define BGL_RE_MASK_NRE		BGL_BIT(0)
#define BGL_RE_MASK(i)		BGL_BIT(1 + (i))

const struct torus_reg *bgl_reg_find(u32 offset);
int bgl_reg_range(const struct torus_reg *reg, u32 value, const char *why,
		  struct torus_error *err);

extern const struct torus_reg bgl_reg_list[];
extern const u32 bgl_reg_count;

struct bgl_regs bgl_regs_get(struct torus_fabric *f, u32 node);
struct bgl_regs *bgl_regs_own(struct torus_fabric *f, u32 node, struct torus_error *err);
size_t bgl_regs_bytes(const struct torus_fabric *f);
void bgl_regs_reset(struct torus_fabric *f, u32 node);
void bgl_regs_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
int bgl_reg_peek(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
		 struct torus_error *err);
u32 bgl_reg_boot(struct torus_fabric *f, u32 node, u32 offset);
int bgl_reg_read(struct torus_fabric *f, u32 node, u32 offset, u32 *value,
		 struct torus_error *err);
int bgl_reg_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		  struct torus_error *err);

#endif
