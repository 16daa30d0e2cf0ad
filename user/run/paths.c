// SPDX-License-Identifier: GPL-2.0
/*
 * Check the paths of a job's packets on machines that cannot route around dead links: the Cray XT
 * with its routing tables, and Tofu with its paths. A packet would wait at a dead link
 * indefinitely or be lost, and the job would wait for it.
 */
#include <stdlib.h>
#include <string.h>

#include "../machine/machine.h"
#include "../route/spec/fabric_io.h"
#include "../route/tofu/links.h"
#include "../route/xt/check.h"
#include "../route/xt/trace_packet.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "paths.h"
#include "run.h"
#include "log.h"

/* maximum number of pairs for which paths are checked on Tofu, where a pair has up to 12 paths */
#define PAIRS_MAX	(1ull << 22)

/**
 * struct path_search - search for a dead link on the paths of all pairs of ranks
 * @env: environment of the ranks
 * @fabric: description of the fabric by the module
 * @links: links with faults or changed settings
 * @count: number of entries in @links
 */
struct path_search {
	const struct run_env *env;
	struct torus_nl_fabric fabric;
	struct torus_nl_link *links;
	size_t count;
};

static bool is_dead(const struct path_search *search, u32 node, u32 dir)
{
	size_t i;

	for (i = 0; i < search->count; i++)
		if (search->links[i].node == node && search->links[i].dir == dir)
			return torus_nl_link_dead(&search->links[i]);
	return false;
}

static bool report(const struct path_search *search, u32 from, u32 to, u32 node, u32 dir)
{
	const struct torus_ioc_fabric *fabric = &search->env->machine->fabric;
	char text[PARSE_COORDS_MAX], name[PARSE_DIR_MAX];

	run_log("fabric %s: packets of rank %u to rank %u require link %s of node %s, which is "
		"down, parked or off", fabric->name, from, to,
		parse_dir_name(dir, name, sizeof(name)),
		query_text(fabric, node, text, sizeof(text)));
	return false;
}

static u32 node_of(const struct path_search *search, size_t rank)
{
	return search->env->places.at[rank].node;
}

/*
 * Follow the tables from one rank to another, and report a dead link at which the path ends. A
 * cable consists of two links, and is dead if one of them is dead; report that link.
 */
static bool tables_pair(const struct path_search *search, struct xt_check *check,
			const struct xt_spec *spec, size_t from, size_t to, u32 *tail)
{
	const struct xt_map *map = spec->map;
	u32 source = xt_map_find(map, node_of(search, from)), at, node, in;
	u32 dest = xt_map_find(map, node_of(search, to));
	const u32 *next = check->state->next;
	u32 dir;

	at = XT_STATE(source, XT_PROCESSOR, 0);
	if (source == dest || xt_follow(check, spec->tables, at, dest, tail) != XT_END_CABLE)
		return true;
	while (next[at] != XT_NONE)
		at = next[at];
	node = at / (XT_PORTS * XT_VCS);
	in = at / XT_VCS % XT_PORTS;
	dir = XT_ENTRY_PORT(xt_tables_look(spec->tables, node, in, xt_nid(map, dest)));
	if (!is_dead(search, xt_nid(map, node), dir)) {
		node = map->next[node][dir];
		dir = XT_REVERSE(dir);
	}
	return report(search, from, to, xt_nid(map, node), dir);
}

static bool tables_clean(const struct path_search *search, const struct xt_spec *spec)
{
	size_t count = search->env->places.count, from, to;
	struct xt_check check;
	bool clean = true;
	u32 tail;

	if (xt_check_init(&check, spec->map))
		return true;
	xt_check_begin(&check, spec->map);
	for (to = 0; clean && to < count; to++)
		for (from = 0, tail = 0; clean && from < count; from++)
			clean = tables_pair(search, &check, spec, from, to, &tail);
	xt_check_free(&check);
	return clean;
}

static bool tables_search(const struct path_search *search, struct torus_nl *nl)
{
	struct xt_spec spec;
	struct parse_error why;
	bool clean = true;

	/*
	 * If this user may not read the tables, skip the check. The fabric will report lost
	 * packets.
	 */
	if (!xt_live_read(nl, &search->fabric, &spec, &why) &&
	    xt_live_cables(nl, search->fabric.name, &spec, &why))
		clean = tables_clean(search, &spec);
	xt_spec_free(&spec);
	return clean;
}

static const char *param(const struct path_search *search, const char *key)
{
	size_t i;

	for (i = 0; i < search->fabric.nparams; i++)
		if (!strcmp(search->fabric.params[i].key, key))
			return search->fabric.params[i].text;
	return "";
}

/* Check the paths between all pairs of ranks on Tofu. */
static bool paths_search(const struct path_search *search)
{
	const struct torus_nl_fabric *fabric = &search->fabric;
	size_t count = search->env->places.count, from, to, i;
	struct tofu_links links;
	u32 node, dir;
	bool clean = true;

	if ((uint64_t)count * count > PAIRS_MAX ||
	    !tofu_links_init(&links, fabric->shape, fabric->mesh, param(search, "path"),
			     param(search, "io_order")))
		return true;
	/* ignore links of dead nodes, because the module finds paths around dead nodes */
	for (i = 0; i < search->count; i++)
		if (torus_nl_link_dead(&search->links[i]) &&
		    !(search->links[i].control & TORUS_LINK_DEAD))
			tofu_links_kill(&links, search->links[i].node, search->links[i].dir);
	for (from = 0; clean && from < count; from++)
		for (to = 0; clean && to < count; to++)
			if (tofu_links_meet(&links, node_of(search, from), node_of(search, to),
					    &node, &dir))
				clean = report(search, from, to, node, dir);
	tofu_links_free(&links);
	return clean;
}

static bool any_dead(const struct path_search *search)
{
	size_t i;

	for (i = 0; i < search->count; i++)
		if (torus_nl_link_dead(&search->links[i]))
			return true;
	return false;
}

/**
 * run_paths_clean - search for a dead link on the paths of a job's packets
 * @env: environment of the ranks
 *
 * Blue Gene/L is not checked, because its packets are routed around dead links. The check is
 * skipped if this user cannot read the links or tables of the fabric, if there is no memory, or if
 * a job on Tofu has more than PAIRS_MAX pairs.
 *
 * Return: true if no dead link was found; false after an error message.
 */
bool run_paths_clean(const struct run_env *env)
{
	const struct torus_machine *kind = torus_machine_find(env->machine->fabric.arch);
	const char *name = env->machine->fabric.name;
	bool tables = kind && torus_machine_can(kind, TORUS_MACHINE_TABLES);
	struct path_search search = { .env = env };
	struct torus_nl *nl;
	bool clean = true;

	if (!tables && !(kind && torus_machine_can(kind, TORUS_MACHINE_PATHS)))
		return true;
	nl = torus_nl_new();
	if (nl && !torus_nl_connect(nl) && !torus_nl_fabric_get(nl, name, &search.fabric) &&
	    !torus_nl_link_dump_changed(nl, name, &search.links, &search.count) &&
	    any_dead(&search))
		clean = tables ? tables_search(&search, nl) : paths_search(&search);
	free(search.links);
	torus_nl_free(nl);
	return clean;
}
