/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing tables (Abts et al. (2007), section 2.2): "a dedicated routing table at each input port
 * that is used to lookup the destination port and virtual channel".
 *
 * A table has 4096 local entries, by destination[11:0], and sixteen global ones, by
 * destination[14:12] and bit 0. The partition register determines which of the two is read. Most
 * tables of a machine have most entries in common. Local entries are therefore in pages of 64;
 * equal pages are stored once, and inputs with equal tables share one table.
 */
#ifndef TORUS_ARCH_XT_TABLE_H
#define TORUS_ARCH_XT_TABLE_H

#include "xt.h"

#define XT_INPUTS	7	/* six link ports and the processor port */
#define XT_PROCESSOR	6	/* number of the processor port */
#define XT_PAGES	64	/* pages of a table */
#define XT_PAGE		64	/* entries of a page */

/**
 * struct xt_routes - the tables of a machine
 * @bytes: bytes of this struct and the image
 * @pages: number of pages
 * @tables: number of tables
 * @dateline: coordinate of each dimension's dateline node, TORUS_NONE: none
 * @input: by node and input: index of its table
 * @table: the tables
 * @page: entries: TORUS_XT_PORT, TORUS_XT_VC1; TORUS_XT_MISSING
 * @image: the loaded image, to which the pointers above point
 */
struct xt_routes {
	size_t bytes;
	u32 pages;
	u32 tables;
	u32 dateline[XT_DIMS];
	const u32 *input;
	const struct torus_xt_table *table;
	const u8 (*page)[XT_PAGE];
	struct torus_xt_routes image[];
};

/**
 * xt_node_entry() - look up a destination in a table
 * @r: the tables
 * @table: number of the table
 * @partition: the table's partition
 * @nid: destination[14:0]
 *
 * "The upper three bits .. are compared to the global partition of the current SeaStar router. If
 * the global partition does not match, then the packet is routed to the output port specified in
 * the global lookup table" (2.2), which is "indexed by the NID's upper 3 bits and bottom bit"
 * (3.3).
 *
 * A node whose inputs share a table has @table and @partition. This look-up then loads a page
 * number and an entry only.
 *
 * Return: the entry.
 */
torus_inline u32 xt_node_entry(const struct xt_routes *r, u32 table, u32 partition, u32 nid)
{
	const struct torus_xt_table *t = &r->table[table];

	if (nid >> 12 != partition)
		return t->global[(nid >> 12) << 1 | (nid & 1)];
	return r->page[t->page[nid / XT_PAGE % XT_PAGES]][nid % XT_PAGE];
}

/**
 * xt_table_entry() - look up a destination in an input's table
 * @r: the tables
 * @node: index of the node
 * @input: 0..5: the port of that direction, or XT_PROCESSOR
 * @nid: destination[14:0]
 *
 * Before xt_node_entry(), this loads the table's number and partition from two further cache lines.
 *
 * Return: the entry.
 */
torus_inline u32 xt_table_entry(const struct xt_routes *r, u32 node, u32 input, u32 nid)
{
	u32 table = r->input[node * XT_INPUTS + input];

	return xt_node_entry(r, table, r->table[table].partition, nid);
}

/* Prefetch the part of a table that xt_node_entry() reads first. */
torus_inline void xt_node_entry_prefetch(const struct xt_routes *r, u32 table, u32 partition,
					 u32 nid)
{
	const struct torus_xt_table *t = &r->table[table];

	torus_prefetch(nid >> 12 != partition ? (const void *)t->global :
						&t->page[nid / XT_PAGE % XT_PAGES]);
}

int xt_routes_make(struct torus_fabric *f, const void *image, size_t bytes, void **routes,
		   struct torus_error *err);
void xt_routes_use(struct torus_fabric *f, void *routes);
void xt_routes_free(void *routes);
const void *xt_routes_read(const void *routes, size_t *bytes);
const void *xt_routes_image(const struct torus_fabric *f, size_t *bytes);

#endif
