// SPDX-License-Identifier: GPL-2.0
/*
 * Write routing tables to a file number by number, because the tables of a large machine have
 * millions of numbers.
 */
#include <string.h>
#include "file.h"
#include "write.h"
#include "../../parse/shape.h"

/* Write a list of numbers, with null for numbers equal to @none. */
static void put_numbers(FILE *out, const uint32_t *numbers, size_t count, uint32_t none)
{
	size_t i;

	fputc('[', out);
	for (i = 0; i < count; i++)
		if (numbers[i] == none)
			fprintf(out, "%snull", i ? "," : "");
		else
			fprintf(out, "%s%u", i ? "," : "", numbers[i]);
	fputc(']', out);
}

static void put_mesh(FILE *out, uint32_t mesh)
{
	const char *comma = "";
	unsigned int dim;

	fputs("\"mesh\":[", out);
	for (dim = 0; dim < XT_DIMS; dim++) {
		char name[PARSE_DIM_MAX];

		if (!(mesh >> dim & 1))
			continue;
		fprintf(out, "%s\"%s\"", comma, parse_dim_name(dim, name, sizeof(name)));
		comma = ",";
	}
	fputs("]", out);
}

/*
 * Write the rows of a node: one row if all inputs share it, otherwise a list with one row per
 * input.
 */
static void put_inputs(FILE *out, const struct xt_tables *tables, uint32_t node)
{
	const uint32_t *rows = tables->inputs + (size_t)node * XT_PORTS;
	uint32_t in;

	for (in = 1; in < XT_PORTS && rows[in] == rows[0]; in++)
		;
	if (in == XT_PORTS) {
		put_numbers(out, xt_row(tables, rows[0]), tables->width, XT_NONE);
		return;
	}
	fputc('[', out);
	for (in = 0; in < XT_PORTS; in++) {
		if (in)
			fputc(',', out);
		put_numbers(out, xt_row(tables, rows[in]), tables->width, XT_NONE);
	}
	fputc(']', out);
}

/**
 * xt_file_write() - write tables as JSON
 *
 * Return: true if @out accepted all data.
 */
bool xt_file_write(FILE *out, const struct xt_tables *tables)
{
	const struct xt_map *map = tables->map;
	uint32_t regions[XT_REGIONS_MAX], numbers[XT_PAGE], i, j;
	char shape[PARSE_SHAPE_MAX];

	for (i = 0; i < map->regions; i++)
		regions[i] = (xt_region_start(map, i + 1) - xt_region_start(map, i)) /
			     (map->dims[1] * map->dims[2]);
	fprintf(out, "{\"version\":%d,\"arch\":\"xt\",\"shape\":\"%s\",", XT_FILE_VERSION,
		parse_shape_text(XT_DIMS, map->dims, shape, sizeof(shape)));
	put_mesh(out, map->mesh);
	fputs(",\"datelines\":", out);
	put_numbers(out, tables->dateline, XT_DIMS, XT_NONE);
	fputs(",\"regions\":", out);
	put_numbers(out, regions, map->regions, XT_NONE);
	fputs(",\n\"inputs\":[", out);
	for (i = 0; i < map->nodes; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_inputs(out, tables, i);
	}
	fputs("],\n\"pages\":[", out);
	for (i = 0; i < tables->pages.count; i++) {
		for (j = 0; j < XT_PAGE; j++)
			numbers[j] = xt_page(tables, i)[j];
		fputs(i ? ",\n" : "\n", out);
		put_numbers(out, numbers, XT_PAGE, XT_MISSING);
	}
	fputs("]}\n", out);
	return !ferror(out);
}
