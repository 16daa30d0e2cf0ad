/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of the nodes' TNIs (Tofu's network interfaces). If a router has reception ports (PORTS),
 * port i and injection slot i form TNI i. The core counts the TNIs' packets with these functions;
 * the machine counts their other events.
 */
#ifndef TORUS_CORE_TNI_H
#define TORUS_CORE_TNI_H

#include "core/state/domain.h"

/* Get the counters of TNI @tni, below f->router->ports, of a node. */
torus_inline struct torus_tni_counters *torus_tni(const struct torus_domain *d, u32 node, u32 tni)
{
	return &d->tnis[(size_t)node * d->f->router->ports + tni];
}

/* Count a packet that a TNI sends into the network or to its own node. */
torus_inline void torus_tni_sent(struct torus_domain *d, u32 node, u32 tni,
				 const struct torus_packet *p)
{
	struct torus_tni_counters *c = torus_tni(d, node, tni);

	c->packets_sent++;
	c->bytes_sent += p->chunks * d->f->arch->chunk_bytes;
}

/*
 * Count a packet whose last byte a TNI has received; a packet that a link damaged is not counted.
 */
torus_inline void torus_tni_received(struct torus_domain *d, u32 node, u32 tni,
				     const struct torus_packet *p)
{
	struct torus_tni_counters *c = torus_tni(d, node, tni);

	if (torus_unlikely(p->flags & TORUS_PACKET_INVALID))
		return;
	c->packets_received++;
	c->bytes_received += p->chunks * d->f->arch->chunk_bytes;
}

/* Memory of the TNIs' counters, in bytes per node. */
size_t torus_tnis_node_bytes(const struct torus_router_ops *router);
int torus_tnis_init(struct torus_fabric *f);
void torus_tnis_clear(struct torus_fabric *f);
void torus_tnis_free(struct torus_fabric *f);

void torus_tni_counters(struct torus_fabric *f, u32 node, u32 tni,
			struct torus_tni_counters *out);

#endif
