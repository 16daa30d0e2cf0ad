/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults of links: state, bit-error rate, extra delay, or damage to the next N packets,
 * acknowledgements or nacks. Receivers may also have ECC and parity errors. A fault begins now or
 * at a tick, and is permanent or ends after a while.
 */
#ifndef TORUS_CORE_FAULT_H
#define TORUS_CORE_FAULT_H

#include "core/platform.h"
#include "core/error.h"

struct torus_snapshot;
struct torus_fabric;
struct torus_domain;
struct torus_event;
struct torus_link;

/* Bits of torus_fault.what: the fields that are set. */
#define TORUS_FAULT_STATE	(1u << 0)
#define TORUS_FAULT_BER		(1u << 1)
#define TORUS_FAULT_CORRUPT	(1u << 2)
#define TORUS_FAULT_ESCAPE	(1u << 3)
#define TORUS_FAULT_DROP_ACK	(1u << 4)
#define TORUS_FAULT_CORRUPT_ACK	(1u << 5)
#define TORUS_FAULT_DELAY	(1u << 6)
#define TORUS_FAULT_ECC_SINGLE	(1u << 7)
#define TORUS_FAULT_ECC_DOUBLE	(1u << 8)
#define TORUS_FAULT_PARITY	(1u << 9)
#define TORUS_FAULT_DROP_NACK	(1u << 10)

/* In torus_fault.what of a scheduled fault: it took effect when it was set. */
#define TORUS_FAULT_BEGUN	(1u << 31)

/* Mask of the faults that occur in the receiver, not in the sender. */
#define TORUS_FAULT_RECEIVER	(TORUS_FAULT_ECC_SINGLE | TORUS_FAULT_ECC_DOUBLE | \
				 TORUS_FAULT_PARITY)

/**
 * struct torus_fault - a fault to set on one or more links
 * @what: TORUS_FAULT_* bits: the fields to apply
 * @node: node of the sender, TORUS_NONE for all
 * @dir: direction, TORUS_NONE for all
 * @state: 1 up, 0 down
 * @corrupt: the next N packets get a wrong bit
 * @escape: the next N packets get an error that the packet CRC does not detect
 * @drop_ack: the next N acknowledgements are lost
 * @corrupt_ack: the next N acknowledgements arrive damaged
 * @drop_nack: the next N nacks are lost, on machines with nacks
 * @ecc_single: the next N packets that the receiver reads from the link's VC buffers
 *              have one wrong bit, which is corrected and counted
 * @ecc_double: the next N packets have two wrong bits, are detected and discarded
 * @parity: the next N packets have a parity error as they leave the buffer, and are discarded
 * @ber: bit-error rate in units of 2^-64
 * @delay: extra ticks for packets (not for acknowledgements), at most TORUS_DELAY_MAX
 * @at: tick at which the fault begins; 0 or a past tick: now
 * @lasts: ticks until state, ber and delay return to their permanent values; 0: permanent
 */
struct torus_fault {
	u32 what;
	u32 node;
	u32 dir;
	u32 state;
	u32 corrupt;
	u32 escape;
	u32 drop_ack;
	u32 corrupt_ack;
	u32 drop_nack;
	u32 ecc_single;
	u32 ecc_double;
	u32 parity;
	u64 ber;
	u64 delay;
	u64 at;
	u64 lasts;
};

#define TORUS_DELAY_MAX	(1u << 24)
#define TORUS_FAULTS_MAX 4096	/* maximum number of scheduled faults that have not ended */

/**
 * torus_fault_set() - set or schedule a fault
 * @f: the fabric; no run may be in progress
 * @fault: copied
 * @err: [out] error message
 *
 * Return: 0; -EINVAL for a node or direction outside the machine, @what without a fault, or a
 * state other than 0 and 1; -ERANGE for a delay or a tick that is too large; -EOPNOTSUPP if the
 * machine has no such fault; -ENOLINK if the given direction has no link; -ENOMEM; -ENOSPC.
 */
int torus_fault_set(struct torus_fabric *f, const struct torus_fault *fault,
		    struct torus_error *err);

/**
 * torus_fault_pending() - find the next scheduled fault that has not ended
 * @f: the fabric; no run may be in progress
 * @at: [in, out] index at which the search starts, at first 0
 * @fault: [out] the fault as it was set, with the tick at which it begins
 * @begun: [out] true if the fault is in effect
 *
 * Return: false if there are no more faults.
 */
bool torus_fault_pending(const struct torus_fabric *f, u32 *at, struct torus_fault *fault,
			 bool *begun);

int torus_fault_check(struct torus_fabric *f, const struct torus_fault *fault,
		      struct torus_error *err);
int torus_faults_alloc(struct torus_fabric *f, struct torus_error *err);
void torus_faults_resume(struct torus_fabric *f);

/* Begin or end a scheduled fault in domain @d. */
void torus_fault_fire(struct torus_domain *d, const struct torus_event *ev);

#endif
