/* SPDX-License-Identifier: GPL-2.0 */
/* Check the box of a dynamic packet: the nodes that the packet may visit on its way. */
#ifndef TORUS_ROUTE_ADAPTIVE_CHECK_H
#define TORUS_ROUTE_ADAPTIVE_CHECK_H

#include "path.h"

bool route_box_clean(const struct torus_route_map *map, const struct route_path *way);
enum route_fate route_dynamic(struct torus_route_map *map, const struct route_path *way,
			      struct route_link *dead);

bool route_in_box(const struct torus_route_map *map, const struct route_path *way,
		  const uint32_t *at, uint32_t *done);
uint32_t route_remaining(const struct route_path *way, const uint32_t *done);
uint32_t route_waits(const struct torus_route_map *map, const struct route_path *way, uint32_t node,
		     const uint32_t *at, uint32_t remaining);

#endif
