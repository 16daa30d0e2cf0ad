// SPDX-License-Identifier: GPL-2.0
/* Error messages of parsers. */
#include <stdarg.h>
#include <stdio.h>

#include "why.h"

/**
 * parse_fail - format the reason why a word is rejected
 * @why: [out] the reason
 * @format: the reason
 *
 * Return: false.
 */
bool parse_fail(struct parse_error *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return false;
}
