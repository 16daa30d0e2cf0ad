// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of errors: thresholds 16-1B, masks 20-30, non-recoverable errors
 * 5C-68, counts of recovered ones 6C-7E; and the interrupts that they raise.
 *
 * A non-recoverable error interrupts when its bit becomes set, a count when it
 * reaches its threshold.  So a source is told once, and again after software has
 * read the count or reset the registers.  What a mask or a threshold held back is
 * told when that is lifted.
 *
 * Most nodes never see an error: a domain has no memory for them before its first.
 */
#include "registers.h"
#include "core/state/snapshot.h"
#include "core/state/interrupt.h"
#include "registers_error.h"

#define BOOT_THRESHOLD	1

/**
 * struct bgl_errors - what a node's hardware has found
 * @nre: 5C-68
 * @nre_mask: 20-2C
 * @count: 6C-7E
 * @threshold: 16-1B
 * @mask: 30
 */
struct bgl_errors {
	u32 nre[BGL_NRES];
	u32 nre_mask[BGL_NRES];
	u32 count[BGL_RES];
	u32 threshold[BGL_THRESHOLDS];
	u32 mask;
};

static struct bgl_errors *bgl_error_find(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct bgl_errors *e = bgl_machine(f)->errors[d->index];

	return e ? e + torus_domain_local(d, node) : NULL;
}

static void bgl_error_boot(struct bgl_errors *e)
{
	u32 i;

	memset(e, 0, sizeof(*e));
	for (i = 0; i < BGL_THRESHOLDS; i++)
		e->threshold[i] = BOOT_THRESHOLD;
}

/* In the domain's thread, or with the fabric held. */
static struct bgl_errors *bgl_error_make(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct bgl_errors **all = &bgl_machine(f)->errors[d->index];
	u32 i;

	if (!*all) {
		*all = torus_alloc(d->count * sizeof(**all));
		for (i = 0; *all && i < d->count; i++)
			bgl_error_boot(*all + i);
	}
	return bgl_error_find(f, node);
}

/* A node's errors, masks and thresholds as at boot. */
void bgl_errors_reset(struct torus_fabric *f, u32 node)
{
	struct bgl_errors *e = bgl_error_find(f, node);

	if (e)
		bgl_error_boot(e);
}

/* Give back the memory of all. */
void bgl_errors_free(struct torus_fabric *f)
{
	struct bgl_machine *m = bgl_machine(f);
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		torus_free(m->errors[i], f->domain ? f->domain[i].count * sizeof(**m->errors) : 0);
		m->errors[i] = NULL;
	}
}

/* -------------------------------------------------------------- interrupts */

static u32 bgl_error_threshold(u32 i)
{
	if (i < BGL_RE_ECC_RESEND)
		return BGL_THRESHOLD_INPUT;
	if (i >= BGL_RE_RETRY && i < BGL_RE_RANDOM)
		return BGL_THRESHOLD_RETRY;
	if (i == BGL_RE_RANDOM)
		return BGL_THRESHOLD_RANDOM;
	if (i == BGL_RE_BAD_HEADER)
		return BGL_THRESHOLD_BAD_HEADER;
	return i == BGL_RE_OVERFLOW ? BGL_THRESHOLD_OVERFLOW : BGL_THRESHOLD_ECC;
}

static u32 bgl_error_cause(u32 i)
{
	switch (bgl_error_threshold(i)) {
	case BGL_THRESHOLD_INPUT:
		return TORUS_CAUSE(TORUS_INTERRUPT_RECEIVER, i - BGL_RE_INPUT);
	case BGL_THRESHOLD_RETRY:
		return TORUS_CAUSE(TORUS_INTERRUPT_RETRY, i - BGL_RE_RETRY);
	case BGL_THRESHOLD_RANDOM:
		return TORUS_CAUSE(TORUS_INTERRUPT_RANDOM, 0);
	case BGL_THRESHOLD_BAD_HEADER:
		return TORUS_CAUSE(TORUS_INTERRUPT_BAD_HEADER, 0);
	case BGL_THRESHOLD_OVERFLOW:
		return TORUS_CAUSE(TORUS_INTERRUPT_OVERFLOW, 0);
	default:
		return TORUS_CAUSE(TORUS_INTERRUPT_ECC, 0);
	}
}

/* The bits of a register of non-recoverable errors that ask for an interrupt. */
static u32 bgl_error_nre_asks(const struct bgl_errors *e, u32 i)
{
	if (e->mask & BGL_RE_MASK_NRE)
		return 0;
	return e->nre[i] & ~e->nre_mask[i];
}

static bool bgl_error_count_asks(const struct bgl_errors *e, u32 i)
{
	u32 threshold = e->threshold[bgl_error_threshold(i)];

	return threshold && e->count[i] >= threshold &&
	       !(e->mask & BGL_RE_MASK(i));
}

/* Raise what asks for an interrupt now and did not before. */
static void bgl_error_raise_new(struct torus_fabric *f, u32 node, const struct bgl_errors *before,
				const struct bgl_errors *e)
{
	u32 i, nre = 0;

	for (i = 0; i < BGL_NRES; i++)
		nre |= bgl_error_nre_asks(e, i) & ~bgl_error_nre_asks(before, i);
	if (nre)
		torus_interrupt_raise(f, node, TORUS_CAUSE(TORUS_INTERRUPT_NRE, 0));
	for (i = 0; i < BGL_RES; i++)
		if (bgl_error_count_asks(e, i) && !bgl_error_count_asks(before, i))
			torus_interrupt_raise(f, node, bgl_error_cause(i));
}

/* ------------------------------------------------------------------ errors */

/* A non-recoverable error, a recovered one, or both: @count BGL_RES for none. */
static void bgl_error_add(struct torus_fabric *f, u32 node, u32 nre, u32 bits, u32 count)
{
	struct bgl_errors *e = bgl_error_make(f, node), before;

	if (!e) {
		torus_domain_of(f, node)->failed = true;
		return;
	}
	before = *e;
	if (bits)
		e->nre[nre] |= bits;
	if (count < BGL_RES && e->count[count] != ~0u)
		e->count[count]++;
	bgl_error_raise_new(f, node, &before, e);
}

/**
 * bgl_error() - a node's hardware has found an error
 * @f: the fabric
 * @node: number of the node
 * @what: enum torus_hw_error
 * @dir: direction
 * @vc: virtual channel, or group
 *
 * The VCs that the study router has besides the machine's are counted as D0.
 */
void bgl_error(struct torus_fabric *f, u32 node, u32 what, u32 dir, u32 vc)
{
	u32 bit = vc < BGL_REG_VCS ? vc : 0;

	switch (what) {
	case TORUS_ERROR_INPUT:
		bgl_error_add(f, node, 0, 0, BGL_RE_INPUT + dir);
		break;
	case TORUS_ERROR_RETRY:
		bgl_error_add(f, node, 0, 0, BGL_RE_RETRY + dir);
		break;
	case TORUS_ERROR_ECC_SINGLE:
		bgl_error_add(f, node, 0, 0, BGL_RE_ECC_RECEIVER);
		break;
	case TORUS_ERROR_ECC_DOUBLE:
		bgl_error_add(f, node, BGL_NRE_RECEIVER + dir, BGL_NRE_ECC(bit), BGL_RES);
		break;
	case TORUS_ERROR_PARITY:
		bgl_error_add(f, node, BGL_NRE_RECEIVER + dir, BGL_NRE_PARITY(bit), BGL_RES);
		break;
	case TORUS_ERROR_READ_EMPTY:
		bgl_error_add(f, node, BGL_NRE_ACCESS, BGL_NRE_READ_EMPTY(vc & 1), BGL_RES);
		break;
	case TORUS_ERROR_WRITE_FULL:
		bgl_error_add(f, node, BGL_NRE_ACCESS, BGL_NRE_WRITE_FULL, BGL_RE_BAD_HEADER);
		break;
	}
}

/* Directions whose senders check a header: those that its hints name. */
static u32 bgl_error_checking_senders(struct torus_fabric *f, u32 node, const struct bgl_header *h)
{
	u32 coords[TORUS_DIMS_MAX], i, hints = h->hints;
	struct bgl_cutoff boot[BGL_DIMS];
	u8 own[BGL_DIMS];

	torus_geometry_coords(&f->cfg.geo, node, coords);
	for (i = 0; i < BGL_DIMS; i++)
		own[i] = (u8)coords[i];
	if (!hints)
		hints = bgl_hints(own, h->dest,
				  bgl_cutoffs_of(bgl_machine(f), node, own, boot));
	return hints ? hints : bgl_hint_bit(0);
}

/* Dimensions of which both hints are set. */
static u32 bgl_error_both_hints(u32 hints)
{
	u32 both = hints & hints << 1 & 0x2a;

	return both | both >> 1;
}

/**
 * bgl_error_refused() - what bgl_check() refuses stands in registers 62 and 7D
 * @f: the fabric
 * @node: where it is injected
 * @bytes: the kernel's copy of the packet
 * @code: TORUS_REFUSE_*: why it is refused
 *
 * A right that is missing is no error of the header.
 */
void bgl_error_refused(struct torus_fabric *f, u32 node, const u8 *bytes, u32 code)
{
	u32 check, senders, dir, bits = 0;
	struct bgl_header h;

	if (code == TORUS_REFUSE_PRIORITY)
		return;
	bgl_header_unpack(&h, bytes);
	senders = bgl_error_checking_senders(f, node, &h);
	switch (code) {
	case TORUS_REFUSE_HINTS:
		check = bgl_error_both_hints(h.hints) ? BGL_CHECK_HINTS : BGL_CHECK_NEIGHBOR;
		senders = bgl_error_both_hints(h.hints) ? bgl_error_both_hints(h.hints) : senders;
		break;
	case TORUS_REFUSE_VC:
		check = BGL_CHECK_VC;
		break;
	case TORUS_REFUSE_DESTINATION:
		check = BGL_CHECK_DEST;
		break;
	case TORUS_REFUSE_DEPOSIT:
		check = BGL_CHECK_DEPOSIT;
		break;
	default:
		check = BGL_CHECK_NEIGHBOR;
	}
	for (dir = 0; dir < BGL_DIRS; dir++)
		if (senders & bgl_hint_bit(dir))
			bits |= BGL_CHECK(dir, check);
	bgl_error_add(f, node, BGL_NRE_HEADER, bits, BGL_RE_BAD_HEADER);
}

/* --------------------------------------------------------------- registers */

/* Where a register of this room is kept. */
static u32 *bgl_error_place(struct bgl_errors *e, u32 offset)
{
	if (offset == REG_RE_MASK)
		return &e->mask;
	if (offset < REG_NRE_MASK)
		return &e->threshold[offset - REG_THRESHOLD];
	if (offset < REG_RE_MASK)
		return &e->nre_mask[offset - REG_NRE_MASK];
	if (offset < REG_RE)
		return &e->nre[offset - REG_NRE];
	return &e->count[offset - REG_RE];
}

/**
 * bgl_error_read() - what a register of this room holds
 * @f: the fabric
 * @node: number of the node
 * @offset: of the register
 *
 * Return: the value.
 */
u32 bgl_error_read(struct torus_fabric *f, u32 node, u32 offset)
{
	struct bgl_errors *e = bgl_error_find(f, node), fresh;

	if (!e) {
		bgl_error_boot(&fresh);
		e = &fresh;
	}
	return *bgl_error_place(e, offset);
}

/* What a register of this room holds at boot. */
u32 bgl_error_boot_value(u32 offset)
{
	struct bgl_errors fresh;

	bgl_error_boot(&fresh);
	return *bgl_error_place(&fresh, offset);
}

/* A register that reading clears has been read. */
void bgl_error_clear(struct torus_fabric *f, u32 node, u32 offset)
{
	struct bgl_errors *e = bgl_error_find(f, node);

	if (e)
		*bgl_error_place(e, offset) = 0;
}

/**
 * bgl_error_write() - write a register of this room
 * @f: the fabric, held
 * @node: number of the node
 * @offset: of the register
 * @value: what to write
 * @err: why not
 *
 * A count may be written: that is how software tries its interrupt handler.
 *
 * Return: 0 or -ENOMEM.
 */
int bgl_error_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err)
{
	struct bgl_errors *e = bgl_error_make(f, node), before;

	if (!e)
		return torus_fail(err, ENOMEM, "no memory for the error registers of node %u",
				  node);
	before = *e;
	*bgl_error_place(e, offset) = value;
	bgl_error_raise_new(f, node, &before, e);
	return 0;
}

/**
 * bgl_errors_snapshot() - write or read the hardware errors that a node has counted
 * @snap: the snapshot
 * @d: the domain
 * @node: the node
 */
void bgl_errors_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	struct bgl_errors *e = bgl_error_find(d->f, node), fresh;
	bool any;

	bgl_error_boot(&fresh);
	any = e && memcmp(e, &fresh, sizeof(fresh));
	torus_snapshot_flag(snap, &any);
	if (any && snap->reading)
		e = bgl_error_make(d->f, node);
	if (any && !e)
		torus_snapshot_no_memory(snap);
	else if (any)
		SNAPSHOT_FIELD(snap, *e);
}
