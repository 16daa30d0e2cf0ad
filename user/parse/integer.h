/* SPDX-License-Identifier: GPL-2.0 */
/* Parse numbers. */
#ifndef TORUS_PARSE_INTEGER_H
#define TORUS_PARSE_INTEGER_H

#include <stdint.h>

#include "parse.h"

bool parse_part(const char *start, const char *end, __u64 *value);
bool parse_number(const char *what, const char *word, __u64 min, __u64 max, __u64 *value,
		  struct parse_error *why);
bool parse_u32(const char *what, const char *word, uint32_t min, uint32_t max, uint32_t *value,
	       struct parse_error *why);
bool parse_fraction(const char *what, const char *word, unsigned int bits, unsigned int max,
		    __u64 *value, struct parse_error *why);
bool parse_ber(const char *word, __u64 *value, struct parse_error *why);
bool parse_sizes(const char *word, uint32_t *min, uint32_t *max, struct parse_error *why);
double parse_double(__u64 value, unsigned int bits);

#endif
