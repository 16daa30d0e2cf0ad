// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables are loaded as one image (struct torus_xt_routes of the ABI), completely or not at
 * all. User space selects their contents (user/route) and proves them free of deadlock. This file
 * checks that the router cannot read outside the tables, and that each entry names a port and VC
 * that a router has.
 */
#include "router.h"
#include "table.h"

#define XT_TABLES_MAX	(1u << 20)
#define XT_ROUTES_PAGES_MAX	65536u

/* Return the size in bytes of an image, from the numbers of tables and pages in its head. */
static u64 routes_bytes(const struct torus_xt_routes *head)
{
	return sizeof(*head) + (u64)head->nodes * XT_INPUTS * sizeof(u32) +
	       (u64)head->tables * sizeof(struct torus_xt_table) +
	       (u64)head->pages * XT_PAGE;
}

static int routes_check_head(struct torus_fabric *f, const struct torus_xt_routes *head,
			     size_t bytes, struct torus_error *err)
{
	u32 dim;

	if (head->version != TORUS_XT_ROUTES_VERSION)
		return torus_fail(err, EINVAL, "tables: version %u, must be version %u",
				  head->version, TORUS_XT_ROUTES_VERSION);
	if (head->nodes != f->nodes)
		return torus_fail(err, EINVAL,
				  "tables: made for %u nodes, but the fabric has %u nodes",
				  head->nodes, f->nodes);
	if (!head->tables || head->tables > XT_TABLES_MAX)
		return torus_fail(err, ERANGE, "tables: the image has %u tables, must be 1 to %u",
				  head->tables, XT_TABLES_MAX);
	if (!head->pages || head->pages > XT_ROUTES_PAGES_MAX)
		return torus_fail(err, ERANGE, "tables: the image has %u pages, must be 1 to %u",
				  head->pages, XT_ROUTES_PAGES_MAX);
	if (routes_bytes(head) != bytes)
		return torus_fail(err, EINVAL,
				  "tables: %llu bytes were loaded, but the header requires %llu "
				  "bytes", (u64)bytes, routes_bytes(head));
	if (head->reserved)
		return torus_fail(err, EINVAL, "tables: reserved field %u of the header must be 0",
				  head->reserved);
	for (dim = 0; dim < XT_DIMS; dim++)
		if (head->dateline[dim] != TORUS_NONE &&
		    head->dateline[dim] >= f->cfg.geo.dims[dim])
			return torus_fail(err, ERANGE,
					  "tables: dateline %c=%u must be below %u, the length of "
					  "the dimension",
					  "xyz"[dim], head->dateline[dim], f->cfg.geo.dims[dim]);
	return 0;
}

static bool entry_is_one(u8 entry)
{
	return entry == TORUS_XT_MISSING ||
	       (!(entry & ~(TORUS_XT_PORT | TORUS_XT_VC1)) &&
		(entry & TORUS_XT_PORT) <= XT_PROCESSOR);
}

static int routes_check_table(const struct xt_routes *r, u32 number, struct torus_error *err)
{
	const struct torus_xt_table *t = &r->table[number];
	u32 k;

	if (t->partition > 7)
		return torus_fail(err, ERANGE, "table %u: partition %u must be 0 to 7", number,
				  t->partition);
	for (k = 0; k < sizeof(t->reserved); k++)
		if (t->reserved[k])
			return torus_fail(err, EINVAL, "table %u: reserved byte %u must be 0",
					  number, t->reserved[k]);
	for (k = 0; k < XT_PAGES; k++)
		if (t->page[k] >= r->pages)
			return torus_fail(err, ERANGE,
					  "table %u: refers to page %u, but the image has %u pages",
					  number, t->page[k], r->pages);
	for (k = 0; k < sizeof(t->global); k++)
		if (!entry_is_one(t->global[k]))
			return torus_fail(err, EINVAL,
					  "table %u: global entry %u has the invalid value 0x%02x",
					  number, k, t->global[k]);
	return 0;
}

static int routes_check_tables(const struct xt_routes *r, u32 inputs, struct torus_error *err)
{
	u32 i, k;
	int ret;

	for (i = 0; i < inputs; i++)
		if (r->input[i] >= r->tables)
			return torus_fail(err, ERANGE,
					  "node index %u, input %u: refers to table %u, but the "
					  "image has %u tables",
					  i / XT_INPUTS, i % XT_INPUTS, r->input[i], r->tables);
	for (i = 0; i < r->tables; i++) {
		ret = routes_check_table(r, i, err);
		if (ret)
			return ret;
	}
	for (i = 0; i < r->pages; i++)
		for (k = 0; k < XT_PAGE; k++)
			if (!entry_is_one(r->page[i][k]))
				return torus_fail(err, EINVAL,
						  "page %u: entry %u has the invalid value 0x%02x",
						  i, k, r->page[i][k]);
	return 0;
}

/**
 * xt_routes_read() - return tables as the image that was loaded
 * @routes: tables of xt_routes_make()
 * @bytes: [out] length of the image
 *
 * Return: the image.
 */
const void *xt_routes_read(const void *routes, size_t *bytes)
{
	const struct xt_routes *r = routes;

	*bytes = r->bytes - sizeof(*r);
	return r->image;
}

/**
 * xt_routes_image() - return the current tables as the image that was loaded
 * @f: the fabric; no run may be in progress
 * @bytes: [out] length of the image
 *
 * Return: the image, NULL if there are no tables.
 */
const void *xt_routes_image(const struct torus_fabric *f, size_t *bytes)
{
	const struct xt_machine *m = f->machine;

	*bytes = 0;
	return m->routes ? xt_routes_read(m->routes, bytes) : NULL;
}

/**
 * xt_routes_free() - free tables
 * @routes: tables that no router uses, or NULL
 */
void xt_routes_free(void *routes)
{
	if (routes)
		torus_free(routes, ((struct xt_routes *)routes)->bytes);
}

/**
 * xt_routes_make() - convert an image of tables, datelines and partitions to the router's form
 * @f: the fabric; no run may be in progress
 * @image: struct torus_xt_routes and the data after it, aligned to 4 bytes; copied
 * @bytes: length of @image
 * @routes: [out] struct xt_routes, for xt_routes_use() or xt_routes_free()
 * @err: [out] error message
 *
 * Return: 0, -EINVAL, -ERANGE, -ENOMEM.
 */
int xt_routes_make(struct torus_fabric *f, const void *image, size_t bytes, void **routes,
		   struct torus_error *err)
{
	const struct torus_xt_routes *head = image;
	u32 inputs = f->nodes * XT_INPUTS;
	struct xt_routes *r;
	size_t total;
	int ret;
	u8 *at;

	if (bytes < sizeof(*head))
		return torus_fail(err, EINVAL,
				  "tables: %llu bytes were loaded, but the header alone needs %llu "
				  "bytes", (u64)bytes, (u64)sizeof(*head));
	ret = routes_check_head(f, head, bytes, err);
	if (ret)
		return ret;
	total = sizeof(*r) + bytes;
	r = torus_alloc(total);
	if (!r)
		return torus_fail(err, ENOMEM, "no memory for %llu bytes of tables", (u64)bytes);
	memcpy(r->image, image, bytes);
	at = (u8 *)(r->image + 1);
	r->bytes = total;
	r->tables = head->tables;
	r->pages = head->pages;
	memcpy(r->dateline, head->dateline, sizeof(r->dateline));
	r->input = (const u32 *)at;
	at += inputs * sizeof(u32);
	r->table = (const struct torus_xt_table *)at;
	at += r->tables * sizeof(*r->table);
	r->page = (const u8 (*)[XT_PAGE])at;
	ret = routes_check_tables(r, inputs, err);
	if (ret)
		torus_free(r, total);
	else
		*routes = r;
	return ret;
}

/**
 * xt_routes_use() - switch all routers to other tables from the next tick on
 * @f: the fabric; no run may be in progress
 * @routes: tables of xt_routes_make(); the previous tables are freed
 *
 * Packets in flight follow the new tables, except packets in a staging buffer, or on their way to
 * it, which leave by the port of that buffer.
 */
void xt_routes_use(struct torus_fabric *f, void *routes)
{
	struct xt_machine *m = f->machine;
	u32 node;

	xt_routes_free(m->routes);
	m->routes = routes;
	xt_set_routes(f);
	for (node = 0; node < f->nodes; node++)
		if (torus_node_here(f, node))
			f->router->reroute(f, node);
}
