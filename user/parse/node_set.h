/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a set of nodes: "0-3,0,0", "all,1,1", "5-9", "all". */
#ifndef TORUS_PARSE_NODE_SET_H
#define TORUS_PARSE_NODE_SET_H

#include <stdint.h>

#include "parse.h"

bool parse_places(const char *word, struct parse_places *places, struct parse_error *why);
bool parse_places_inside(struct parse_places *places, const struct torus_machine_shape *shape,
			 const char *whose, struct parse_error *why);
bool parse_places_next(const struct parse_places *places, uint32_t *at);
size_t parse_places_item(const char **list, char item[PARSE_PLACES_ITEM_MAX]);

#endif
