/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of a domain: allocate, copy, free them, and get their bytes. */
#ifndef TORUS_CORE_PACKETS_H
#define TORUS_CORE_PACKETS_H

#include "core/state/domain.h"

/* Free a packet and its reference to the body. */
torus_inline void torus_packet_free(struct torus_domain *d, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);

	if (torus_unlikely(p->body != TORUS_NONE))
		torus_bodies_put(&d->bodies, p->body);
	torus_pool_put(&d->pool, pkt);
}

/*
 * Number of packets that a FIFO group may always have in flight, even if memory is scarce. While it
 * is scarce, the group's other packets wait in their ring (not in virtual time).
 */
#define TORUS_PACKETS_KEPT	32u

bool torus_packets_supply(struct torus_domain *d, bool kept);
bool torus_packets_waited(struct torus_domain *d);
u32 torus_packet_clone(struct torus_domain *d, u32 pkt);
void torus_packets_uncount(struct torus_fabric *f);
void torus_packets_widen(struct torus_fabric *f);
u32 torus_packet_widen(struct torus_domain *d, u32 pkt);

/* Get the bytes of a packet as software sees them; the bytes of a synthetic packet are computed. */
void torus_packet_bytes(struct torus_domain *d, const struct torus_packet *p, u8 *bytes);
const u8 *torus_packet_last(struct torus_domain *d, const struct torus_packet *p);

#endif /* TORUS_CORE_PACKETS_H */
