/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts of a node.
 *
 * A fabric's owner (the device) sets torus_fabric.interrupt and receives the causes. A user program
 * may leave it NULL. The machine's masks and thresholds are applied before a cause is raised here.
 *
 *    critical      a FIFO has crossed its watermark: an injection FIFO has fewer
 *                  chunks, a reception FIFO has more
 *    non-critical  errors: an error bit was set that only a reset clears, or
 *                  a count of recovered errors has reached its threshold
 */
#ifndef TORUS_CORE_INTERRUPT_H
#define TORUS_CORE_INTERRUPT_H

#include "core/platform.h"

struct torus_fabric;
struct torus_domain;

/* Kinds of causes. "index" is the second argument of TORUS_CAUSE() for the kind. */
enum torus_interrupt {
	TORUS_INTERRUPT_INJECT,		/* index: group * inject_fifos + fifo */
	TORUS_INTERRUPT_RECEIVE,	/* index: group * receive_fifos + fifo */
	TORUS_INTERRUPT_NRE,		/* non-recoverable error; index 0 */
	TORUS_INTERRUPT_RECEIVER,	/* input errors; index: direction of travel */
	TORUS_INTERRUPT_ECC,		/* corrected single-bit errors; index 0 */
	TORUS_INTERRUPT_RETRY,		/* retransmissions; index: direction */
	TORUS_INTERRUPT_RANDOM,		/* parity error of the random generator; index 0 */
	TORUS_INTERRUPT_BAD_HEADER,	/* rejected headers, writes to a full FIFO; index 0 */
	TORUS_INTERRUPT_OVERFLOW,	/* chunks that overflowed a VC buffer; index 0 */
	TORUS_INTERRUPT_MAX,
};

/* Encode a cause: a kind and the kind's index. */
#define TORUS_CAUSE(kind, index)	((u32)(kind) << 8 | (index))
#define TORUS_CAUSE_KIND(cause)		((cause) >> 8)
#define TORUS_CAUSE_INDEX(cause)	((cause) & 0xff)

torus_inline bool torus_cause_critical(u32 cause)
{
	return TORUS_CAUSE_KIND(cause) <= TORUS_INTERRUPT_RECEIVE;
}

/* Errors that a node's hardware detects, in the node or in arriving packets. */
enum torus_hw_error {
	TORUS_ERROR_INPUT,		/* receiver @dir: wrong header or packet CRC */
	TORUS_ERROR_RETRY,		/* sender @dir: retransmission of a packet */
	TORUS_ERROR_ECC_SINGLE,		/* receiver @dir, VC @vc: corrected bit */
	TORUS_ERROR_ECC_DOUBLE,		/* receiver @dir, VC @vc: not correctable */
	TORUS_ERROR_PARITY,		/* parity error in the VC buffer's data latch */
	TORUS_ERROR_READ_EMPTY,		/* group @vc: read from an empty reception FIFO */
	TORUS_ERROR_WRITE_FULL,		/* group @vc: write to a full injection FIFO */
};

/**
 * torus_interrupt_listen() - register the receiver of a fabric's interrupts
 * @f: the fabric; no run may be in progress
 * @report: callback, see torus_interrupt_raise()
 * @owner: result of torus_interrupt_owner() in the callback
 */
void torus_interrupt_listen(struct torus_fabric *f,
			    void (*report)(struct torus_fabric *f, u32 node, u32 cause),
			    void *owner);
void *torus_interrupt_owner(const struct torus_fabric *f);

/**
 * torus_interrupt_raise() - report an interrupt to a fabric's owner
 * @node: index of the node
 * @cause: TORUS_CAUSE(kind, index)
 *
 * Called with the fabric locked, or by the thread that runs the node's domain. The callback must
 * not sleep; several threads may call it at once.
 */
void torus_interrupt_raise(struct torus_fabric *f, u32 node, u32 cause);

/**
 * torus_error_raise() - report an error to the machine
 * @node: index of the node
 * @what: kind of the error
 * @dir: direction of the link
 * @vc: virtual channel, or group
 *
 * The machine counts the error in its registers and raises unmasked interrupts. Same callers as
 * torus_interrupt_raise().
 */
void torus_error_raise(struct torus_fabric *f, u32 node, enum torus_hw_error what, u32 dir,
		       u32 vc);

#endif
