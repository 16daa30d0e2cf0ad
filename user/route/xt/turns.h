/* SPDX-License-Identifier: GPL-2.0 */
/* Check which moves of a packet may follow each other. */
#ifndef TORUS_ROUTE_XT_TURNS_H
#define TORUS_ROUTE_XT_TURNS_H

#include "next_hops.h"

enum xt_rule xt_turn_allowed(const struct xt_route *route, uint32_t node, uint32_t dir,
			     uint32_t class, uint32_t then);

#endif
