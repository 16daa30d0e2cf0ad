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

static void store_free(struct xt_store *store)
{
	free(store->things);
	free(store->slots);
}

/**
 * xt_tables_free() - free tables
 * @tables: may be NULL
 */
void xt_tables_free(struct xt_tables *tables)
{
	if (!tables)
		return;
	store_free(&tables->pages);
	store_free(&tables->rows);
	free(tables->inputs);
	free(tables);
}

static uint32_t hash(const void *bytes, size_t size)
{
	const uint32_t *words = bytes;
	uint64_t sum = size;
	size_t i;

	for (i = 0; i < size / sizeof(*words); i++)
		sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)(sum >> 32 ^ sum >> 15);
}

static const void *thing(const struct xt_store *store, uint32_t number)
{
	return (const char *)store->things + number * store->size;
}

static uint32_t *find(const struct xt_store *store, const void *what)
{
	uint32_t mask = store->nslots - 1, at = hash(what, store->size) & mask;

	while (store->slots[at] != XT_NONE &&
	       memcmp(thing(store, store->slots[at]), what, store->size))
		at = (at + 1) & mask;
	return &store->slots[at];
}

/* Double the hash index of a store. At most half of the slots are in use. */
static int more_slots(struct xt_store *store)
{
	uint32_t wanted = store->nslots ? 2 * store->nslots : SLOTS_FIRST, i;
	uint32_t *slots = malloc(wanted * sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	memset(slots, 0xff, wanted * sizeof(*slots));
	free(store->slots);
	store->slots = slots;
	store->nslots = wanted;
	for (i = 0; i < store->count; i++)
		*find(store, thing(store, i)) = i;
	return 0;
}

static uint32_t keep(struct xt_store *store, const void *what)
{
	uint32_t *slot;
	void *things;

	if (2 * (store->count + 1) > store->nslots && more_slots(store))
		return XT_NONE;
	slot = find(store, what);
	if (*slot != XT_NONE)
		return *slot;
	things = torus_array_reserve(store->things, store->count, store->size);
	if (!things)
		return XT_NONE;
	store->things = things;
	memcpy((char *)store->things + store->count * store->size, what, store->size);
	*slot = store->count++;
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
	return keep(&tables->pages, entries);
}

/**
 * xt_tables_row() - store a row
 * @pages: numbers of the row's pages, that of the global table last
 *
 * Return: number of the row, or of an equal one that is stored already; XT_NONE without memory.
 */
uint32_t xt_tables_row(struct xt_tables *tables, const uint32_t *pages)
{
	return keep(&tables->rows, pages);
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
