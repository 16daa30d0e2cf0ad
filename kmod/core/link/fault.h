/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults of links: a state, a bit-error rate, damage to the next N packets or
 * acknowledgements, extra delay; now or at a tick, for good or for a while.
 */
#ifndef TORUS_CORE_FAULT_H
#define TORUS_CORE_FAULT_H

#include "core/env.h"
#include "core/error.h"

struct torus_snapshot;
struct torus_fabric;
struct torus_domain;
struct torus_event;
struct torus_link;

/* Which fields of struct torus_fault are meant. */
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

/* Of a scheduled one: it took effect when it was set. */
#define TORUS_FAULT_BEGUN	(1u << 31)

/* Those that happen in the receiver, at the link's far end. */
#define TORUS_FAULT_RECEIVER	(TORUS_FAULT_ECC_SINGLE | TORUS_FAULT_ECC_DOUBLE | \
				 TORUS_FAULT_PARITY)

/**
 * struct torus_fault - what shall become of links
 * @what: TORUS_FAULT_* bits
 * @node: node of the sender, TORUS_NONE for all
 * @dir: direction, TORUS_NONE for all
 * @state: 1 up, 0 down
 * @corrupt: the next N packets get a wrong bit
 * @escape: the next N packets get an error that CRC-24 does not see
 * @drop_ack: the next N acknowledgements are lost
 * @corrupt_ack: the next N arrive corrupted
 * @drop_nack: the next N nacks are lost, where links have them
 * @ecc_single: the next N packets that the receiver reads from the link's VC buffers
 *              have one wrong bit: corrected, and counted
 * @ecc_double: two: found, and discarded
 * @parity: a wrong parity on their way out of it: likewise
 * @ber: bit-error rate in units of 2^-64
 * @delay: extra ticks for packets (not for acknowledgements), at most TORUS_DELAY_MAX
 * @at: tick when it takes effect; 0 or past: now
 * @lasts: ticks until state, ber and delay return to what they were; 0: for good
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
#define TORUS_FAULTS_MAX 4096	/* scheduled and not yet undone */

/**
 * torus_fault_set() - set or schedule a fault
 * @f: the fabric, held
 * @fault: copied
 * @err: why not
 *
 * Return: 0, -EINVAL for a node, direction or value outside the machine,
 * -ENOLINK where the named direction has no link, -ENOMEM, -ENOSPC.
 */
int torus_fault_set(struct torus_fabric *f, const struct torus_fault *fault,
		    struct torus_error *err);

/**
 * torus_fault_pending() - the next scheduled fault that is not over yet
 * @f: the fabric, held
 * @at: where to look, from 0; out: where to go on
 * @fault: out: as it was set
 * @begun: out: it is in effect
 *
 * Return: false if there is none left.
 */
bool torus_fault_pending(const struct torus_fabric *f, u32 *at, struct torus_fault *fault,
			 bool *begun);

int torus_fault_check(struct torus_fabric *f, const struct torus_fault *fault,
		      struct torus_error *err);
int torus_faults_room(struct torus_fabric *f, struct torus_error *err);
void torus_faults_resume(struct torus_fabric *f);

/* A scheduled fault begins or ends in domain @d. */
void torus_fault_fire(struct torus_domain *d, const struct torus_event *ev);

#endif
