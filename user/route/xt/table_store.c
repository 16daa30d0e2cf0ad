// SPDX-License-Identifier: GPL-2.0
/* Store the pages and rows of routing tables. Equal pages and equal rows are stored once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../common/array.h"
#include "table_store.h"

#define SLOTS_FIRST	256u

/**
 * xt_tables_new() - allocate tables without pages or rows
 * @tables: [out] freed with xt_tables_free()
 * @map: the machine; must outlive @tables
 * @dateline: by dimension: coordinate of the dateline; XT_NONE if there is none
 *
 * Return: 0, -ENOMEM.
 */
int xt_tables_new(struct xt_tables **tables, const struct xt_map *map, const uint32_t *dateline)
{
	struct xt_tables *made = calloc(1, sizeof(*made));

	*tables = made;
	if (!made)
		return -ENOMEM;
	made->map = map;
	memcpy(made->dateline, dateline, sizeof(made->dateline));
	made->locals = (map->region_nodes + XT_PAGE - 1) / XT_PAGE;
	made->width = made->locals + 1;
	made->pages.size = XT_PAGE;
	made->rows.size = made->width * sizeof(uint32_t);
	made->inputs = calloc((size_t)map->nodes * XT_PORTS, sizeof(*made->inputs));
	if (made->inputs)
		return 0;
	xt_tables_free(made);
	*tables = NULL;
	return -ENOMEM;
}

static void intern_free(struct xt_intern *intern)
{
	free(intern->things);
	free(intern->slots);
}

/**
 * xt_tables_free() - free tables
 * @tables: may be NULL
 */
void xt_tables_free(struct xt_tables *tables)
{
	if (!tables)
		return;
	intern_free(&tables->pages);
	intern_free(&tables->rows);
	free(tables->inputs);
	free(tables);
}

static uint32_t intern_hash(const void *bytes, size_t size)
{
	const uint32_t *words = bytes;
	uint64_t sum = size;
	size_t i;

	for (i = 0; i < size / sizeof(*words); i++)
		sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)(sum >> 32 ^ sum >> 15);
}

static const void *thing(const struct xt_intern *intern, uint32_t number)
{
	return (const char *)intern->things + number * intern->size;
}

static uint32_t *intern_find(const struct xt_intern *intern, const void *what)
{
	uint32_t mask = intern->nslots - 1, at = intern_hash(what, intern->size) & mask;

	while (intern->slots[at] != XT_NONE &&
	       memcmp(thing(intern, intern->slots[at]), what, intern->size))
		at = (at + 1) & mask;
	return &intern->slots[at];
}

/* Double the hash index of an intern table. At most half of the slots are in use. */
static int more_slots(struct xt_intern *intern)
{
	uint32_t wanted = intern->nslots ? 2 * intern->nslots : SLOTS_FIRST, i;
	uint32_t *slots = malloc(wanted * sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	memset(slots, 0xff, wanted * sizeof(*slots));
	free(intern->slots);
	intern->slots = slots;
	intern->nslots = wanted;
	for (i = 0; i < intern->count; i++)
		*intern_find(intern, thing(intern, i)) = i;
	return 0;
}

static uint32_t intern_keep(struct xt_intern *intern, const void *what)
{
	uint32_t *slot;
	void *things;

	if (2 * (intern->count + 1) > intern->nslots && more_slots(intern))
		return XT_NONE;
	slot = intern_find(intern, what);
	if (*slot != XT_NONE)
		return *slot;
	things = torus_array_reserve(intern->things, intern->count, intern->size);
	if (!things)
		return XT_NONE;
	intern->things = things;
	memcpy((char *)intern->things + intern->count * intern->size, what, intern->size);
	*slot = intern->count++;
	return *slot;
}

/**
 * xt_tables_page() - store a page
 * @entries: XT_PAGE entries
 *
 * Return: number of the page, or of an equal one that is stored already; XT_NONE without
 * memory.
 */
uint32_t xt_tables_page(struct xt_tables *tables, const uint8_t *entries)
{
	return intern_keep(&tables->pages, entries);
}

/**
 * xt_tables_row() - store a row
 * @pages: numbers of the row's pages, that of the global table last
 *
 * Return: number of the row, or of an equal one that is stored already; XT_NONE without memory.
 */
uint32_t xt_tables_row(struct xt_tables *tables, const uint32_t *pages)
{
	return intern_keep(&tables->rows, pages);
}

/**
 * xt_tables_bytes() - compute the size of tables
 *
 * Return: bytes of all pages, of all rows (four per page number) and of the inputs (four each).
 */
uint64_t xt_tables_bytes(const struct xt_tables *tables)
{
	return (uint64_t)tables->pages.count * tables->pages.size +
	       (uint64_t)tables->rows.count * tables->rows.size +
	       (uint64_t)tables->map->nodes * XT_PORTS * sizeof(*tables->inputs);
}
