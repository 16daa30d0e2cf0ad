/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a node tells its processors without being asked.
 *
 * A fabric's owner (the device) sets torus_fabric.interrupt, and is told causes.
 * User space may leave it NULL.  Masks and thresholds are the machine's: what
 * comes through here has passed them.
 *
 *   critical      a FIFO has crossed its watermark: an injection FIFO holds fewer
 *                 chunks, a reception FIFO more
 *   non-critical  errors: an error bit has been set that only a reset clears, or
 *                 a count of recovered errors has reached its threshold
 */
#ifndef TORUS_CORE_INTERRUPT_H
#define TORUS_CORE_INTERRUPT_H

#include "core/env.h"

struct torus_fabric;
struct torus_domain;

/* Kinds of causes; what their index is. */
enum torus_interrupt {
	TORUS_INTERRUPT_INJECT,		/* FIFO: group * inject_fifos + fifo */
	TORUS_INTERRUPT_RECEIVE,	/* FIFO: group * receive_fifos + fifo */
	TORUS_INTERRUPT_NRE,		/* a non-recoverable error; 0 */
	TORUS_INTERRUPT_RECEIVER,	/* input errors: direction in which packets travel */
	TORUS_INTERRUPT_ECC,		/* corrected single-bit errors; 0 */
	TORUS_INTERRUPT_RETRY,		/* packets sent again: direction */
	TORUS_INTERRUPT_RANDOM,		/* the random number generator's parity; 0 */
	TORUS_INTERRUPT_BAD_HEADER,	/* refused headers, writes to a full FIFO; 0 */
	TORUS_INTERRUPT_OVERFLOW,	/* chunks for which a VC buffer had no room; 0 */
	TORUS_INTERRUPT_MAX,
};

/* A cause is a kind and an index of its own. */
#define TORUS_CAUSE(kind, index)	((u32)(kind) << 8 | (index))
#define TORUS_CAUSE_KIND(cause)		((cause) >> 8)
#define TORUS_CAUSE_INDEX(cause)	((cause) & 0xff)

torus_inline bool torus_cause_critical(u32 cause)
{
	return TORUS_CAUSE_KIND(cause) <= TORUS_INTERRUPT_RECEIVE;
}

/* Errors that a node's hardware finds, by itself or in its neighbours' packets. */
enum torus_hw_error {
	TORUS_ERROR_INPUT,		/* receiver @dir: a header or packet CRC is wrong */
	TORUS_ERROR_RETRY,		/* sender @dir: a packet is sent again */
	TORUS_ERROR_ECC_SINGLE,		/* receiver @dir, VC @vc: corrected */
	TORUS_ERROR_ECC_DOUBLE,		/* not correctable */
	TORUS_ERROR_PARITY,		/* in the VC buffer's data latch */
	TORUS_ERROR_READ_EMPTY,		/* group @vc: a reception FIFO was read beyond its end */
	TORUS_ERROR_WRITE_FULL,		/* an injection FIFO was written beyond its end */
};

/**
 * torus_interrupt_listen() - be told of a fabric's interrupts
 * @f: the fabric, held
 * @told: called for each, see torus_interrupt_raise()
 * @owner: what torus_interrupt_owner() gives there
 */
void torus_interrupt_listen(struct torus_fabric *f,
			    void (*told)(struct torus_fabric *f, u32 node, u32 cause),
			    void *owner);
void *torus_interrupt_owner(const struct torus_fabric *f);

/**
 * torus_interrupt_raise() - tell a fabric's owner
 * @f: the fabric
 * @node: number of the node
 * @cause: TORUS_CAUSE(kind, index)
 *
 * Called with the fabric held, or from the thread that runs the node's domain:
 * the owner's function must not sleep, and may be in several threads at once.
 */
void torus_interrupt_raise(struct torus_fabric *f, u32 node, u32 cause);

/**
 * torus_error_raise() - a node's hardware has found an error
 * @f: the fabric
 * @node: number of the node
 * @what: which
 * @dir: direction
 * @vc: virtual channel, or group
 *
 * The machine counts it in its registers and raises what its masks let through.
 * Same callers as torus_interrupt_raise().
 */
void torus_error_raise(struct torus_fabric *f, u32 node, enum torus_hw_error what, u32 dir,
		       u32 vc);

#endif
