// SPDX-License-Identifier: GPL-2.0
/* Nodes and directions as options of torus-sim name them: one, or all. */
#include <string.h>

#include "../machine/machine.h"
#include "core/base/number.h"
#include "where.h"

/**
 * sim_where_node - understand a node
 * @config: with its shape
 * @word: its number, its coordinates, or all
 * @node: gets its index, TORUS_NONE of all
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool sim_where_node(const struct torus_config *config, const char *word, u32 *node,
		    struct word_why *why)
{
	const struct torus_geometry *geo = &config->geo;
	const struct torus_machine_shape shape = {
		.ndims = geo->ndims, .dims = geo->dims, .mesh = geo->mesh,
	};
	struct word_place place;

	*node = TORUS_NONE;
	if (!word_place(word, true, &place, why) ||
	    !word_place_inside(&place, &shape, "the shape", why))
		return false;
	if (place.all)
		return true;
	*node = place.by_coords ? torus_geometry_node(geo, place.coords.numbers) :
				  torus_node_index(geo, place.number);
	return *node != TORUS_NONE || word_refuse(why, "node %s: outside the shape", word);
}

/**
 * sim_where_dir - understand a direction
 * @config: with its shape
 * @word: like x+, or all
 * @dir: gets it, TORUS_NONE of all
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool sim_where_dir(const struct torus_config *config, const char *word, u32 *dir,
		   struct word_why *why)
{
	*dir = TORUS_NONE;
	if (!strcmp(word, "all"))
		return true;
	if (!word_dir(word, dir, why))
		return false;
	return *dir < 2 * config->geo.ndims ||
	       word_refuse(why, "direction %s: the shape has %u dimensions", word,
			   config->geo.ndims);
}
