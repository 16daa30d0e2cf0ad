/* SPDX-License-Identifier: GPL-2.0 */
/* A packet on a link as whoever records packets has it. */
#ifndef TORUS_CORE_WIRE_H
#define TORUS_CORE_WIRE_H

#include "core/state/domain.h"

/* Of an image: a link has none so long; the longest packet, its trailer and its valid byte. */
#define TORUS_WIRE_BYTES	TORUS_SCRATCH_BYTES

bool torus_wire_is(struct torus_domain *d, u32 what, u32 node, u32 dir);
void torus_wire_record(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
		       const struct torus_packet *p, struct torus_wire *wire, u8 *bytes);

#endif
