/* SPDX-License-Identifier: GPL-2.0 */
/* Patterns from a file, for --pattern file:NAME. */
#ifndef TORUS_WORDS_PAIRS_H
#define TORUS_WORDS_PAIRS_H

#include "words.h"

bool word_pairs_read(struct word_pairs *pairs, const char *name,
		     const struct torus_machine *machine,
		     const struct torus_machine_shape *shape, __u32 nodes,
		     struct word_why *why);
void word_pairs_free(struct word_pairs *pairs);

#endif
