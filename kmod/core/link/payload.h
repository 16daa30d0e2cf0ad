/* SPDX-License-Identifier: GPL-2.0 */
/* A packet's payload, as CRC-32s over links cover it. */
#ifndef TORUS_CORE_LINK_PAYLOAD_H
#define TORUS_CORE_LINK_PAYLOAD_H

#include "core/link/link.h"

size_t torus_payloads_bytes(const struct torus_fabric *f);
int torus_payloads_init(struct torus_fabric *f);
void torus_payload_sum(struct torus_domain *d, const struct torus_packet *p);

/**
 * torus_payload_at() - where what a packet carries begins
 * @f: the fabric
 *
 * Return: bytes of the header, which links change; 0 where there is none.
 */
torus_inline u32 torus_payload_at(const struct torus_fabric *f)
{
	return f->arch->image ? f->arch->header_bytes : 0;
}

/**
 * torus_payload_extend() - a CRC-32 over what a packet carries
 * @d: its domain
 * @p: the packet, which has a body
 * @state: of what stands before it, the packet's header as a rule
 *
 * Return: the state behind it, as torus_crc32_extend() would give.
 */
torus_inline u32 torus_payload_extend(struct torus_domain *d, const struct torus_packet *p,
				      u32 state)
{
	const struct torus_body *body = torus_body_at(&d->bodies, p->body);

	if (!body->summed)
		torus_payload_sum(d, p);
	return torus_crc32_zeros(&d->f->payload_zeros[p->chunks], state) ^ body->sum;
}

#endif
