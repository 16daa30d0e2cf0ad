/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the nodes of a hot spot. */
#ifndef TORUS_PARSE_HOTSPOT_H
#define TORUS_PARSE_HOTSPOT_H

#include "parse.h"

bool parse_hot(const char *list, const struct torus_machine *machine,
	       const struct torus_machine_shape *shape, struct torus_traffic *traffic,
	       struct parse_error *why);

#endif
