/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_REPORT_FRACTION_H
#define TORUS_REPORT_FRACTION_H

#include <stdint.h>

/* What is wrong with a decimal. */
enum fraction_error {
	FRACTION_OK,
	FRACTION_SYNTAX,	/* not a number */
	FRACTION_LARGE,		/* does not fit the whole bits */
	FRACTION_SMALL,		/* above zero, but rounds to zero */
};

enum fraction_error fraction_parse(const char *text, unsigned int bits, uint64_t *value);
double fraction_double(uint64_t value, unsigned int bits);

#endif /* TORUS_REPORT_FRACTION_H */
