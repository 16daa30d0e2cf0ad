/* SPDX-License-Identifier: GPL-2.0 */
/* The parameters of a machine, as the loaded module describes them. */
#ifndef TORUS_NL_PARAM_H
#define TORUS_NL_PARAM_H

#include "fabric.h"

#define TORUS_NL_VALUES_MAX	256	/* bytes of the names of a choice */
#define TORUS_NL_HELP_MAX	128	/* of a line of help */

/**
 * struct torus_nl_key - a parameter that a machine has
 * @key: its name
 * @initial: its value unless told, in words
 * @values: what it may be, a blank between them; "" of a number
 * @min: the least number
 * @max: the greatest
 * @unit: of the number, "" when it has none
 * @live: a living fabric takes it
 * @help: one line
 */
struct torus_nl_key {
	char key[TORUS_NL_KEY_MAX];
	char initial[TORUS_NL_TEXT_MAX];
	char values[TORUS_NL_VALUES_MAX];
	uint64_t min;
	uint64_t max;
	char unit[TORUS_NL_UNIT_MAX];
	bool live;
	char help[TORUS_NL_HELP_MAX];
};

int torus_nl_key_dump(struct torus_nl *nl, const char *arch, struct torus_nl_key **keys,
		      size_t *count);

#endif /* TORUS_NL_PARAM_H */
