// SPDX-License-Identifier: GPL-2.0
/*
 * Convert tables to the kernel's image (struct torus_xt_routes), and back. The image numbers nodes
 * with x fastest, a map with z fastest.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/torus.h>

#include "kernel_image.h"
#include "spec.h"

_Static_assert(XT_PAGE == TORUS_XT_PAGE, "pages are alike");
_Static_assert(XT_ENTRY(0, 1) == TORUS_XT_VC1, "entries are alike");
_Static_assert(XT_MISSING == TORUS_XT_MISSING, "and those that are not there");

/* Return a node's index in the image. */
static uint32_t image_index(const struct xt_map *map, uint32_t node)
{
	const uint16_t *at = map->at[node];

	return at[0] + map->dims[0] * (at[1] + map->dims[1] * at[2]);
}

/*
 * State of a conversion of tables into an image. A table in the image contains its partition. So a
 * row that nodes of several regions share becomes one table per region. Tables are numbered in the
 * order of their first use.
 */
struct image_maker {
	const struct xt_tables *tables;
	/* number of the table in the image, by row and region; XT_NONE: no number yet */
	uint32_t *number;
	uint32_t count;
};

static uint32_t *image_number(const struct image_maker *maker, uint32_t row, uint32_t region)
{
	return &maker->number[(size_t)row * maker->tables->map->regions + region];
}

static bool image_count(struct image_maker *maker)
{
	const struct xt_map *map = maker->tables->map;
	size_t n = (size_t)maker->tables->rows.count * map->regions;
	uint32_t node, in;

	maker->number = malloc(n * sizeof(*maker->number));
	if (!maker->number)
		return false;
	memset(maker->number, 0xff, n * sizeof(*maker->number));
	for (node = 0; node < map->nodes; node++)
		for (in = 0; in < XT_PORTS; in++) {
			uint32_t row = maker->tables->inputs[node * XT_PORTS + in];
			uint32_t *number = image_number(maker, row, xt_region(map, node));

			if (*number == XT_NONE)
				*number = maker->count++;
		}
	return true;
}

static void image_table(const struct xt_tables *tables, uint32_t row, uint32_t region,
			struct torus_xt_table *table)
{
	const uint32_t *pages = xt_row(tables, row);
	uint32_t i;

	memset(table, 0, sizeof(*table));
	table->partition = (uint8_t)region;
	for (i = 0; i < TORUS_XT_PAGE; i++)
		table->page[i] = (uint16_t)(i < tables->locals ? pages[i] : tables->pages.count);
	memcpy(table->global, xt_page(tables, pages[tables->locals]), sizeof(table->global));
}

static void image_fill(const struct image_maker *maker, struct torus_xt_routes *head)
{
	const struct xt_tables *tables = maker->tables;
	const struct xt_map *map = tables->map;
	uint32_t *input = (uint32_t *)(head + 1), node, in;
	struct torus_xt_table *table = (struct torus_xt_table *)(input + map->nodes * XT_PORTS);
	uint8_t *page = (uint8_t *)(table + maker->count);

	for (node = 0; node < map->nodes; node++)
		for (in = 0; in < XT_PORTS; in++) {
			uint32_t row = tables->inputs[node * XT_PORTS + in];
			uint32_t region = xt_region(map, node);
			uint32_t number = *image_number(maker, row, region);

			input[image_index(map, node) * XT_PORTS + in] = number;
			image_table(tables, row, region, &table[number]);
		}
	memcpy(page, tables->pages.things, (size_t)tables->pages.count * XT_PAGE);
	/* add a page of missing entries, for local node numbers that a region does not have */
	memset(page + (size_t)tables->pages.count * XT_PAGE, XT_MISSING, XT_PAGE);
}

/**
 * xt_image_make() - convert tables to the kernel's image
 * @bytes: [out] length of the image
 * @why: [out] the reason of a failure
 *
 * Return: the image, freed by the caller; NULL if there is no memory or if the tables have more
 * pages than an image can number.
 */
void *xt_image_make(const struct xt_tables *tables, size_t *bytes, struct parse_error *why)
{
	const struct xt_map *map = tables->map;
	struct image_maker maker = { .tables = tables };
	struct torus_xt_routes *head = NULL;
	uint32_t dim;

	if (tables->pages.count > UINT16_MAX) {
		parse_fail(why, "the tables have %u different pages, must have at most %u",
			   tables->pages.count,
			   UINT16_MAX);
		return NULL;
	}
	if (!image_count(&maker)) {
		parse_fail(why, "out of memory for the numbers of %u rows of tables",
			   tables->rows.count);
		return NULL;
	}
	*bytes = sizeof(*head) + (size_t)map->nodes * XT_PORTS * sizeof(uint32_t) +
		 (size_t)maker.count * sizeof(struct torus_xt_table) +
		 ((size_t)tables->pages.count + 1) * XT_PAGE;
	head = calloc(1, *bytes);
	if (head) {
		head->version = TORUS_XT_ROUTES_VERSION;
		head->nodes = map->nodes;
		head->tables = maker.count;
		head->pages = tables->pages.count + 1;
		for (dim = 0; dim < XT_DIMS; dim++)
			head->dateline[dim] = tables->dateline[dim];
		image_fill(&maker, head);
	} else {
		parse_fail(why, "out of memory for an image of %zu bytes", *bytes);
	}
	free(maker.number);
	return head;
}

/*
 * Convert a table of the image to a row: the pages of the local table, then one page with the
 * entries of the global table. Return: the row's number, or XT_NONE if there is no memory.
 */
static uint32_t image_row(struct xt_tables *tables, const struct torus_xt_table *table,
			  const uint8_t *page)
{
	uint32_t pages[TORUS_XT_PAGE + 1], i;
	uint8_t entries[XT_PAGE];

	for (i = 0; i <= tables->locals; i++) {
		memset(entries, XT_MISSING, sizeof(entries));
		if (i < tables->locals)
			memcpy(entries, page + (size_t)table->page[i] * XT_PAGE, XT_PAGE);
		else
			memcpy(entries, table->global, sizeof(table->global));
		pages[i] = xt_tables_page(tables, entries);
		if (pages[i] == XT_NONE)
			return XT_NONE;
	}
	return xt_tables_row(tables, pages);
}

/**
 * xt_image_read() - convert the kernel's image to tables
 * @image: read from the kernel, which has validated it
 * @bytes: length of @image
 * @map: the machine; its regions must match the image's partitions
 * @tables: [out] the tables; freed with xt_tables_free()
 * @why: [out] the reason of a failure
 *
 * Return: true on success; false if the image is for another machine, or without memory.
 */
bool xt_image_read(const void *image, size_t bytes, const struct xt_map *map,
		   struct xt_tables **tables, struct parse_error *why)
{
	const struct torus_xt_routes *head = image;
	const uint32_t *input = (const uint32_t *)(head + 1);
	const struct torus_xt_table *table;
	const uint8_t *page;
	uint32_t node, in;

	if (bytes < sizeof(*head) || head->nodes != map->nodes)
		return parse_fail(why,
				  "the tables have %zu bytes, which is not the size for %u nodes",
				  bytes, map->nodes);
	table = (const struct torus_xt_table *)(input + (size_t)map->nodes * XT_PORTS);
	page = (const uint8_t *)(table + head->tables);
	if (xt_tables_new(tables, map, head->dateline))
		return parse_fail(why, "out of memory for tables of %zu bytes", bytes);
	for (node = 0; node < map->nodes; node++)
		for (in = 0; in < XT_PORTS; in++) {
			uint32_t number = input[image_index(map, node) * XT_PORTS + in];
			uint32_t row = image_row(*tables, &table[number], page);

			if (table[number].partition != xt_region(map, node)) {
				parse_fail(why, "node %u: partition %u must equal its region %u",
					   node,
					   table[number].partition, xt_region(map, node));
				row = XT_NONE;
			} else if (row == XT_NONE) {
				parse_fail(why, "out of memory for tables of %zu bytes", bytes);
			}
			if (row == XT_NONE) {
				xt_tables_free(*tables);
				*tables = NULL;
				return false;
			}
			(*tables)->inputs[node * XT_PORTS + in] = row;
		}
	return true;
}
