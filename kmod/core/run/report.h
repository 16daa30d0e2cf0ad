/* SPDX-License-Identifier: GPL-2.0 */
/* Reports: counters of a fabric and of its links, and the state of a link. */
#ifndef TORUS_CORE_REPORT_H
#define TORUS_CORE_REPORT_H

#include "core/platform.h"

struct torus_arch;
struct torus_fabric;

/*
 * Report the counters of the whole fabric; all are 0 if memory is exhausted. No run may be in
 * progress, and all processes must call it. The two CRCs of a link are compared only if one process
 * has both of its ends.
 */
void torus_fabric_counters(struct torus_fabric *f, struct torus_fabric_counters *out);

/**
 * torus_drop_name() - return the name of a reason for which packets are dropped
 * @arch: the machine
 * @reason: TORUS_DROP_*, below TORUS_DROP_MAX
 *
 * Return: a name such as "hop_limit"; NULL if the machine has no such reason.
 */
const char *torus_drop_name(const struct torus_arch *arch, u32 reason);

/* Reset all counters to zero; the clock and packets in flight stay. No run may be in progress. */
void torus_fabric_counters_reset(struct torus_fabric *f);

/* Report the counters of one link. No run may be in progress. */
void torus_link_counters(struct torus_fabric *f, u32 node, u32 dir,
			 struct torus_link_counters *out);

/* Return only busy_ticks of torus_link_counters(). No run may be in progress. */
u64 torus_link_busy_ticks(struct torus_fabric *f, u32 node, u32 dir);

/**
 * struct torus_link_view - state of a link
 * @peer: node at the other end; TORUS_NONE if there is no link
 * @up: the link is not down
 * @ber: bit-error rate, in units of 2^-64
 * @delay: injected extra ticks
 * @corrupt: number of packets still to be damaged
 * @escape: number of packets still to be damaged in a way that the packet CRC does not detect
 * @drop_ack: number of acknowledgements still to be dropped
 * @drop_nack: number of nacks still to be dropped
 * @corrupt_ack: number of acknowledgements still to be damaged
 * @parked: the sender gave up until the link's state changes
 * @disabled: the sender starts no packet
 * @dead: the sender drops the packets that wait for the link
 * @no_resend: the sender retransmits no packet
 * @deaf: the receiver discards all packets
 * @loopback: the sender feeds its own node
 * @ecc_single: number of packets still to be read with a single-bit ECC error
 * @ecc_double: number of packets still to be read with a double-bit ECC error
 * @parity: number of packets still to be read with a parity error
 * @base_up: value of @up after the temporary faults that are in effect now
 * @base_ber: value of @ber after these faults
 * @base_delay: value of @delay after these faults
 * @tx_crc: link CRC of the sender
 * @rx_crc: link CRC of the receiver
 * @rest: no packet is between sender and receiver
 */
struct torus_link_view {
	u32 peer;
	bool up;
	bool parked;
	u64 ber;
	u64 delay;
	u32 corrupt;
	u32 escape;
	u32 drop_ack;
	u32 drop_nack;
	u32 corrupt_ack;
	u32 ecc_single;
	u32 ecc_double;
	u32 parity;
	bool disabled;
	bool dead;
	bool no_resend;
	bool deaf;
	bool loopback;
	bool base_up;
	u64 base_ber;
	u64 base_delay;
	u32 tx_crc;
	u32 rx_crc;
	bool rest;
};

void torus_link_view(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_view *out);

#endif /* TORUS_CORE_REPORT_H */
