// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of errors: thresholds 16-1B, masks 20-30, non-recoverable errors 5C-68, counters of
 * recovered errors 6C-7E; and the interrupts that they raise.
 *
 * A non-recoverable error raises an interrupt when its bit becomes set. A counter raises an
 * interrupt when it reaches its threshold. Each of them raises the next interrupt only after its
 * request has ended: software has read or written the counter, changed its mask or threshold, or
 * reset the registers. An interrupt that a mask or threshold
 * suppresses is raised when software lifts the mask or threshold.
 *
 * Most nodes never have an error: a domain allocates memory for error registers at its first error,
 * or at the first write to one of them.
 */
#include "registers.h"
#include "core/state/snapshot.h"
#include "core/state/interrupt.h"
#include "registers_error.h"

#define BOOT_THRESHOLD	1

/**
 * struct bgl_errors - error registers of a node
 *
 * @nre: registers 5C-68
 * @nre_mask: registers 20-2C
 * @count: registers 6C-7E
 * @threshold: registers 16-1B
 * @mask: register 30
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

/*
 * Return a node's error registers; allocate those of its domain if necessary. Called in the
 * domain's thread, or with the fabric locked. Return NULL without memory.
 */
static struct bgl_errors *bgl_error_make(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct bgl_errors **all = &bgl_machine(f)->errors[d->index];
	u32 i;

	if (!*all) {
		*all = torus_grow(d->count * sizeof(**all));
		for (i = 0; *all && i < d->count; i++)
			bgl_error_boot(*all + i);
	}
	return bgl_error_find(f, node);
}

/* Reset a node's errors, masks and thresholds to their values at boot. */
void bgl_errors_reset(struct torus_fabric *f, u32 node)
{
	struct bgl_errors *e = bgl_error_find(f, node);

	if (e)
		bgl_error_boot(e);
}

/* Free the error registers of all nodes. */
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

/* Return the unmasked bits of a register of non-recoverable errors. */
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

/*
 * Raise the interrupts that the node's registers request now, and did not request in state @before.
 */
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

/*
 * Record a non-recoverable error: set @bits (0: none) in register @nre. Record a recovered error:
 * increment counter @count (BGL_RES: none).
 */
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

/*
 * Record an error that a node's hardware has found.
 *
 * @what: enum torus_hw_error
 * @dir: direction
 * @vc: virtual channel, or FIFO group
 */
void bgl_error(struct torus_fabric *f, u32 node, u32 what, u32 dir, u32 vc)
{
	u32 shown;

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
		shown = bgl_router_of(f)->reg_vc(vc);
		bgl_error_add(f, node, BGL_NRE_RECEIVER + dir, BGL_NRE_ECC(shown), BGL_RES);
		break;
	case TORUS_ERROR_PARITY:
		shown = bgl_router_of(f)->reg_vc(vc);
		bgl_error_add(f, node, BGL_NRE_RECEIVER + dir, BGL_NRE_PARITY(shown), BGL_RES);
		break;
	case TORUS_ERROR_READ_EMPTY:
		bgl_error_add(f, node, BGL_NRE_ACCESS, BGL_NRE_READ_EMPTY(vc & 1), BGL_RES);
		break;
	case TORUS_ERROR_WRITE_FULL:
		bgl_error_add(f, node, BGL_NRE_ACCESS, BGL_NRE_WRITE_FULL, BGL_RE_BAD_HEADER);
		break;
	}
}

/*
 * Return the hint bits of the directions whose senders check a header: the header's hints, or those
 * that the hardware computes if it has none. X+ if there is none.
 */
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

/* Return the hint bits of the dimensions in which both hints are set. */
static u32 bgl_error_both_hints(u32 hints)
{
	u32 both = hints & hints << 1 & 0x2a;

	return both | both >> 1;
}

/*
 * Record a packet that bgl_check() rejects in registers 62 and 7D.
 *
 * @node: source of the packet
 * @bytes: the kernel's copy of the packet
 * @code: TORUS_REFUSE_*, the reason
 *
 * TORUS_REFUSE_PRIORITY is not an error of the header and is not recorded: the right to inject
 * priority packets is missing, or the VC does not match the FIFO.
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

/* Return a pointer to the value of an error register. */
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

/* Return the value of an error register. */
u32 bgl_error_read(struct torus_fabric *f, u32 node, u32 offset)
{
	struct bgl_errors *e = bgl_error_find(f, node), fresh;

	if (!e) {
		bgl_error_boot(&fresh);
		e = &fresh;
	}
	return *bgl_error_place(e, offset);
}

/* Return the value of an error register at boot. */
u32 bgl_error_boot_value(u32 offset)
{
	struct bgl_errors fresh;

	bgl_error_boot(&fresh);
	return *bgl_error_place(&fresh, offset);
}

/* Clear a read-to-clear register after it was read. */
void bgl_error_clear(struct torus_fabric *f, u32 node, u32 offset)
{
	struct bgl_errors *e = bgl_error_find(f, node);

	if (e)
		*bgl_error_place(e, offset) = 0;
}

/*
 * Write a register of this file. A write to a counter may raise its interrupt, so software can
 * test its handler.
 *
 * @f: the fabric, locked
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

/* Check whether an error register of a node has another value than at boot. */
bool bgl_errors_written(struct torus_fabric *f, u32 node)
{
	struct bgl_errors *e = bgl_error_find(f, node), fresh;

	bgl_error_boot(&fresh);
	return e && memcmp(e, &fresh, sizeof(fresh));
}

/* Save or restore a node's error registers; to save, bgl_errors_written() must be true. */
void bgl_errors_snapshot(struct torus_snapshot *snap, struct torus_fabric *f, u32 node)
{
	struct bgl_errors *e = bgl_error_make(f, node);

	if (e)
		SNAPSHOT_FIELD(snap, *e);
	else
		torus_snapshot_no_memory(snap);
}
