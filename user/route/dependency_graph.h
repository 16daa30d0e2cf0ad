/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The extended dependency check: finds out whether packets can wait for each other in a
 * cycle.
 */
#ifndef TORUS_ROUTE_DEPENDENCY_GRAPH_H
#define TORUS_ROUTE_DEPENDENCY_GRAPH_H

#include "path.h"

/**
 * struct route_cdg - waits of the packets in use, and the memory of the check
 * @waits: by node and by dimension of the dead escape link: mask of the links whose dynamic VCs
 *    packets may wait for, one bit per direction
 * @used: list of the nodes with waits
 * @nused: number of entries in @used
 * @degree: scratch, one entry per vertex: number of edges that lead to it
 * @queue: scratch, one entry per vertex: vertices that were removed, then those to be removed next
 */
struct route_cdg {
	struct torus_route_map *map;
	uint8_t *waits;
	uint32_t *used;
	uint32_t nused;
	uint32_t *degree;
	uint32_t *queue;
};

int route_cdg_init(struct route_cdg *depend, struct torus_route_map *map);
void route_cdg_free(struct route_cdg *depend);
void route_cdg_clear(struct route_cdg *depend);
void route_cdg_add(struct route_cdg *depend, uint32_t from, uint32_t to, uint8_t hints);
void route_cdg_wait(struct route_cdg *depend, uint32_t node, uint32_t dim, uint32_t dirs);
bool route_cdg_acyclic(struct route_cdg *depend, struct route_link *left);

#endif /* TORUS_ROUTE_DEPENDENCY_GRAPH_H */
