/* SPDX-License-Identifier: GPL-2.0 */
/* Choose the route of a pair of nodes around dead nodes and links. */
#ifndef TORUS_ROUTE_SELECT_H
#define TORUS_ROUTE_SELECT_H

#include "path.h"

enum torus_route_class route_direct(struct torus_route_map *map, uint32_t from, uint32_t to,
				    uint32_t flags, struct torus_route_leg *leg);

#endif /* TORUS_ROUTE_SELECT_H */
