// SPDX-License-Identifier: GPL-2.0
/* Selectors of nodes, directions and links in options of torus-sim: one of them, or all. */
#include <string.h>

#include "../../machine/machine.h"
#include "../../parse/node.h"
#include "../../parse/shape.h"
#include "core/base/node_number.h"
#include "selector.h"

#define TEXT_MAX	256

/**
 * sim_select_node - parse the selector of a node
 * @config: configuration, whose shape is set
 * @word: number or coordinates of a node, or all
 * @node: [out] index of the node; TORUS_NONE for all nodes
 * @why: [out] error message on failure
 *
 * Return: true on success.
 */
bool sim_select_node(const struct torus_config *config, const char *word, u32 *node,
		     struct parse_error *why)
{
	const struct torus_geometry *geo = &config->geo;
	const struct torus_machine_shape shape = {
		.ndims = geo->ndims, .dims = geo->dims, .mesh = geo->mesh,
	};
	struct parse_place place;

	*node = TORUS_NONE;
	if (!parse_place(word, true, &place, why) ||
	    !parse_place_inside(&place, &shape, "the shape", why))
		return false;
	if (place.all)
		return true;
	*node = place.by_coords ? torus_geometry_node(geo, place.coords.numbers) :
				  torus_node_index(geo, place.number);
	return *node != TORUS_NONE ||
	       parse_place_refuse("", place.number, geo->numbering.last, why);
}

/**
 * sim_select_dir - parse the selector of a direction
 * @config: configuration, whose shape is set
 * @word: a direction such as x+, or all
 * @dir: [out] the direction; TORUS_NONE for all directions
 * @why: [out] error message on failure
 *
 * Return: true on success.
 */
bool sim_select_dir(const struct torus_config *config, const char *word, u32 *dir,
		    struct parse_error *why)
{
	*dir = TORUS_NONE;
	if (!strcmp(word, "all"))
		return true;
	if (!parse_dir(word, dir, why))
		return false;
	return *dir < 2 * config->geo.ndims ||
	       parse_fail(why, "direction %s: must be one of the %u dimensions of the shape", word,
			  config->geo.ndims);
}

/**
 * sim_select_links - parse the selector of links
 * @config: configuration, whose shape is set
 * @word: NODE|all DIR|all
 * @links: [out] the selector
 * @why: [out] error message on failure
 *
 * Return: true on success.
 */
bool sim_select_links(const struct torus_config *config, const char *word,
		      struct sim_links *links, struct parse_error *why)
{
	char *save = NULL, *node, *dir;
	char text[TEXT_MAX];

	if (strlen(word) >= sizeof(text))
		return parse_fail(why, "must be at most %d bytes long", TEXT_MAX - 1);
	strcpy(text, word);
	node = strtok_r(text, " ", &save);
	dir = strtok_r(NULL, " ", &save);
	if (!dir || strtok_r(NULL, " ", &save))
		return parse_fail(why, "must be NODE|all DIR|all");
	if (!sim_select_node(config, node, &links->node, why) ||
	    !sim_select_dir(config, dir, &links->dir, why))
		return false;
	if (links->dir == TORUS_NONE)
		return true;
	if (links->node == TORUS_NONE)
		return config->geo.dims[TORUS_DIM(links->dir)] > 1 ||
		       parse_fail(why, "no node has a link in direction %s", dir);
	return torus_geometry_neighbor(&config->geo, links->node, links->dir) != TORUS_NONE ||
	       parse_fail(why, "node %s has no link in direction %s", node, dir);
}

/**
 * sim_links_have - check whether a selector of a list matches a link
 * @links: the selectors
 * @n: number of selectors; 0 matches all links
 * @node: sender of the link
 * @dir: direction of the link
 *
 * Return: true if a selector matches.
 */
bool sim_links_have(const struct sim_links *links, unsigned int n, u32 node, u32 dir)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if ((links[i].node == TORUS_NONE || links[i].node == node) &&
		    (links[i].dir == TORUS_NONE || links[i].dir == dir))
			return true;
	return !n;
}
