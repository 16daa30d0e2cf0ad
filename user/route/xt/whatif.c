// SPDX-License-Identifier: GPL-2.0
/* Compare the paths of all pairs by two sets of tables. */
#include <errno.h>
#include <stdlib.h>
#include "survey.h"
#include "whatif.h"

/* State of a packet on its path. Only the outputs are compared, so the VC is not stored. */
struct whatif_packet {
	const struct xt_tables *tables;
	uint32_t node;
	uint32_t in;
	uint32_t hops;
	uint32_t port;
	bool reached;
};

/*
 * Move a packet over one link and count it. Return: false if the packet has reached the end of its
 * path.
 */
static bool go(struct whatif_packet *packet, uint32_t dst, uint32_t nid, uint32_t *load)
{
	const struct xt_map *map = packet->tables->map;

	if (packet->node == dst) {
		packet->reached = true;
		return false;
	}
	packet->port = XT_ENTRY_PORT(xt_tables_look(packet->tables, packet->node, packet->in,
						    nid));
	if (packet->port >= XT_PROCESSOR || packet->port == packet->in ||
	    !xt_live(map, packet->node, packet->port) ||
	    packet->hops >= map->nodes * XT_PORTS)
		return false;
	load[packet->node * XT_DIRS + packet->port]++;
	packet->node = map->next[packet->node][packet->port];
	packet->in = XT_REVERSE(packet->port);
	packet->hops++;
	return true;
}

static void whatif_compare(struct xt_whatif *whatif, const struct xt_tables *before,
			   const struct xt_tables *after, uint32_t src, uint32_t dst,
			   uint32_t *loads)
{
	struct whatif_packet a = { .tables = before, .node = src, .in = XT_PROCESSOR }, b = a;
	uint32_t nid = xt_nid(before->map, dst);
	uint32_t *other = loads + before->map->nodes * XT_DIRS;
	bool same = true, on_a = true, on_b = true;

	b.tables = after;
	while (on_a || on_b) {
		on_a = on_a && go(&a, dst, nid, loads);
		on_b = on_b && go(&b, dst, nid, other);
		same = same && on_a == on_b && a.node == b.node && a.in == b.in;
	}
	whatif->pairs++;
	whatif->lost += a.reached && !b.reached;
	whatif->gained += b.reached && !a.reached;
	if (!a.reached || !b.reached)
		return;
	whatif->moved += !same;
	whatif->longer += b.hops > a.hops;
}

/**
 * xt_whatif_run() - compare two sets of tables of one shape, pair by pair
 * @whatif: [out] the differences
 * @before: the first set
 * @after: the second set
 *
 * Return: 0, -ENOMEM.
 */
int xt_whatif_run(struct xt_whatif *whatif, const struct xt_tables *before,
		  const struct xt_tables *after)
{
	uint32_t nodes = before->map->nodes, src, dst, i, links = nodes * XT_DIRS;
	uint32_t *loads = calloc(2 * (size_t)links, sizeof(*loads));

	*whatif = (struct xt_whatif){ .pairs = 0 };
	if (!loads)
		return -ENOMEM;
	for (dst = 0; dst < nodes; dst++)
		for (src = 0; src < nodes; src++)
			if (src != dst)
				whatif_compare(whatif, before, after, src, dst, loads);
	for (i = 0; i < 2 * links; i++) {
		uint32_t which = i / links, link = i % links;

		if (loads[i] <= whatif->packets[which])
			continue;
		whatif->packets[which] = loads[i];
		whatif->busiest[which] = (struct xt_link){ .node = link / XT_DIRS,
							   .dir = link % XT_DIRS };
	}
	free(loads);
	return 0;
}
