/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the link protocol share; link.h is what others see. */
#ifndef TORUS_CORE_LINK_PARTS_H
#define TORUS_CORE_LINK_PARTS_H

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

/* damage.c */
u64 torus_link_error_gap(struct torus_link *l);
bool torus_link_draw_errors(struct torus_link *l, u64 bits, u8 *bytes);
bool torus_link_damage(struct torus_domain *d, u32 node, u32 dir, struct torus_packet *p,
		       bool again);

/* link.c */
u64 torus_link_timeout(struct torus_domain *d, u32 node, u32 dir);
void torus_link_arm_timer(struct torus_domain *d, u32 node, u32 dir, u64 deadline);
void torus_link_start_resend(struct torus_domain *d, u32 node, u32 dir);
void torus_link_token_now(struct torus_domain *d, u32 node, u32 dir, u32 vc, u32 tokens);

/* receive.c */
void torus_link_on_tail(struct torus_domain *d, const struct torus_event *ev);

#endif
