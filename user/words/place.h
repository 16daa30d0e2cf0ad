/* SPDX-License-Identifier: GPL-2.0 */
/* Parse and print a node. */
#ifndef TORUS_WORDS_PLACE_H
#define TORUS_WORDS_PLACE_H

#include "words.h"

bool word_place(const char *word, bool all_allowed, struct word_place *place,
		struct word_why *why);
bool word_place_inside(const struct word_place *place, const struct torus_machine_shape *shape,
		       const char *whose, struct word_why *why);
bool word_place_refuse(const char *before, __u32 number, __u32 last, struct word_why *why);
const char *word_place_text(const struct torus_machine *machine,
			    const struct torus_machine_shape *shape, __u32 node, char *text,
			    size_t size);

#endif
