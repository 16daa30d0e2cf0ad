// SPDX-License-Identifier: GPL-2.0
/*
 * Follow the packets of each pair of nodes through the tables, one destination after the other.
 *
 * A state is a node, the input by which a packet arrived, and the packet's VC. Packets of
 * several sources that meet in a state have the same path from there. So each state is followed
 * once, and its packets are counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "cycle.h"
#include "trace_packet.h"

static const char *const end_names[XT_ENDS] = {
	[XT_END_REACHED] = "reached",
	[XT_END_LOOP] = "loop",
	[XT_END_TURN_BACK] = "turn_back",
	[XT_END_DATELINE] = "dateline_error",
	[XT_END_MISSING] = "missing",
	[XT_END_CABLE] = "dead_cable",
	[XT_END_STRANGER] = "wrong_node",
};

/**
 * xt_end_name() - get the name of the way in which a packet ends
 */
const char *xt_end_name(enum xt_end end)
{
	return end_names[end];
}

/**
 * xt_check_init() - allocate the memory of a check
 * @check: [out] freed with xt_check_free() after success
 * @map: machine; the check can be used for all machines of this shape
 *
 * Return: 0, -ENOMEM.
 */
int xt_check_init(struct xt_check *check, const struct xt_map *map)
{
	size_t states = (size_t)map->nodes * XT_PORTS * XT_VCS;
	size_t channels = (size_t)map->nodes * XT_DIRS * XT_VCS;
	struct xt_check_state *state = calloc(1, sizeof(*state));

	*check = (struct xt_check){ .state = state };
	if (!state)
		return -ENOMEM;
	state->seen = malloc(states * sizeof(*state->seen));
	state->next = malloc(states * sizeof(*state->next));
	state->count = malloc(states * sizeof(*state->count));
	state->order = malloc(states * sizeof(*state->order));
	state->starts = malloc((map->nodes + 1) * sizeof(*state->starts));
	state->waits = malloc(channels * sizeof(*state->waits));
	state->work = malloc(2 * channels * sizeof(*state->work));
	check->path = malloc(channels * sizeof(*check->path));
	check->load = malloc(map->nodes * sizeof(*check->load));
	if (state->seen && state->next && state->count && state->order && state->starts &&
	    state->waits && state->work && check->path && check->load)
		return 0;
	xt_check_free(check);
	return -ENOMEM;
}

/**
 * xt_check_free() - free the memory of a check
 */
void xt_check_free(struct xt_check *check)
{
	struct xt_check_state *state = check->state;

	if (!state)
		return;
	free(state->seen);
	free(state->next);
	free(state->count);
	free(state->order);
	free(state->starts);
	free(state->waits);
	free(state->work);
	free(state);
	free(check->path);
	free(check->load);
	*check = (struct xt_check){ .state = NULL };
}

/*
 * Move a packet over one hop as the router does. Return: XT_ON_THE_WAY with the next state in
 * state->next, or the way in which the packet ends.
 */
static enum xt_end hop(struct xt_check *check, const struct xt_tables *tables, uint32_t at,
		       uint32_t dest, uint32_t nid)
{
	const struct xt_map *map = tables->map;
	struct xt_check_state *state = check->state;
	uint32_t node = at / (XT_PORTS * XT_VCS), in = at / XT_VCS % XT_PORTS, vc = at % XT_VCS;
	uint8_t entry = xt_tables_look(tables, node, in, nid);
	uint32_t port = XT_ENTRY_PORT(entry);

	if (entry == XT_MISSING || port > XT_PROCESSOR)
		return XT_END_MISSING;
	if (port == XT_PROCESSOR)
		return node == dest ? XT_END_REACHED : XT_END_STRANGER;
	if (port == in)
		return XT_END_TURN_BACK;
	if (!xt_live(map, node, port))
		return XT_END_CABLE;
	if (port != XT_REVERSE(in) || in == XT_PROCESSOR)
		vc = XT_ENTRY_VC(entry);
	if (map->at[node][XT_DIM(port)] == tables->dateline[XT_DIM(port)]) {
		if (vc)
			return XT_END_DATELINE;
		vc = 1;
	}
	state->seen[at].out = (uint8_t)(port * XT_VCS + vc);
	if (in != XT_PROCESSOR)
		state->waits[XT_CHANNEL(node, in, at % XT_VCS)] |= 1u << (port * XT_VCS + vc);
	state->next[at] = XT_STATE(map->next[node][port], XT_REVERSE(port), vc);
	return XT_ON_THE_WAY;
}

/**
 * xt_follow() - follow a packet until it ends or reaches a state that was followed before
 * @at: the packet's current state
 * @tail: [in, out] number of states of this destination in check->state->order
 *
 * All states on the way get the same result.
 *
 * Return: the way in which the packet ends.
 */
enum xt_end xt_follow(struct xt_check *check, const struct xt_tables *tables, uint32_t at,
		      uint32_t dest, uint32_t *tail)
{
	struct xt_check_state *state = check->state;
	uint32_t nid = xt_nid(tables->map, dest), first = *tail, i;
	enum xt_end end;

	for (;;) {
		if (state->seen[at].dest == dest) {
			end = state->seen[at].end == XT_ON_THE_WAY ? XT_END_LOOP :
			      (enum xt_end)state->seen[at].end;
			break;
		}
		state->seen[at].dest = dest;
		state->count[at] = 0;
		state->order[(*tail)++] = at;
		end = hop(check, tables, at, dest, nid);
		state->seen[at].end = (uint8_t)end;
		if (end != XT_ON_THE_WAY) {
			state->next[at] = XT_NONE;
			break;
		}
		at = state->next[at];
	}
	for (i = first; i < *tail; i++)
		state->seen[state->order[i]].end = (uint8_t)end;
	return end;
}

/*
 * Count the packets on each link. The path of a later source ends where it joins the path of an
 * earlier source. So add up the packets from the last source to the first.
 */
static void count(struct xt_check *check, uint32_t nodes)
{
	struct xt_check_state *state = check->state;
	uint32_t src, i;

	for (src = nodes; src--;) {
		for (i = state->starts[src]; i < state->starts[src + 1]; i++) {
			uint32_t at = state->order[i], packets;
			uint8_t out = state->seen[at].out;

			packets = state->count[at] += at / XT_VCS % XT_PORTS == XT_PROCESSOR;
			if (state->seen[at].end != XT_END_REACHED || state->next[at] == XT_NONE)
				continue;
			state->count[state->next[at]] += packets;
			check->hops += packets;
			check->load[at / (XT_PORTS * XT_VCS)][out / XT_VCS][out % XT_VCS] +=
				packets;
		}
	}
}

static void check_dest(struct xt_check *check, const struct xt_tables *tables, uint32_t dest)
{
	const struct xt_map *map = tables->map;
	uint32_t src, tail = 0;

	for (src = 0; src < map->nodes; src++) {
		enum xt_end end = XT_END_REACHED;

		check->state->starts[src] = tail;
		if (src == dest)
			continue;
		end = xt_follow(check, tables, XT_STATE(src, XT_PROCESSOR, 0), dest, &tail);
		check->pairs++;
		check->ends[end]++;
		if (end == XT_END_REACHED || check->nfailures == XT_FAILURES)
			continue;
		check->failures[check->nfailures++] = (struct xt_failure){
			.src = src, .dst = dest, .end = end, .rule = XT_RULES,
		};
	}
	check->state->starts[map->nodes] = tail;
	count(check, map->nodes);
}

/**
 * xt_check_begin() - discard the results of an earlier run, except for its cycles
 */
void xt_check_begin(struct xt_check *check, const struct xt_map *map)
{
	struct xt_check_state *state = check->state;
	size_t states = (size_t)map->nodes * XT_PORTS * XT_VCS;

	check->pairs = 0;
	check->hops = 0;
	check->nfailures = 0;
	memset(check->ends, 0, sizeof(check->ends));
	memset(check->load, 0, map->nodes * sizeof(*check->load));
	memset(state->seen, 0xff, states * sizeof(*state->seen));
	memset(state->waits, 0, (size_t)map->nodes * XT_DIRS * XT_VCS * sizeof(*state->waits));
}

/*
 * Find cycles, one after the other. Remove the waits of each cycle's channels before the search
 * for the next.
 */
static void find_circles(struct xt_check *check, const struct xt_map *map)
{
	struct xt_check_state *state = check->state;
	uint32_t length, end = 0, in;

	for (check->cycles = 0; check->cycles < XT_CIRCLES; check->cycles++) {
		length = xt_cycle_find(map, state->waits, state->work, check->path + end);
		if (!length)
			return;
		for (; length--; end++) {
			const struct xt_channel *at = &check->path[end];

			in = XT_REVERSE(at->dir);
			state->waits[XT_CHANNEL(map->next[at->node][at->dir], in, at->vc)] = 0;
		}
		check->path_ends[check->cycles] = end;
	}
}

/**
 * xt_check_run() - follow each pair through tables
 * @check: [in, out] results of an earlier run are discarded
 */
void xt_check_run(struct xt_check *check, const struct xt_tables *tables)
{
	const struct xt_map *map = tables->map;
	uint32_t dest;

	xt_check_begin(check, map);
	for (dest = 0; dest < map->nodes; dest++)
		check_dest(check, tables, dest);
	find_circles(check, map);
}

/**
 * xt_check_clean() - check that a run found no errors
 *
 * Return: true if each pair is reached and there is no cycle of waits.
 */
bool xt_check_clean(const struct xt_check *check)
{
	return check->ends[XT_END_REACHED] == check->pairs && !check->cycles;
}
