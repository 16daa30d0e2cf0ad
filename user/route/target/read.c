// SPDX-License-Identifier: GPL-2.0
/* A machine's tables out of a file: apart, so that who reads none needs no JSON. */
#include "read.h"
#include "target.h"
#include "../file/read.h"

/**
 * xt_target_read() - take the tables from a file
 * @target: with a map, whose shape they must be of; gets them
 * @file: its name
 * @why: gets the reason
 *
 * Return: whether they are tables of this machine.
 */
bool xt_target_read(struct xt_target *target, const char *file, struct word_why *why)
{
	struct xt_map *map;
	uint32_t dim;

	if (!xt_file_read(file, &map, &target->tables, why))
		return false;
	for (dim = 0; dim < XT_DIMS; dim++)
		if (map->dims[dim] != target->map->dims[dim])
			break;
	if (dim < XT_DIMS || map->mesh != target->map->mesh || map->planes != target->map->planes) {
		word_refuse(why, "%s: tables of %ux%ux%u in regions of %u planes%s", file,
			    map->dims[0], map->dims[1], map->dims[2], map->planes,
			    map->mesh == target->map->mesh ? "" : ", of another mesh");
		xt_tables_free(target->tables);
		target->tables = NULL;
		xt_map_free(map);
		return false;
	}
	/* The cables are those of the words. */
	target->tables->map = target->map;
	xt_map_free(map);
	return true;
}
