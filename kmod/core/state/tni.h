/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the network interfaces of a node count: where a router has reception ports (PORTS), port
 * i and injection slot i are TNI i, Tofu's word for them.  Packets are counted here, where they
 * pass it; a machine counts what else its TNIs do.
 */
#ifndef TORUS_CORE_TNI_H
#define TORUS_CORE_TNI_H

#include "core/state/domain.h"

/* Counters of a TNI of a node, below f->router->ports. */
torus_inline struct torus_tni_counters *torus_tni(const struct torus_domain *d, u32 node, u32 tni)
{
	return &d->tnis[(size_t)node * d->f->router->ports + tni];
}

/* A packet enters the network, or goes round to the own node, by a TNI. */
torus_inline void torus_tni_sent(struct torus_domain *d, u32 node, u32 tni,
				 const struct torus_packet *p)
{
	struct torus_tni_counters *c = torus_tni(d, node, tni);

	c->packets_sent++;
	c->bytes_sent += p->chunks * d->f->arch->chunk_bytes;
}

/* The last byte of a packet that no link has damaged comes in by a TNI. */
torus_inline void torus_tni_received(struct torus_domain *d, u32 node, u32 tni,
				     const struct torus_packet *p)
{
	struct torus_tni_counters *c = torus_tni(d, node, tni);

	if (torus_unlikely(p->flags & TORUS_PACKET_INVALID))
		return;
	c->packets_received++;
	c->bytes_received += p->chunks * d->f->arch->chunk_bytes;
}

/* Bytes a node that the counters of a router's TNIs take. */
size_t torus_tnis_node_bytes(const struct torus_router_ops *router);
int torus_tnis_init(struct torus_fabric *f);
void torus_tnis_clear(struct torus_fabric *f);
void torus_tnis_free(struct torus_fabric *f);

void torus_tni_counters(struct torus_fabric *f, u32 node, u32 tni,
			struct torus_tni_counters *out);

#endif
