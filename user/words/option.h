/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers as values of options. */
#ifndef TORUS_WORDS_OPTION_H
#define TORUS_WORDS_OPTION_H

#include "words.h"

bool word_option_u64(void *into, const struct option_row *row, const char *word,
		     struct word_why *why);
bool word_option_u32(void *into, const struct option_row *row, const char *word,
		     struct word_why *why);

#endif
