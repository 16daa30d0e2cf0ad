// SPDX-License-Identifier: GPL-2.0
/* Make routing tables from plans. Plans for 64 goals become one page of entries per node. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "build_tables.h"
#include "table_store.h"

/* State while a block of 64 goals is turned into pages. */
struct tables_maker {
	struct xt_route *route;
	struct xt_tables *tables;
	struct xt_next_hops plan;
	struct xt_made *made;
	uint8_t *entries;	/* table entries, by node and by goal of the block */
	uint32_t *refs;		/* number of the page, by node and by column of the node's row */
};

static void begin_block(struct tables_maker *maker)
{
	memset(maker->entries, XT_MISSING, (size_t)maker->route->map->nodes * XT_PAGE);
}

/*
 * Make the page in column @column of the rows of nodes @first to @end - 1, from the current block
 * of goals.
 */
static int end_block(struct tables_maker *maker, uint32_t first, uint32_t end, uint32_t column)
{
	uint32_t node, page;

	for (node = first; node < end; node++) {
		page = xt_tables_page(maker->tables, maker->entries + (size_t)node * XT_PAGE);
		if (page == XT_NONE)
			return -ENOMEM;
		maker->refs[(size_t)node * maker->tables->width + column] = page;
	}
	return 0;
}

static void add_goal(struct tables_maker *maker, const struct xt_dest *goal, uint32_t at)
{
	const struct xt_next_hops *plan = &maker->plan;
	uint32_t node;

	maker->made->unreached += xt_next_hops_make(maker->route, &maker->plan, goal);
	maker->made->goals++;
	maker->made->searched += plan->searched;
	for (node = plan->first; node < plan->end; node++) {
		const struct xt_step *step = &plan->steps[node];

		if (goal->dest == XT_NONE && xt_next_hops_home(maker->route, plan, node))
			continue;
		if (step->port != XT_NO_PORT)
			maker->entries[(size_t)node * XT_PAGE + at] =
				XT_ENTRY(step->port, step->vc);
	}
}

static struct xt_dest local_goal(const struct xt_map *map, uint32_t dest)
{
	return (struct xt_dest){ .dest = dest, .region = xt_region(map, dest),
				 .bit = xt_nid(map, dest) & 1 };
}

static int make_local(struct tables_maker *maker, uint32_t region)
{
	const struct xt_map *map = maker->route->map;
	uint32_t first = xt_region_start(map, region), end = xt_region_start(map, region + 1);
	uint32_t column, at, dest;
	int ret = 0;

	for (column = 0; column < maker->tables->locals && !ret; column++) {
		begin_block(maker);
		for (at = 0; at < XT_PAGE; at++) {
			struct xt_dest goal;

			dest = first + column * XT_PAGE + at;
			if (dest >= end)
				break;
			goal = local_goal(map, dest);
			add_goal(maker, &goal, at);
		}
		ret = end_block(maker, first, end, column);
	}
	return ret;
}

static int make_global(struct tables_maker *maker)
{
	const struct xt_map *map = maker->route->map;
	uint32_t region, bit;

	begin_block(maker);
	for (region = 0; map->regions > 1 && region < map->regions; region++)
		for (bit = 0; bit < 2; bit++) {
			const struct xt_dest goal = { .dest = XT_NONE, .region = region,
						      .bit = bit };

			add_goal(maker, &goal, 2 * region + bit);
		}
	return end_block(maker, 0, map->nodes, maker->tables->locals);
}

/* Make one row per node, which all inputs of the node share. */
static int make_rows(struct tables_maker *maker)
{
	struct xt_tables *tables = maker->tables;
	uint32_t node, in, row;

	for (node = 0; node < maker->route->map->nodes; node++) {
		row = xt_tables_row(tables, maker->refs + (size_t)node * tables->width);
		if (row == XT_NONE)
			return -ENOMEM;
		for (in = 0; in < XT_PORTS; in++)
			tables->inputs[node * XT_PORTS + in] = row;
	}
	return 0;
}

/**
 * xt_tables_make() - compute the tables of a machine
 * @route: the machine and its rules
 * @tables: [out] freed with xt_tables_free() after success
 * @made: [out] statistics
 *
 * Return: 0, -ENOMEM.
 */
int xt_tables_make(struct xt_route *route, struct xt_tables **tables, struct xt_made *made)
{
	const struct xt_map *map = route->map;
	struct tables_maker maker = { .route = route, .made = made };
	uint32_t region;
	int ret;

	*made = (struct xt_made){ .goals = 0 };
	memset(route->landed, 0, map->nodes * sizeof(*route->landed));
	ret = xt_tables_new(tables, map, route->dateline);
	if (ret)
		return ret;
	maker.tables = *tables;
	maker.entries = malloc((size_t)map->nodes * XT_PAGE);
	maker.refs = malloc((size_t)map->nodes * maker.tables->width * sizeof(*maker.refs));
	ret = xt_next_hops_init(&maker.plan, map);
	if (!maker.entries || !maker.refs)
		ret = -ENOMEM;
	for (region = 0; region < map->regions && !ret; region++)
		ret = make_local(&maker, region);
	if (!ret)
		ret = make_global(&maker);
	if (!ret)
		ret = make_rows(&maker);
	xt_next_hops_free(&maker.plan);
	free(maker.refs);
	free(maker.entries);
	if (ret) {
		xt_tables_free(*tables);
		*tables = NULL;
	}
	return ret;
}

/**
 * xt_tables_try() - count the pairs of a node and a goal that would have no path with new tables
 * @route: the machine and its rules
 * @plan: scratch
 * @enough: stop counting at this number
 * @unreached: [out] number of pairs; each region counts as one goal
 */
void xt_tables_try(struct xt_route *route, struct xt_next_hops *plan, uint64_t enough,
		   uint64_t *unreached)
{
	const struct xt_map *map = route->map;
	struct xt_dest goal = { .dest = XT_NONE };
	uint32_t dest;

	*unreached = 0;
	memset(route->landed, 0, map->nodes * sizeof(*route->landed));
	for (dest = 0; dest < map->nodes && *unreached < enough; dest++) {
		goal = local_goal(map, dest);
		*unreached += xt_next_hops_make(route, plan, &goal);
	}
	goal = (struct xt_dest){ .dest = XT_NONE };
	for (; map->regions > 1 && goal.region < map->regions && *unreached < enough;
	     goal.region++)
		*unreached += xt_next_hops_make(route, plan, &goal);
}
