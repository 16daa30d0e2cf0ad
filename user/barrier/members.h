/* SPDX-License-Identifier: GPL-2.0 */
/* Setup of all members of a barrier: nodes, gates and chain. */
#ifndef TORUS_BARRIER_MEMBERS_H
#define TORUS_BARRIER_MEMBERS_H

#include "member.h"

int barrier_members_begin(struct barrier_members *members, const struct barrier_plan *plan,
			  enum barrier_by by, struct torus_fabric *fabric);
void barrier_members_end(struct barrier_members *members);

#endif
