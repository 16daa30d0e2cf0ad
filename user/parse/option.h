/* SPDX-License-Identifier: GPL-2.0 */
/* Store integers that are values of command line options. */
#ifndef TORUS_PARSE_OPTION_H
#define TORUS_PARSE_OPTION_H

#include "parse.h"

bool parse_option_u64(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why);
bool parse_option_u32(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why);

#endif
