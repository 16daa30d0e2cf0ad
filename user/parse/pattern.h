/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the traffic patterns of the core. */
#ifndef TORUS_PARSE_PATTERN_H
#define TORUS_PARSE_PATTERN_H

#include "parse.h"

const char *parse_pattern_file(const char *name);
bool parse_pattern(const char *name, __u32 *pattern, struct parse_error *why);
const char *parse_pattern_name(__u32 pattern);
const char *parse_pattern_each(__u32 pattern);
size_t parse_pattern_list(char *text, size_t size);

#endif
