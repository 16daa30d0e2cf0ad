/* SPDX-License-Identifier: GPL-2.0 */
/* Parse numbers. */
#ifndef TORUS_WORDS_NUMBER_H
#define TORUS_WORDS_NUMBER_H

#include "words.h"

bool word_part(const char *start, const char *end, __u64 *value);
bool word_number(const char *what, const char *word, __u64 min, __u64 max, __u64 *value,
		 struct word_why *why);
bool word_u32(const char *what, const char *word, __u32 min, __u32 max, __u32 *value,
	      struct word_why *why);
bool word_fraction(const char *what, const char *word, unsigned int bits, unsigned int max,
		   __u64 *value, struct word_why *why);
bool word_ber(const char *word, __u64 *value, struct word_why *why);
bool word_sizes(const char *word, __u32 *min, __u32 *max, struct word_why *why);
double word_double(__u64 value, unsigned int bits);

#endif
