/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables that wait for their tick; who loads them sees run/fabric.h. */
#ifndef TORUS_CORE_ROUTES_H
#define TORUS_CORE_ROUTES_H

#include "core/env.h"

struct torus_fabric;

u64 torus_routes_next(const struct torus_fabric *f);
u64 torus_routes_mark(const struct torus_fabric *f);
void torus_routes_turn(struct torus_fabric *f);
void torus_routes_forget(struct torus_fabric *f);

#endif
