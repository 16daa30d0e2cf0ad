// SPDX-License-Identifier: GPL-2.0
/*
 * Make tables that bring packets in flight to their destinations when a cable dies. These tables
 * serve until the network is empty and new tables can be loaded. They equal the old tables and have
 * the same datelines, except for the entries of detours. At a dead cable, a packet detours until it
 * reaches a state from which old entries and those of earlier detours lead to its destination.
 *
 * Prefer a detour whose waits close no cycle with the waits of the old tables and earlier detours.
 * If there is none, take any detour and report a cycle.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/array.h"
#include "drain_tables.h"
#include "check.h"
#include "cycle.h"
#include "trace_packet.h"

/* An entry of a detour. */
struct patch {
	uint32_t at;		/* index of the entry's row: node * XT_PORTS + input */
	uint32_t dest;
	uint8_t entry;
};

struct bridge {
	const struct xt_tables *before;
	const struct xt_map *map;	/* the machine with the dead cables */
	/* states of packets of the old tables; their waits and those of accepted detours */
	struct xt_check old;
	/* the waits in @old, and those of the detour that is being tried */
	uint16_t *waits;
	uint16_t *before_waits;		/* waits of the old tables only */
	/* new entry for the current destination, or XT_MISSING, by node and input */
	uint8_t *entry;
	uint32_t *from;			/* state before this state in the search */
	uint8_t *by;			/* entry that leads from that state to this state */
	uint32_t *queue;
	struct patch *patches;
	size_t npatches;
	uint32_t order;			/* port and VC with which a search begins */
	bool circles;
};

#define STATES(map)	((size_t)(map)->nodes * XT_PORTS * XT_VCS)
#define CHANNELS(map)	((size_t)(map)->nodes * XT_DIRS * XT_VCS)

/*
 * Follow a packet from state @at and add its waits to b->waits. Return: number of hops; XT_NONE
 * if the packet does not reach @dest.
 */
static uint32_t walk(struct bridge *b, uint32_t at, uint32_t dest)
{
	const struct xt_map *map = b->map;
	uint32_t hops = 0, nid = xt_nid(map, dest);

	while (hops <= map->nodes) {
		uint32_t node = at / (XT_PORTS * XT_VCS), in = at / XT_VCS % XT_PORTS;
		uint32_t vc = at % XT_VCS, port, out = vc;
		uint8_t entry = b->entry[node * XT_PORTS + in];

		if (entry == XT_MISSING)
			entry = xt_tables_look(b->before, node, in, nid);
		port = XT_ENTRY_PORT(entry);
		if (entry != XT_MISSING && port == XT_PROCESSOR)
			return node == dest ? hops : XT_NONE;
		if (entry == XT_MISSING || port > XT_PROCESSOR || port == in ||
		    !xt_live(map, node, port))
			return XT_NONE;
		if (port != XT_REVERSE(in) || in == XT_PROCESSOR)
			out = XT_ENTRY_VC(entry);
		if (map->at[node][XT_DIM(port)] == b->before->dateline[XT_DIM(port)]) {
			if (out)
				return XT_NONE;
			out = 1;
		}
		if (in != XT_PROCESSOR)
			b->waits[XT_CHANNEL(node, in, vc)] |= 1u << (port * XT_VCS + out);
		at = XT_STATE(map->next[node][port], XT_REVERSE(port), out);
		hops++;
	}
	return XT_NONE;
}

static bool comes_home(struct bridge *b, uint32_t node, uint32_t in, uint32_t vcs, uint32_t dest)
{
	uint32_t vc;

	memcpy(b->waits, b->old.state->waits, CHANNELS(b->map) * sizeof(*b->waits));
	for (vc = 0; vc < XT_VCS; vc++)
		if (vcs >> vc & 1 && walk(b, XT_STATE(node, in, vc), dest) == XT_NONE)
			return false;
	return true;
}

/*
 * Write the table entries of the detour that the search found to state @last. With @take_back,
 * remove these entries.
 */
static void lay_way(struct bridge *b, uint32_t last, bool take_back)
{
	uint32_t at;

	for (at = b->from[last]; at != XT_NONE; last = at, at = b->from[last])
		b->entry[at / XT_VCS] = take_back ? XT_MISSING : b->by[last];
}

static int patch_add(struct bridge *b, uint32_t at, uint32_t dest)
{
	struct patch *patch = torus_array_add(&b->patches, &b->npatches);

	if (!patch)
		return -ENOMEM;
	*patch = (struct patch){ .at = at, .dest = dest, .entry = b->entry[at] };
	return 0;
}

/* Accept the detour to state @last: keep its waits, and add its table entries to the patches. */
static int keep_way(struct bridge *b, uint32_t last, uint32_t dest)
{
	int ret = 0;

	memcpy(b->old.state->waits, b->waits, CHANNELS(b->map) * sizeof(*b->waits));
	for (last = b->from[last]; last != XT_NONE && !ret; last = b->from[last])
		ret = patch_add(b, last / XT_VCS, dest);
	return ret;
}

/*
 * Return the state that follows state @at over @port and @vc; XT_NONE if a packet cannot move
 * there.
 */
static uint32_t step(const struct bridge *b, uint32_t at, uint32_t port, uint32_t vc)
{
	uint32_t node = at / (XT_PORTS * XT_VCS), in = at / XT_VCS % XT_PORTS;

	if (port == in || !xt_live(b->map, node, port))
		return XT_NONE;
	if (port == XT_REVERSE(in) && in != XT_PROCESSOR)
		vc = at % XT_VCS;
	if (b->map->at[node][XT_DIM(port)] == b->before->dateline[XT_DIM(port)]) {
		if (vc)
			return XT_NONE;
		vc = 1;
	}
	return XT_STATE(b->map->next[node][port], XT_REVERSE(port), vc);
}

/*
 * Search a detour for packets to @dest in state @start; @vcs is the mask of their VCs. Search
 * breadth first over inputs that no packet to @dest uses by the old tables or on a detour, until a
 * state from which the entries lead to @dest. With @circles, the waits of the detour may close a
 * cycle.
 * Return: 0, -ENOENT, -ENOMEM.
 */
static int go_round(struct bridge *b, uint32_t start, uint32_t vcs, uint32_t dest, bool circles)
{
	struct xt_check_state *state = b->old.state;
	uint32_t head = 0, tail = 0, i, j, at, to;

	memset(b->from, 0xff, STATES(b->map) * sizeof(*b->from));
	b->queue[tail++] = start;
	while (head < tail) {
		at = b->queue[head++];
		for (j = 0; j < XT_DIRS * XT_VCS; j++) {
			i = (j + b->order) % (XT_DIRS * XT_VCS);
			to = step(b, at, i / XT_VCS, i % XT_VCS);
			if (to == XT_NONE || to == start || b->from[to] != XT_NONE)
				continue;
			b->from[to] = at;
			b->by[to] = XT_ENTRY(i / XT_VCS, i % XT_VCS);
			lay_way(b, to, false);
			if (comes_home(b, start / (XT_PORTS * XT_VCS), start / XT_VCS % XT_PORTS,
				       vcs, dest) &&
			    (circles || !xt_cycle_find(b->map, b->waits, state->work,
						       b->old.path)))
				return keep_way(b, to, dest);
			lay_way(b, to, true);
			/*
			 * do not continue the search at an input with packets of the old tables or
			 * of another detour: they share the input's entry
			 */
			if (state->seen[to].dest != dest && state->seen[to ^ 1].dest != dest &&
			    b->entry[to / XT_VCS] == XT_MISSING)
				b->queue[tail++] = to;
		}
	}
	return -ENOENT;
}

/* Check whether the old entry of a state leads into a dead cable and has no replacement yet. */
static bool at_dead(const struct bridge *b, uint32_t at, uint32_t dest)
{
	uint32_t node = at / (XT_PORTS * XT_VCS), in = at / XT_VCS % XT_PORTS;
	uint32_t port = XT_ENTRY_PORT(xt_tables_look(b->before, node, in, xt_nid(b->map, dest)));

	return b->entry[node * XT_PORTS + in] == XT_MISSING && port < XT_PROCESSOR &&
	       !xt_live(b->map, node, port);
}

/*
 * Find all states in which the old tables have packets for a destination. They are written to
 * b->old.state->order. Return: their number.
 */
static uint32_t all_states(struct bridge *b, uint32_t dest)
{
	uint32_t src, tail = 0;

	for (src = 0; src < b->map->nodes; src++)
		if (src != dest)
			xt_follow(&b->old, b->before, XT_STATE(src, XT_PROCESSOR, 0), dest, &tail);
	return tail;
}

/*
 * Find detours for all packets to a destination. A detour that leads to another dead cable is found
 * only after the detour around that cable. So repeat the passes as long as the number of states
 * without a detour changes. Return: 0, -ENOENT, -ENOMEM.
 */
static int mend_dest(struct bridge *b, uint32_t dest)
{
	struct xt_check_state *state = b->old.state;
	uint32_t i, tail = all_states(b, dest), left = 1, before = XT_NONE;
	int ret;

	memset(b->entry, XT_MISSING, (size_t)b->map->nodes * XT_PORTS);
	while (left && left != before) {
		before = left;
		left = 0;
		for (i = 0; i < tail; i++) {
			uint32_t at = state->order[i], other = at ^ 1, vcs = 1u << at % XT_VCS;

			if (!at_dead(b, at, dest))
				continue;
			/* the packets on both VCs of an input share one table entry */
			if (state->seen[other].dest == dest)
				vcs |= 1u << other % XT_VCS;
			ret = go_round(b, at, vcs, dest, false);
			if (ret == -ENOENT) {
				ret = go_round(b, at, vcs, dest, true);
				b->circles = true;
			}
			if (ret == -ENOMEM)
				return ret;
			left += ret == -ENOENT;
		}
	}
	return left ? -ENOENT : 0;
}

/*
 * Copy the row of input @at from the old tables to the new tables, with the new entries. Return:
 * the row's number, or XT_NONE without memory.
 */
static uint32_t mended_row(const struct bridge *b, struct xt_tables *tables, uint32_t at)
{
	const uint32_t *old = xt_row(b->before, b->before->inputs[at]);
	uint32_t pages[XT_REGION_NODES / XT_PAGE + 1], i;
	uint8_t entries[XT_PAGE];
	size_t k;

	for (i = 0; i < tables->width; i++) {
		memcpy(entries, xt_page(b->before, old[i]), XT_PAGE);
		for (k = 0; k < b->npatches; k++) {
			uint32_t local = xt_nid(b->map, b->patches[k].dest);

			if (b->patches[k].at == at && local / XT_PAGE == i)
				entries[local % XT_PAGE] = b->patches[k].entry;
		}
		pages[i] = xt_tables_page(tables, entries);
		if (pages[i] == XT_NONE)
			return XT_NONE;
	}
	return xt_tables_row(tables, pages);
}

static int make_mended(const struct bridge *b, struct xt_tables **tables)
{
	uint32_t at;
	int ret = xt_tables_new(tables, b->map, b->before->dateline);

	for (at = 0; !ret && at < b->map->nodes * XT_PORTS; at++) {
		(*tables)->inputs[at] = mended_row(b, *tables, at);
		if ((*tables)->inputs[at] == XT_NONE)
			ret = -ENOMEM;
	}
	if (ret) {
		xt_tables_free(*tables);
		*tables = NULL;
	}
	return ret;
}

/* Compute the waits of packets that follow the old tables. */
static void wait_before(struct bridge *b)
{
	uint32_t dest;

	for (dest = 0; dest < b->map->nodes; dest++)
		all_states(b, dest);
	memcpy(b->before_waits, b->old.state->waits, CHANNELS(b->map) * sizeof(*b->waits));
}

/*
 * Find detours for all destinations. Each detour restricts the choice of later detours. So if there
 * are cycles, try again with another order of ports and VCs.
 */
static int mend(struct bridge *b)
{
	uint32_t order, dest;
	struct xt_check_state *state = b->old.state;
	int ret = 0;

	for (order = 0; order < XT_DIRS * XT_VCS; order++) {
		b->circles = false;
		b->order = order;
		b->npatches = 0;
		memcpy(state->waits, b->before_waits, CHANNELS(b->map) * sizeof(*b->waits));
		/*
		 * keep the waits, because packets for different destinations wait at the same time;
		 * clear only the states
		 */
		memset(state->seen, 0xff, STATES(b->map) * sizeof(*state->seen));
		for (dest = 0, ret = 0; !ret && dest < b->map->nodes; dest++)
			ret = mend_dest(b, dest);
		if (ret || !b->circles)
			break;
	}
	return ret;
}

/**
 * xt_drain_tables_make() - make tables for packets in flight when cables have died
 * @tables: [out] freed with xt_tables_free()
 * @before: the old tables; their map has the cables over which the packets in flight moved
 * @map: the machine with its dead cables, of one region
 * @circles: [out] true if waits of old and new entries may close a cycle. Then packets that
 *    need no dead cable must arrive before the tables are loaded, and no new packets may enter
 *
 * Return: 0; -ENOENT if some packets have no detour; -EINVAL for several regions; -ENOMEM.
 */
int xt_drain_tables_make(struct xt_tables **tables, const struct xt_tables *before,
			 const struct xt_map *map, bool *circles)
{
	struct bridge b = { .before = before, .map = map };
	int ret;

	*tables = NULL;
	if (map->regions > 1)
		return -EINVAL;
	ret = xt_check_init(&b.old, map);
	if (ret)
		return ret;
	xt_check_begin(&b.old, map);
	b.waits = malloc(CHANNELS(map) * sizeof(*b.waits));
	b.before_waits = malloc(CHANNELS(map) * sizeof(*b.waits));
	b.entry = malloc((size_t)map->nodes * XT_PORTS);
	b.from = malloc(STATES(map) * sizeof(*b.from));
	b.by = malloc(STATES(map));
	b.queue = malloc(STATES(map) * sizeof(*b.queue));
	if (!b.waits || !b.before_waits || !b.entry || !b.from || !b.by || !b.queue) {
		ret = -ENOMEM;
	} else {
		wait_before(&b);
		ret = mend(&b);
	}
	if (!ret)
		ret = make_mended(&b, tables);
	*circles = b.circles;
	free(b.patches);
	free(b.queue);
	free(b.by);
	free(b.from);
	free(b.entry);
	free(b.before_waits);
	free(b.waits);
	xt_check_free(&b.old);
	return ret;
}
