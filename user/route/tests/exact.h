/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Independent check of route choices: enumerate all states of all packets in use, and find the
 * largest set of VCs that could stay full indefinitely.
 */
#ifndef TORUS_ROUTE_TESTS_EXACT_H
#define TORUS_ROUTE_TESTS_EXACT_H

#include "../select.h"

struct exact;

struct exact *exact_new(struct torus_route_map *map);
void exact_free(struct exact *exact);
void exact_clear(struct exact *exact);

/*
 * Add the packets that go from one node to another with these hints. Return: false if such a packet
 * could be trapped; then none is added.
 */
bool exact_add(struct exact *exact, uint32_t from, uint32_t to, uint8_t hints, bool dynamic);

/*
 * Return the number of VCs that could all stay full indefinitely, or 0 if no deadlock is possible.
 */
uint32_t exact_deadlocked(struct exact *exact);

#endif
