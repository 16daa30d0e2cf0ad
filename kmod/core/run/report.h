/* SPDX-License-Identifier: GPL-2.0 */
/* Reports: counters of a fabric and of its links, and a link as it stands. */
#ifndef TORUS_CORE_REPORT_H
#define TORUS_CORE_REPORT_H

#include "core/env.h"

struct torus_arch;
struct torus_fabric;

/*
 * Counters of the whole fabric (held); all processes call it.  CRCs are compared where one process
 * has both ends of a link.
 */
void torus_fabric_counters(struct torus_fabric *f, struct torus_fabric_counters *out);

/**
 * torus_drop_name() - a reason why packets are dropped, by name
 * @arch: the machine
 * @reason: TORUS_DROP_*, below TORUS_DROP_MAX
 *
 * Return: "hop_limit" and so on, NULL where the machine has no such reason.
 */
const char *torus_drop_name(const struct torus_arch *arch, u32 reason);

/* Counters to zero (held); the clock and what is in flight stay. */
void torus_fabric_counters_reset(struct torus_fabric *f);

/* Counters of one link (held). */
void torus_link_counters(struct torus_fabric *f, u32 node, u32 dir,
			 struct torus_link_counters *out);

/* Of these busy_ticks alone (held). */
u64 torus_link_busy_ticks(struct torus_fabric *f, u32 node, u32 dir);

/**
 * struct torus_link_view - a link as it stands
 * @peer: node at the other end, TORUS_NONE when there is no link
 * @up: state
 * @ber: bit-error rate, units of 2^-64
 * @delay: extra ticks
 * @corrupt: packets still to be corrupted, likewise the others
 * @parked: the sender has given up until the link's state changes
 * @disabled: the sender starts no packet
 * @dead: and drops what it holds
 * @no_resend: nor sends one again
 * @deaf: the receiver takes nothing
 * @loopback: the sender feeds its own node
 * @ecc_single: packets still to be read with such an error, likewise the others
 * @base_up: state when no fault lasts
 * @base_ber: rate then
 * @base_delay: delay then
 * @tx_crc: sender's link CRC
 * @rx_crc: receiver's
 * @rest: no packet is between the two
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
