/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a set of nodes: "0-3,0,0", "all,1,1", "5-9", "all". */
#ifndef TORUS_WORDS_PLACES_H
#define TORUS_WORDS_PLACES_H

#include "words.h"

bool word_places(const char *word, struct word_places *places, struct word_why *why);
bool word_places_inside(struct word_places *places, const struct torus_machine_shape *shape,
			const char *whose, struct word_why *why);
bool word_places_next(const struct word_places *places, __u32 *at);
size_t word_places_item(const char **list, char item[WORD_PLACES_ITEM_MAX]);

#endif
