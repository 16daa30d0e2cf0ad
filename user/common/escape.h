/* SPDX-License-Identifier: GPL-2.0 */
/* Escape text from other sources for a terminal or for a reader of JSON. */
#ifndef TORUS_COMMON_ESCAPE_H
#define TORUS_COMMON_ESCAPE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Number of bytes that is always enough for the escaped form of @length bytes, and for the NUL. */
#define TORUS_ESCAPED(length)	(4 * (length) + 1)

const char *torus_escape(const char *text, char *to, size_t size);
void torus_escape_put(FILE *out, const char *text);

void torus_escape_vformat(char *to, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
void torus_escape_message(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void torus_escape_json(FILE *out, const char *document);

#endif /* TORUS_COMMON_ESCAPE_H */
