// SPDX-License-Identifier: GPL-2.0
/*
 * Tables that lead home what is under way when a cable dies, until the network is empty and
 * others can take their place: the old ones, datelines and all, but where they lead into a dead
 * cable.  There a packet goes on by another port, from where the old ones bring it home.
 *
 * A port is taken if what waits by it closes no circle with all that waits by the old tables, if
 * there is one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "follow.h"
#include "swap.h"

/* An entry that differs. */
struct patch {
	uint32_t at;		/* node and input */
	uint32_t dest;
	uint8_t entry;
};

struct bridge {
	const struct xt_tables *before;
	const struct xt_map *map;	/* what is left of the cables */
	struct xt_check old;		/* where packets are, and what they wait for */
	uint16_t *waits;		/* with those of a way that is tried */
	uint8_t *entry;			/* by node and input: of this destination, XT_MISSING: old */
	struct patch *patches;
	size_t npatches;
	size_t room;
	bool circles;
};

#define CHANNELS(map)	((size_t)(map)->nodes * XT_DIRS * XT_VCS)

/*
 * Follow a packet; what it waits for is added.  Return: hops; XT_NONE: it does not come home.
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

/*
 * Hops of both VCs' packets by an entry, XT_NONE: they do not come home, or, where nobody
 * may, wait in a circle.
 */
static uint32_t try_entry(struct bridge *b, uint32_t node, uint32_t in, uint32_t vcs,
			  uint32_t dest, uint8_t entry, bool circles)
{
	uint32_t vc, hops = 0;

	memcpy(b->waits, b->old.state->waits, CHANNELS(b->map) * sizeof(*b->waits));
	b->entry[node * XT_PORTS + in] = entry;
	for (vc = 0; vc < XT_VCS && hops != XT_NONE; vc++) {
		uint32_t way = vcs >> vc & 1 ? walk(b, XT_STATE(node, in, vc), dest) : 0;

		hops = way == XT_NONE ? XT_NONE : hops + way;
	}
	if (hops != XT_NONE && !circles &&
	    xt_cycle_find(b->map, b->waits, b->old.state->work, b->old.path))
		hops = XT_NONE;
	b->entry[node * XT_PORTS + in] = XT_MISSING;
	return hops;
}

static int patch_add(struct bridge *b, uint32_t at, uint32_t dest, uint8_t entry)
{
	if (b->npatches == b->room) {
		size_t room = b->room ? 2 * b->room : 64;
		struct patch *patches = reallocarray(b->patches, room, sizeof(*patches));

		if (!patches)
			return -ENOMEM;
		b->patches = patches;
		b->room = room;
	}
	b->patches[b->npatches++] = (struct patch){ .at = at, .dest = dest, .entry = entry };
	return 0;
}

/* The entry of the shortest way, XT_MISSING: there is none. */
static uint8_t best_entry(struct bridge *b, uint32_t node, uint32_t in, uint32_t vcs,
			  uint32_t dest, bool circles)
{
	uint32_t best = XT_NONE, dir, vc, hops;
	uint8_t entry = XT_MISSING;

	for (dir = 0; dir < XT_DIRS; dir++)
		for (vc = 0; vc < XT_VCS; vc++) {
			if (dir == in || !xt_live(b->map, node, dir))
				continue;
			hops = try_entry(b, node, in, vcs, dest, XT_ENTRY(dir, vc), circles);
			if (hops >= best)
				continue;
			best = hops;
			entry = XT_ENTRY(dir, vc);
		}
	return entry;
}

/* The shortest way round for what came by an input.  Return: 0, -ENOENT, -ENOMEM. */
static int go_round(struct bridge *b, uint32_t node, uint32_t in, uint32_t vcs, uint32_t dest)
{
	uint8_t entry = best_entry(b, node, in, vcs, dest, false);

	if (entry == XT_MISSING) {
		entry = best_entry(b, node, in, vcs, dest, true);
		b->circles = true;
	}
	if (entry == XT_MISSING)
		return -ENOENT;
	/* again: what waits by it is there from here on */
	try_entry(b, node, in, vcs, dest, entry, true);
	memcpy(b->old.state->waits, b->waits, CHANNELS(b->map) * sizeof(*b->waits));
	b->entry[node * XT_PORTS + in] = entry;
	return patch_add(b, node * XT_PORTS + in, dest, entry);
}

/* Does the old entry of a state lead into a dead cable? */
static bool at_dead(const struct bridge *b, uint32_t at, uint32_t dest)
{
	uint32_t node = at / (XT_PORTS * XT_VCS), in = at / XT_VCS % XT_PORTS;
	uint32_t port = XT_ENTRY_PORT(xt_tables_look(b->before, node, in, xt_nid(b->map, dest)));

	return b->entry[node * XT_PORTS + in] == XT_MISSING && port < XT_PROCESSOR &&
	       !xt_live(b->map, node, port);
}

/* Where the old tables lead packets for a destination.  Return: how many places there are. */
static uint32_t all_states(struct bridge *b, uint32_t dest)
{
	uint32_t src, tail = 0;

	for (src = 0; src < b->map->nodes; src++)
		if (src != dest)
			xt_follow(&b->old, b->before, XT_STATE(src, XT_PROCESSOR, 0), dest, &tail);
	return tail;
}

/* One way round may need another: as long as any is found. */
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
			/* packets of both VCs that came by the input have one entry */
			if (state->seen[other].dest == dest)
				vcs |= 1u << other % XT_VCS;
			ret = go_round(b, at / (XT_PORTS * XT_VCS), at / XT_VCS % XT_PORTS, vcs,
				       dest);
			if (ret == -ENOMEM)
				return ret;
			left += ret == -ENOENT;
		}
	}
	return left ? -ENOENT : 0;
}

/* The old tables' row of a node and input, with what differs. */
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

/**
 * xt_bridge_make() - tables between those of a machine and those for what is left of it
 * @tables: gets them
 * @before: the old tables; their map has the cables by which packets have come
 * @map: the machine as it is now, one region
 * @circles: gets whether packets might wait in a circle by both together: then all that
 *           needs no dead cable is to come home first, and nothing new to enter
 *
 * Return: 0; -ENOENT where no way round is found for all, -EINVAL: several regions; -ENOMEM.
 */
int xt_bridge_make(struct xt_tables **tables, const struct xt_tables *before,
		   const struct xt_map *map, bool *circles)
{
	struct bridge b = { .before = before, .map = map };
	uint32_t dest;
	int ret;

	*tables = NULL;
	if (map->regions > 1)
		return -EINVAL;
	ret = xt_check_init(&b.old, map);
	if (ret)
		return ret;
	xt_check_begin(&b.old, map);
	b.waits = malloc(CHANNELS(map) * sizeof(*b.waits));
	b.entry = malloc((size_t)map->nodes * XT_PORTS);
	if (!b.waits || !b.entry)
		ret = -ENOMEM;
	for (dest = 0; !ret && dest < map->nodes; dest++)
		all_states(&b, dest);
	/* what waits for one destination waits beside what waits for the others */
	memset(b.old.state->seen, 0xff, (size_t)map->nodes * XT_PORTS * XT_VCS *
	       sizeof(*b.old.state->seen));
	for (dest = 0; !ret && dest < map->nodes; dest++)
		ret = mend_dest(&b, dest);
	if (!ret)
		ret = make_mended(&b, tables);
	*circles = b.circles;
	free(b.patches);
	free(b.entry);
	free(b.waits);
	xt_check_free(&b.old);
	return ret;
}
