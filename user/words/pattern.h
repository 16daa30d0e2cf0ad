/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the core's patterns. */
#ifndef TORUS_WORDS_PATTERN_H
#define TORUS_WORDS_PATTERN_H

#include "words.h"

const char *word_pattern_file(const char *name);
bool word_pattern(const char *name, __u32 *pattern, struct word_why *why);
const char *word_pattern_name(__u32 pattern);
const char *word_pattern_each(__u32 pattern);
size_t word_pattern_list(char *text, size_t size);

#endif
