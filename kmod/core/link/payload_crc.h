/* SPDX-License-Identifier: GPL-2.0 */
/* The effect of a packet's payload on the CRC-32s of links. */
#ifndef TORUS_CORE_LINK_PAYLOAD_CRC_H
#define TORUS_CORE_LINK_PAYLOAD_CRC_H

#include "core/link/link.h"

size_t torus_payloads_bytes(const struct torus_fabric *f);
int torus_payloads_init(struct torus_fabric *f);
void torus_payload_sum(struct torus_domain *d, const struct torus_packet *p);

/**
 * torus_payload_at() - return the offset of a packet's payload
 * @f: the fabric
 *
 * Return: length of the header in bytes, 0 if the machine's packets have no header. Links change
 * headers, but not payloads.
 */
torus_inline u32 torus_payload_at(const struct torus_fabric *f)
{
	return f->arch->image ? f->arch->header_bytes : 0;
}

/**
 * torus_payload_extend() - extend a CRC-32 by a packet's payload
 * @d: the packet's domain
 * @p: the packet, which has a body
 * @state: CRC state before the payload, usually that of the packet's header
 *
 * Return: the state after the payload, as torus_crc32_extend() returns it.
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
