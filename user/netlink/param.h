/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of a machine, as described by the loaded module. */
#ifndef TORUS_NL_PARAM_H
#define TORUS_NL_PARAM_H

#include "fabric.h"

/* maximum bytes of the list of an enumeration's values, with NUL */
#define TORUS_NL_VALUES_MAX	256
#define TORUS_NL_HELP_MAX	128	/* maximum bytes of a parameter's help text, with NUL */

/**
 * struct torus_nl_key - a parameter of a machine
 * @key: name of the parameter
 * @initial: default value as text
 * @values: values that an enumeration accepts, separated by blanks; "" for a number
 * @min: smallest number that is accepted
 * @max: largest number that is accepted
 * @unit: unit of the number; "" if the number has no unit
 * @live: true if the parameter can be changed while the fabric exists
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
