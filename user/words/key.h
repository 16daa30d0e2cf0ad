/* SPDX-License-Identifier: GPL-2.0 */
/* Parse names of fabrics, and the key of KEY=VALUE. */
#ifndef TORUS_WORDS_KEY_H
#define TORUS_WORDS_KEY_H

#include "words.h"

bool word_pair(const char *pair, char *key, size_t size, const char **value);
bool word_name(const char *word, struct word_why *why);

#endif
