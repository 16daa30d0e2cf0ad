/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the choices are held to, worked out in another way: every state that every
 * packet in use can come to, one by one, and the largest set of VCs that could be
 * full for good.
 */
#ifndef TORUS_ROUTE_TESTS_EXACT_H
#define TORUS_ROUTE_TESTS_EXACT_H

#include "../choose.h"

struct exact;

struct exact *exact_new(struct torus_route_map *map);
void exact_free(struct exact *exact);
void exact_clear(struct exact *exact);

/* Packets of this kind are in use; false, and they are not, if one would be trapped. */
bool exact_add(struct exact *exact, uint32_t from, uint32_t to, uint8_t hints, bool dynamic);

/* VCs that could be full for good, all at once: 0 means that there is no deadlock. */
uint32_t exact_deadlocked(struct exact *exact);

#endif
