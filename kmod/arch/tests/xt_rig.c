// SPDX-License-Identifier: GPL-2.0
/* See xt_rig.h. */
#include "core/base/node_number.h"
#include "core/platform.h"
#include "xt_rig.h"
#include "core/run/routing_tables.h"

/* Check whether a path of @way links from coordinate @from crosses the dateline. */
static bool crosses(const struct xt_plan *plan, u32 dim, u32 from, s32 way, u32 n)
{
	for (; way; way += way > 0 ? -1 : 1) {
		if (from == plan->dateline[dim])
			return true;
		from = way > 0 ? (from + 1) % n : (from + n - 1) % n;
	}
	return false;
}

/* Compute a table entry for dimension order, the shorter way round each ring. */
static u8 plan_entry(struct torus_fabric *f, const struct xt_plan *plan, u32 node, u32 to)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, dir;
	s32 way;

	torus_geometry_coords(g, node, a);
	torus_geometry_coords(g, to, b);
	for (dim = 0; dim < XT_DIMS && a[dim] == b[dim]; dim++)
		;
	if (dim == XT_DIMS)
		return TORUS_XT_PROCESSOR;
	way = torus_fabric_steps(f, dim, a[dim], b[dim]);
	dir = 2 * dim + (way < 0);
	if (plan->one || crosses(plan, dim, a[dim], way, g->dims[dim]) ||
	    !((a[dim] ^ b[dim]) & 1))
		return (u8)dir;
	return (u8)(dir | TORUS_XT_VC1);
}

u8 *xt_rig_entry(void *image, u32 node, u32 input, u32 nid)
{
	struct torus_xt_routes *head = image;
	u32 *inputs = (u32 *)(head + 1), t = inputs[node * XT_INPUTS + input];
	struct torus_xt_table *table = (struct torus_xt_table *)(inputs + head->nodes * XT_INPUTS);
	u8 *pages = (u8 *)(table + head->tables);

	if (nid >> 12 != table[t].partition)
		return &table[t].global[(nid >> 12) << 1 | (nid & 1)];
	return pages + (size_t)table[t].page[nid / XT_PAGE % XT_PAGES] * XT_PAGE + nid % XT_PAGE;
}

void *xt_rig_image(struct torus_fabric *f, const struct xt_plan *plan, size_t *bytes)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 pages = g->numbering.last / XT_PAGE + 1, node, i, to;
	struct torus_xt_routes *head;
	struct torus_xt_table *table;
	u32 *input;

	assert_true(g->numbering.last < 4096);
	*bytes = sizeof(*head) + f->nodes * (XT_INPUTS * sizeof(*input) + sizeof(*table) +
					     pages * XT_PAGE);
	head = test_calloc(1, *bytes);
	head->version = TORUS_XT_ROUTES_VERSION;
	head->nodes = f->nodes;
	head->tables = f->nodes;
	head->pages = f->nodes * pages;
	memcpy(head->dateline, plan->dateline, sizeof(head->dateline));
	input = (u32 *)(head + 1);
	table = (struct torus_xt_table *)(input + f->nodes * XT_INPUTS);
	memset(table + f->nodes, TORUS_XT_MISSING, head->pages * XT_PAGE);
	for (node = 0; node < f->nodes; node++) {
		for (i = 0; i < XT_INPUTS; i++)
			input[node * XT_INPUTS + i] = node;
		for (i = 0; i < XT_PAGES; i++)
			table[node].page[i] = (u16)(node * pages + (i < pages ? i : 0));
		memset(table[node].global, TORUS_XT_MISSING, sizeof(table[node].global));
		for (to = 0; to < f->nodes; to++)
			*xt_rig_entry(head, node, 0, torus_node_number(g, to)) =
				plan_entry(f, plan, node, to);
	}
	return head;
}

int xt_rig_load(struct torus_fabric *f, const void *image, size_t bytes, struct torus_error *err)
{
	return torus_fabric_routes_load(f, image, bytes, TORUS_ROUTES_NOW, err);
}

struct torus_fabric *xt_rig_make(const char *shape, const char *settings, bool one)
{
	struct torus_fabric *f = rig_make_arch("xt", shape, settings);
	struct xt_plan plan = { .one = one };
	struct torus_error err;
	size_t bytes;
	void *image;
	u32 dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		plan.dateline[dim] = f->cfg.geo.mesh >> dim & 1 ? TORUS_NONE :
								  f->cfg.geo.dims[dim] - 1;
	image = xt_rig_image(f, &plan, &bytes);
	assert_int_equal(xt_rig_load(f, image, bytes, &err), 0);
	test_free(image);
	return f;
}
