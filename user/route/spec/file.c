// SPDX-License-Identifier: GPL-2.0
/*
 * Read a machine's tables from a file. This code is separate from spec.c, so that programs that
 * read no table files need no JSON library.
 */
#include "file.h"
#include "spec.h"
#include "../file/read.h"

/**
 * xt_spec_read() - read the tables from a file
 * @spec: [in, out] must have a map; the tables must be for the same shape
 * @file: name of the file; "-" is standard input
 * @why: [out] the reason of a failure
 *
 * Return: true if the file contains tables for the spec's machine.
 */
bool xt_spec_read(struct xt_spec *spec, const char *file, struct parse_error *why)
{
	struct xt_map *map;
	uint32_t dim;

	if (!xt_file_read(file, &map, &spec->tables, why))
		return false;
	for (dim = 0; dim < XT_DIMS; dim++)
		if (map->dims[dim] != spec->map->dims[dim])
			break;
	if (dim < XT_DIMS || map->mesh != spec->map->mesh || map->planes != spec->map->planes) {
		parse_fail(why,
			   "%s: the tables are for another machine: %ux%ux%u with regions of %u "
			   "planes%s", file, map->dims[0], map->dims[1], map->dims[2], map->planes,
			   map->mesh == spec->map->mesh ? "" : ", with other mesh dimensions");
		xt_tables_free(spec->tables);
		spec->tables = NULL;
		xt_map_free(map);
		return false;
	}
	/* use the map of the spec, because the user specified its cables */
	spec->tables->map = spec->map;
	xt_map_free(map);
	return true;
}
