// SPDX-License-Identifier: GPL-2.0
/*
 * Mark each unit dead in turn, and count the pairs that lose paths. A unit is the four nodes
 * with the same x, y, z and b.
 */
#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "survey.h"

/**
 * tofu_unit_set() - mark a unit dead or alive
 * @node: index of one of the unit's nodes
 * @dead: [in, out] by node: set to @value for the unit's nodes
 */
void tofu_unit_set(const struct torus_geometry *g, u32 node, u8 *dead, bool value)
{
	u32 at[TOFU_AXES];

	torus_geometry_coords(g, node, at);
	for (at[TOFU_A] = 0; at[TOFU_A] < TOFU_A_LENGTH; at[TOFU_A]++)
		for (at[TOFU_C] = 0; at[TOFU_C] < TOFU_C_LENGTH; at[TOFU_C]++)
			dead[torus_geometry_node(g, at)] = value;
}

static void survey_pair(struct tofu_survey *survey, const struct torus_geometry *g,
			const u8 *dead, u32 from, u32 to)
{
	u32 fixed = tofu_path_of(g, TOFU_FIXED, from, to), order;

	for (order = 0; order < TOFU_ORDERS; order++) {
		survey->pairs++;
		if (tofu_path_clean(g, dead, from, to, fixed, order))
			continue;
		survey->changed++;
		if (tofu_path_choose(g, dead, from, to, order) != TORUS_NONE)
			continue;
		survey->lost++;
		survey->from = from;
		survey->to = to;
	}
}

/**
 * tofu_survey_run() - mark each unit dead in turn, and check whether each pair of living nodes
 * keeps a path without dead nodes
 * @survey: [out] the results
 *
 * Return: 0, -ENOMEM.
 */
int tofu_survey_run(struct tofu_survey *survey, const struct torus_geometry *g)
{
	u8 *dead = calloc(g->nodes, 1);
	u32 unit, from, to, at[TOFU_AXES];
	u64 lost;

	memset(survey, 0, sizeof(*survey));
	if (!dead)
		return -ENOMEM;
	for (unit = 0; unit < g->nodes; unit++) {
		torus_geometry_coords(g, unit, at);
		if (at[TOFU_A] || at[TOFU_C])
			continue;
		lost = survey->lost;
		tofu_unit_set(g, unit, dead, true);
		for (from = 0; from < g->nodes; from++)
			for (to = 0; to < g->nodes; to++)
				if (from != to && !dead[from] && !dead[to])
					survey_pair(survey, g, dead, from, to);
		tofu_unit_set(g, unit, dead, false);
		survey->units++;
		if (survey->lost != lost)
			survey->unit = unit;
	}
	free(dead);
	return 0;
}
