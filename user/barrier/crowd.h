/* SPDX-License-Identifier: GPL-2.0 */
/* All members of a barrier: nodes, gates, chains. */
#ifndef TORUS_BARRIER_CROWD_H
#define TORUS_BARRIER_CROWD_H

#include "member.h"

int barrier_crowd_begin(struct barrier_crowd *crowd, const struct barrier_plan *plan,
			enum barrier_by by, struct torus_fabric *fabric);
void barrier_crowd_end(struct barrier_crowd *crowd);

#endif
