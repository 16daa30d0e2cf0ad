/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of a machine, as described by the loaded module. */
#ifndef TORUS_NL_PARAM_H
#define TORUS_NL_PARAM_H

#include "fabric.h"

#define TORUS_NL_VALUES_MAX	256	/* bytes of the list of values of an enumeration */
#define TORUS_NL_HELP_MAX	128	/* bytes of a line of help */

/**
 * struct torus_nl_key - a parameter of a machine
 * @key: name
 * @initial: default value as text
 * @values: values of an enumeration, separated by blanks; "" for a number
 * @min: smallest number
 * @max: largest number
 * @unit: unit of the number; "" if there is none
 * @live: can be changed while the fabric exists
 * @help: one line of help
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
