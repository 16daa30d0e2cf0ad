// SPDX-License-Identifier: GPL-2.0
/* Implementation of tables.h. */
#include "core/base/node_number.h"
#include "tables.h"
#include "core/run/routing_tables.h"

#define DIMS	3
#define INPUTS	7	/* number of input ports: six links and the processor */

/*
 * Image with one table and one page for each node. One page suffices, because the node numbers of
 * a small fabric are below TORUS_XT_PAGE.
 */
struct image {
	struct torus_xt_routes head;
	u32 rest[TABLES_NODES_MAX *
		 (INPUTS + (sizeof(struct torus_xt_table) + TORUS_XT_PAGE) / sizeof(u32))];
};

/*
 * Compute a table entry: travel in the first dimension in which the coordinates differ, in the
 * shorter direction.
 */
static u8 entry(struct torus_fabric *f, u32 node, u32 to)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim;
	s32 way;

	torus_geometry_coords(g, node, a);
	torus_geometry_coords(g, to, b);
	for (dim = 0; dim < DIMS && a[dim] == b[dim]; dim++)
		;
	if (dim == DIMS)
		return TORUS_XT_PROCESSOR;
	way = torus_fabric_steps(f, dim, a[dim], b[dim]);
	return (u8)((2 * dim + (way < 0)) | (b[dim] < a[dim] ? TORUS_XT_VC1 : 0));
}

void tables_load(struct torus_fabric *f, struct fuzz_input *input)
{
	const struct torus_geometry *g = &f->cfg.geo;
	struct image image = { .head.version = TORUS_XT_ROUTES_VERSION };
	struct torus_xt_table *table;
	struct torus_error err = { 0 };
	u32 node, to, i, changes;
	u8 *page;

	fuzz_demand(f->nodes <= TABLES_NODES_MAX && g->numbering.last < TORUS_XT_PAGE);
	image.head.nodes = f->nodes;
	image.head.tables = f->nodes;
	image.head.pages = f->nodes;
	for (i = 0; i < DIMS; i++)
		image.head.dateline[i] = g->mesh >> i & 1 ? ~0u : g->dims[i] - 1;
	for (i = 0; i < f->nodes * INPUTS; i++)
		image.rest[i] = i / INPUTS;
	table = (struct torus_xt_table *)(image.rest + f->nodes * INPUTS);
	page = (u8 *)(table + f->nodes);
	memset(page, TORUS_XT_MISSING, f->nodes * TORUS_XT_PAGE);
	for (node = 0; node < f->nodes; node++) {
		for (i = 0; i < TORUS_XT_PAGE; i++)
			table[node].page[i] = (u16)node;
		memset(table[node].global, TORUS_XT_MISSING, sizeof(table[node].global));
		for (to = 0; to < f->nodes; to++)
			page[node * TORUS_XT_PAGE + torus_node_number(g, to)] = entry(f, node, to);
	}
	for (changes = fuzz_below(input, 4); changes; changes--) {
		node = fuzz_below(input, f->nodes);
		page[node * TORUS_XT_PAGE + fuzz_below(input, f->nodes)] = fuzz_u8(input);
	}
	if (torus_fabric_routes_load(f, &image, (size_t)(page - (u8 *)&image) +
				     (size_t)f->nodes * TORUS_XT_PAGE, TORUS_ROUTES_NOW, &err))
		fuzz_demand(err.text[0]);
}
