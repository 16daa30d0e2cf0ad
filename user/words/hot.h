/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the nodes of a hot spot. */
#ifndef TORUS_WORDS_HOT_H
#define TORUS_WORDS_HOT_H

#include "words.h"

bool word_hot(const char *list, const struct torus_machine *machine,
	      const struct torus_machine_shape *shape, struct torus_traffic *traffic,
	      struct word_why *why);

#endif
