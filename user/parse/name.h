/* SPDX-License-Identifier: GPL-2.0 */
/* Parse names of fabrics, and the key of KEY=VALUE. */
#ifndef TORUS_PARSE_NAME_H
#define TORUS_PARSE_NAME_H

#include "parse.h"

bool parse_pair(const char *pair, char *key, size_t size, const char **value);
bool parse_name(const char *word, struct parse_error *why);

#endif
