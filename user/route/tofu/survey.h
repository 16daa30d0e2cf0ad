/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Count the pairs that lose paths when one unit is dead. A unit is the four nodes with the same
 * x, y, z and b.
 */
#ifndef TORUS_ROUTE_TOFU_SURVEY_H
#define TORUS_ROUTE_TOFU_SURVEY_H

#include "check.h"

void tofu_unit_set(const struct torus_geometry *g, u32 node, u8 *dead, bool value);
int tofu_survey_run(struct tofu_survey *survey, const struct torus_geometry *g);

#endif
