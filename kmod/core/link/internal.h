/* SPDX-License-Identifier: GPL-2.0 */
/* Private declarations of the link protocol; link.h is its interface. */
#ifndef TORUS_CORE_LINK_INTERNAL_H
#define TORUS_CORE_LINK_INTERNAL_H

#include "core/link/link.h"

torus_inline u32 torus_link_packet_bytes(const struct torus_fabric *f, const struct torus_packet *p)
{
	return p->chunks * f->arch->chunk_bytes;
}

torus_inline u32 torus_link_wire_ticks(const struct torus_fabric *f, const struct torus_packet *p)
{
	return p->chunks * f->arch->ticks_per_chunk + f->overhead_ticks;
}

torus_inline bool torus_link_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

#endif
