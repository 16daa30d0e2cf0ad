/* SPDX-License-Identifier: GPL-2.0 */
/* Find a cycle of channels that wait for each other. */
#ifndef TORUS_ROUTE_XT_CYCLE_H
#define TORUS_ROUTE_XT_CYCLE_H

#include "check.h"

uint32_t xt_cycle_find(const struct xt_map *map, const uint16_t *waits, uint32_t *work,
		       struct xt_channel *path);

#endif
