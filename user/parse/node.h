/* SPDX-License-Identifier: GPL-2.0 */
/* Parse and print a node. */
#ifndef TORUS_PARSE_NODE_H
#define TORUS_PARSE_NODE_H

#include <stdint.h>

#include "parse.h"

bool parse_place(const char *word, bool all_allowed, struct parse_place *place,
		 struct parse_error *why);
bool parse_place_inside(const struct parse_place *place, const struct torus_machine_shape *shape,
			const char *whose, struct parse_error *why);
bool parse_place_refuse(const char *before, uint32_t number, uint32_t last,
			struct parse_error *why);
const char *parse_place_text(const struct torus_machine *machine,
			     const struct torus_machine_shape *shape, uint32_t node, char *text,
			     size_t size);

#endif
