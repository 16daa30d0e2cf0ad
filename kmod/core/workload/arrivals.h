/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of packets that sources have generated, and that wait there. */
#ifndef TORUS_CORE_WORKLOAD_ARRIVALS_H
#define TORUS_CORE_WORKLOAD_ARRIVALS_H

#include "core/workload/workload.h"

void torus_arrivals_follow(struct torus_fabric *f);
void torus_arrivals_count(const struct torus_domain *d, u32 node, struct torus_arrivals *arrivals);

#endif
