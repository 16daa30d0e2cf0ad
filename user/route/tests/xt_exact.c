// SPDX-License-Identifier: GPL-2.0
/*
 * Follow each packet of each source separately. Find the largest set of channels that could
 * stay full indefinitely: a channel stays in the set while one of its packets wants another
 * channel of the set.
 *
 * To count pairs that no tables could connect, also try all moves of Abts et al. (2007), 2.2.1,
 * from each source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "xt_exact.h"

#define NOTHING	UINT32_MAX

struct xt_exact_wish {
	uint32_t holds;
	/* channel that the packet wants next; NOTHING if the packet leaves the network */
	uint32_t wants;
};

struct exact_packet {
	uint32_t node, in, vc, holds;
};

static uint32_t channel(uint32_t node, uint32_t port, uint32_t vc)
{
	return (node * 6 + port) * 2 + vc;
}

/* Move a packet over one link like the router. Return: false if the packet's path ends. */
static bool forward(const struct xt_tables *tables, struct exact_packet *packet, uint32_t dst,
		    struct xt_exact_wish *wish)
{
	const struct xt_map *map = tables->map;
	uint8_t entry = xt_tables_look(tables, packet->node, packet->in, xt_nid(map, dst));
	uint32_t port = entry & 7, vc = packet->vc;
	bool straight = packet->in < 6 && port == (packet->in ^ 1);

	*wish = (struct xt_exact_wish){ packet->holds, NOTHING };
	if (entry == 0xff || port >= 6 || port == packet->in ||
	    map->cable[packet->node][port] != XT_LIVE)
		return false;
	if (!straight)
		vc = entry >> 3 & 1;
	if (map->at[packet->node][port / 2] == tables->dateline[port / 2] && vc++)
		return false;
	packet->holds = channel(packet->node, port, vc);
	wish->wants = packet->holds;
	packet->node = map->next[packet->node][port];
	packet->in = port ^ 1;
	packet->vc = vc;
	return true;
}

/**
 * xt_exact_judge() - follow the packet of each pair and find channels that could be stuck
 */
struct xt_verdict xt_exact_judge(const struct xt_tables *tables)
{
	uint32_t nodes = tables->map->nodes, channels = nodes * 12, src, dst, i;
	struct xt_verdict verdict = { 0, channels };
	size_t count = 0, room = 1024, at;
	struct xt_exact_wish *wishes = malloc(room * sizeof(*wishes));
	uint8_t *stuck = malloc(channels), *stays = malloc(channels);
	bool changed = true;

	assert_true(wishes && stuck && stays);
	for (dst = 0; dst < nodes; dst++)
		for (src = 0; src < nodes; src++) {
			struct exact_packet packet = { src, XT_PROCESSOR, 0, NOTHING };
			uint32_t hops = 0;
			bool on;

			do {
				if (count == room) {
					room *= 2;
					wishes = realloc(wishes, room * sizeof(*wishes));
					assert_non_null(wishes);
				}
				on = forward(tables, &packet, dst, &wishes[count]);
				count += wishes[count].holds != NOTHING;
			} while (on && ++hops < 7 * nodes);
			verdict.reached += src != dst && packet.node == dst;
		}
	memset(stuck, 1, channels);
	while (changed) {
		memset(stays, 0, channels);
		for (at = 0; at < count; at++)
			if (wishes[at].wants != NOTHING && stuck[wishes[at].wants])
				stays[wishes[at].holds] = 1;
		changed = memcmp(stays, stuck, channels) != 0;
		memcpy(stuck, stays, channels);
	}
	for (verdict.stuck = 0, i = 0; i < channels; i++)
		verdict.stuck += stuck[i];
	free(wishes);
	free(stuck);
	free(stays);
	return verdict;
}

/*
 * Check whether a packet may make a move, and update its freedom, the dimensions in which it may
 * still move. @freedom: 0: x, y and z; 1: y and z; 2: z only.
 */
static bool move(const struct xt_map *map, const uint32_t *dateline, const uint8_t *dodge,
		 uint32_t node, uint32_t port, uint32_t *freedom)
{
	const uint16_t *at = map->at[node];

	if (port / 2 < *freedom)
		return false;
	/*
	 * A packet in the row that dodges may move down and then in x. One that enters the row from
	 * below may no longer move in x.
	 */
	if (port == XT_YM && !*freedom && dodge[at[2]] && at[1] == map->dims[1] - 1)
		return true;
	if (port == XT_YP && !*freedom && dodge[at[2]] && at[1] + 2u == map->dims[1])
		*freedom = 1;
	if ((port == XT_YM || (port == XT_YP && at[1] == dateline[1])) && *freedom < 1)
		*freedom = 1;
	if (port == XT_ZM || (port == XT_ZP && at[2] == dateline[2]))
		*freedom = 2;
	return true;
}

/**
 * xt_exact_unreachable() - count the pairs without a legal path
 * @map: the machine, of one region
 * @dodge: by z: true if packets of the top row of a mesh may dodge into the row below
 */
uint64_t xt_exact_unreachable(const struct xt_map *map, const uint32_t *dateline,
			      const uint8_t *dodge)
{
	uint32_t states = map->nodes * 7 * 3, src, head, tail, i, port;
	uint32_t *queue = malloc(states * sizeof(*queue));
	uint8_t *seen = malloc(states), *there = malloc(map->nodes);
	uint64_t missed = 0;

	assert_true(queue && seen && there);
	for (src = 0; src < map->nodes; src++) {
		memset(seen, 0, states);
		memset(there, 0, map->nodes);
		queue[0] = (src * 7 + 6) * 3;
		for (head = 0, tail = 1; head < tail; head++) {
			uint32_t in = queue[head] / 3 % 7, node = queue[head] / 21;

			there[node] = 1;
			for (port = 0; port < 6; port++) {
				uint32_t freedom = queue[head] % 3, next;

				if (port == in || map->cable[node][port] != XT_LIVE ||
				    !move(map, dateline, dodge, node, port, &freedom))
					continue;
				next = (map->next[node][port] * 7 + (port ^ 1)) * 3 + freedom;
				if (!seen[next])
					queue[tail++] = next;
				seen[next] = 1;
			}
		}
		for (i = 0; i < map->nodes; i++)
			missed += !there[i];
	}
	free(queue);
	free(seen);
	free(there);
	return missed;
}
