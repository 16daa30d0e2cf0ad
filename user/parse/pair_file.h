/* SPDX-License-Identifier: GPL-2.0 */
/* Read traffic patterns from a file, for --pattern file:NAME. */
#ifndef TORUS_PARSE_PAIR_FILE_H
#define TORUS_PARSE_PAIR_FILE_H

#include <stdint.h>

#include "parse.h"

bool parse_pairs_read(struct parse_pairs *pairs, const char *name,
		      const struct torus_machine *machine,
		      const struct torus_machine_shape *shape, uint32_t nodes,
		      struct parse_error *why);
void parse_pairs_free(struct parse_pairs *pairs);

#endif
