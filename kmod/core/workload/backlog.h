/* SPDX-License-Identifier: GPL-2.0 */
/* Backlog: packets that sources have generated and not yet injected. */
#ifndef TORUS_CORE_WORKLOAD_BACKLOG_H
#define TORUS_CORE_WORKLOAD_BACKLOG_H

#include "core/workload/workload.h"

void torus_backlog_keep_counts(struct torus_fabric *f);
void torus_backlog_count(const struct torus_domain *d, u32 node, struct torus_backlog *arrivals);

#endif
