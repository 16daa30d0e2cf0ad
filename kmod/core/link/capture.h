/* SPDX-License-Identifier: GPL-2.0 */
/* Capture records of packets on links: struct torus_wire and the bytes. */
#ifndef TORUS_CORE_LINK_CAPTURE_H
#define TORUS_CORE_LINK_CAPTURE_H

#include "core/state/domain.h"

/* Maximum bytes of a record: the longest packet, its trailer and its valid byte. */
#define TORUS_LINK_CAPTURE_BYTES	TORUS_SCRATCH_BYTES

bool torus_link_capture_wanted(struct torus_domain *d, u32 what, u32 node, u32 dir);
void torus_link_capture_record(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			       const struct torus_packet *p, struct torus_wire *wire, u8 *bytes);

#endif
