/* SPDX-License-Identifier: GPL-2.0 */
/* State of links, CRCs of both ends of links, and faults. */
#ifndef TORUS_NL_LINK_H
#define TORUS_NL_LINK_H

#include <stdbool.h>
#include "node.h"

/**
 * struct torus_nl_link - a directed link, or faults for links
 * @present: set of attributes that the module sent, or that a request sends; for TORUS_NL_HAS()
 * @node: number of the sending node
 * @dir: direction, 0 = x+, 1 = x- ..
 * @state: state of the link: 0 down, 1 up
 * @sender: state of the sender: 0 off (starts no packet), 1 on; in a request enum
 *    torus_sender_state
 * @ber: bit-error rate in units of 2^-64
 * @corrupt: number of following packets that get a wrong bit
 * @escape: number of following packets that get an error which the packet CRC does not detect
 * @drop_ack: number of following acknowledgements that are lost
 * @drop_nack: number of following nacks that are lost
 * @corrupt_ack: number of following acknowledgements that are corrupted
 * @ecc_single: number of following packets that the receiver reads with one wrong bit
 * @ecc_double: number of following packets that the receiver reads with two wrong bits
 * @parity: number of following packets that the receiver reads with wrong parity
 * @control: switches: TORUS_LINK_*
 * @delay_ticks: ticks added to the link's latency
 * @at_ticks: tick at which a fault takes effect
 * @for_ticks: duration of a fault in ticks
 * @has_base: true if temporary faults change @state, @ber or @delay_ticks now; then the next three
 *    fields are valid
 * @base_state: state of the link without the temporary faults
 * @base_ber: bit-error rate without them
 * @base_delay: added delay in ticks without them
 * @begun: true if the fault is in effect
 * @peer: number of the node at the other end
 * @tx_crc: the sender's 32-bit link CRC
 * @rx_crc: the receiver's 32-bit link CRC
 * @counters: see struct torus_link_counters
 */
struct torus_nl_link {
	torus_nl_set present;
	uint32_t node;
	uint32_t dir;
	uint32_t state;
	uint32_t sender;
	uint64_t ber;
	uint32_t corrupt;
	uint32_t escape;
	uint32_t drop_ack;
	uint32_t drop_nack;
	uint32_t corrupt_ack;
	uint32_t ecc_single;
	uint32_t ecc_double;
	uint32_t parity;
	uint32_t control;
	uint64_t delay_ticks;
	uint64_t at_ticks;
	uint64_t for_ticks;
	bool has_base;
	uint32_t base_state;
	uint64_t base_ber;
	uint64_t base_delay;
	bool begun;
	uint32_t peer;
	uint32_t tx_crc;
	uint32_t rx_crc;
	struct torus_link_counters counters;
};

/* Check whether a link is down, off, parked, or has a dead sender. */
static inline bool torus_nl_link_dead(const struct torus_nl_link *link)
{
	return !link->state || !link->sender ||
	       link->control & (TORUS_LINK_PARKED | TORUS_LINK_DEAD);
}

/* Return the state of a link's sender, as enum torus_sender_state. */
static inline uint32_t torus_nl_link_sender(const struct torus_nl_link *link)
{
	return link->control & TORUS_LINK_DEAD ? TORUS_SENDER_DEAD : link->sender;
}

void torus_nl_link_read(const struct torus_nl_reply *reply, struct torus_nl_link *link);
int torus_nl_link_parse(const struct torus_nl_reply *reply, void *item);
int torus_nl_link_get(struct torus_nl *nl, const char *fabric, uint32_t node, uint32_t dir,
		      struct torus_nl_link *link);
int torus_nl_link_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
		       struct torus_nl_link **links, size_t *count);
int torus_nl_link_dump_off(struct torus_nl *nl, const char *fabric, struct torus_nl_link **links,
			   size_t *count);
int torus_nl_link_dump_changed(struct torus_nl *nl, const char *fabric,
			       struct torus_nl_link **links, size_t *count);
int torus_nl_fault_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_link **faults,
			size_t *count);
int torus_nl_link_check(struct torus_nl *nl, const char *fabric, struct torus_nl_link **links,
			size_t *count);
int torus_nl_link_set(struct torus_nl *nl, const char *fabric, const struct torus_nl_link *link);

#endif /* TORUS_NL_LINK_H */
