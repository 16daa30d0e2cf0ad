/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the traffic patterns of the core. */
#ifndef TORUS_PARSE_PATTERN_H
#define TORUS_PARSE_PATTERN_H

#include <stdint.h>

#include "parse.h"

const char *parse_pattern_file(const char *name);
const char *parse_pattern_timed(const char *name);
bool parse_pattern(const char *name, uint32_t *pattern, struct parse_error *why);
const char *parse_pattern_name(uint32_t pattern);
const char *parse_pattern_each(uint32_t pattern);
size_t parse_pattern_list(char *text, size_t size);

#endif
