/* SPDX-License-Identifier: GPL-2.0 */
/* CRCs of the bytes on a link: computed and checked. Bit errors of faults. */
#ifndef TORUS_CORE_LINK_CORRUPTION_H
#define TORUS_CORE_LINK_CORRUPTION_H

#include "core/link/link.h"
#include "core/link/internal.h"
#include "core/link/capture.h"

int torus_link_crcs_init(struct torus_fabric *f);
u32 torus_link_crc_at(const struct torus_fabric *f, u32 node, u32 dir, bool receiver);
void torus_link_crc_clear(struct torus_fabric *f, u32 node, u32 dir, bool receiver);
void torus_link_crc(struct torus_domain *d, u32 node, u32 dir, u32 pkt, bool receiver);

u64 torus_link_error_gap(struct torus_link *l);
bool torus_link_draw_errors(struct torus_link *l, u64 bits, u8 *bytes);
bool torus_link_corrupt(struct torus_domain *d, u32 node, u32 dir, struct torus_packet *p,
			bool again);

u32 torus_link_wire_image(struct torus_domain *d, const struct torus_packet *p, u32 seq, u8 *bytes);

#endif
