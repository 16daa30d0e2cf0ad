/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing tables of a machine. Each node has seven inputs, each with a local table of 4096
 * entries and a global one of 16. Tables are stored as pages of 64 entries. A row lists the
 * pages of one input's tables. Equal pages and equal rows are stored once.
 */
#ifndef TORUS_ROUTE_XT_TABLE_STORE_H
#define TORUS_ROUTE_XT_TABLE_STORE_H

#include "next_hops.h"

#define XT_PAGE		64u		/* number of entries in a page, one byte each */
#define XT_GLOBAL	16u		/* number of entries in a global table */
#define XT_MISSING	0xffu		/* value of an entry that was not written */

/* Make a table entry: the port in bits 0 to 2, the VC in bit 3. */
#define XT_ENTRY(port, vc)	((uint8_t)((port) | (vc) << 3))
#define XT_ENTRY_PORT(entry)	((entry) & 7u)
#define XT_ENTRY_VC(entry)	((entry) >> 3 & 1u)

/**
 * struct xt_intern - intern table for fixed-size records
 * @things: array of different records
 * @count: number of records
 * @slots: hash index by content
 * @nslots: size of @slots, a power of two
 * @size: bytes of a record
 */
struct xt_intern {
	void *things;
	uint32_t count;
	uint32_t *slots;
	uint32_t nslots;
	size_t size;
};

/**
 * struct xt_tables - the tables of a machine
 * @dateline: by dimension: coordinate of the dateline's nodes; XT_NONE if there is none
 * @locals: number of pages of a local table
 * @width: number of pages of a row: @locals, and one for the global table
 * @pages: the pages, XT_PAGE entries each
 * @rows: the rows, @width page numbers each
 * @inputs: by node and input: number of the row
 */
struct xt_tables {
	const struct xt_map *map;
	uint32_t dateline[XT_DIMS];
	uint32_t locals;
	uint32_t width;
	struct xt_intern pages;
	struct xt_intern rows;
	uint32_t *inputs;
};

static inline const uint8_t *xt_page(const struct xt_tables *tables, uint32_t page)
{
	return (const uint8_t *)tables->pages.things + (size_t)page * XT_PAGE;
}

static inline const uint32_t *xt_row(const struct xt_tables *tables, uint32_t row)
{
	return (const uint32_t *)tables->rows.things + (size_t)row * tables->width;
}

/*
 * Look up the table entry of an input for a destination. The node's region acts as its partition
 * register.
 */
static inline uint8_t xt_tables_look(const struct xt_tables *tables, uint32_t node, uint32_t in,
				     uint32_t nid)
{
	const uint32_t *row = xt_row(tables, tables->inputs[node * XT_PORTS + in]);
	uint32_t region = nid >> XT_LOCAL_BITS, local = nid & (XT_REGION_NODES - 1);

	if (region == xt_region(tables->map, node))
		return xt_page(tables, row[local / XT_PAGE])[local % XT_PAGE];
	return xt_page(tables, row[tables->locals])[2 * region + (nid & 1)];
}

int xt_tables_new(struct xt_tables **tables, const struct xt_map *map, const uint32_t *dateline);
void xt_tables_free(struct xt_tables *tables);
uint32_t xt_tables_page(struct xt_tables *tables, const uint8_t *entries);
uint32_t xt_tables_row(struct xt_tables *tables, const uint32_t *pages);
uint64_t xt_tables_bytes(const struct xt_tables *tables);

/**
 * struct xt_made - statistics of the computation of tables
 * @goals: number of goals that were planned
 * @searched: number of goals that needed the search
 * @unreached: number of pairs of a node and a goal without a path
 */
struct xt_made {
	uint64_t goals;
	uint64_t searched;
	uint64_t unreached;
};

#endif /* TORUS_ROUTE_XT_TABLE_STORE_H */
