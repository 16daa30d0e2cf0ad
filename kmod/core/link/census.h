/* SPDX-License-Identifier: GPL-2.0 */
/* The part of the census for live links: packets in resend FIFOs, and tokens in lost messages. */
#ifndef TORUS_CORE_LINK_CENSUS_H
#define TORUS_CORE_LINK_CENSUS_H

#include "core/link/link.h"

int torus_links_exchange(struct torus_fabric *f);

void torus_link_census(struct torus_check *c, struct torus_domain *d, u32 node, u32 dir, u32 peer);

#endif
