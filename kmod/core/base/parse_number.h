/* SPDX-License-Identifier: GPL-2.0 */
/* Parse and print numbers, with integer arithmetic only. */
#ifndef TORUS_CORE_PARSE_NUMBER_H
#define TORUS_CORE_PARSE_NUMBER_H

#include "core/platform.h"

/**
 * torus_parse_number() - parse decimal digits, or 0x and hexadecimal digits
 * @text: the number and nothing else
 * @out: [out] the number; unchanged on failure
 *
 * Return: 0, -EINVAL if @text is malformed, -ERANGE from 2^64 on.
 */
int torus_parse_number(const char *text, u64 *out);

/**
 * torus_parse_fraction() - parse a decimal number such as 0.25, 1, .5 or 1e-5
 * @text: digits with at most one point, then optionally e or E and an exponent with an optional
 *   sign; no sign before the digits
 * @bits: number of binary places, 0 .. 64: the unit is 2^-bits
 * @out: [out] the number times 2^bits, rounded to nearest, halves upwards; exact for any number of
 *   digits; unchanged on failure
 *
 * Return: 0, -EINVAL if @text is malformed, -ERANGE if the result is 2^64 or more.
 */
int torus_parse_fraction(const char *text, u32 bits, u64 *out);

/* Maximum bytes of the text of torus_fraction_text(). */
#define TORUS_FRACTION_TEXT	32

/**
 * torus_fraction_text() - print a fraction as a decimal number
 * @value: the fraction in units of 2^-64
 * @buf: [out] text
 * @size: bytes in @buf, above 0
 *
 * Print the fewest digits from which torus_parse_fraction() restores @value, such as 0, 1e-05,
 * 2.5e-07 or 0.25.
 *
 * Return: @buf.
 */
const char *torus_fraction_text(u64 value, char *buf, size_t size);

/* Maximum bytes of a user's word in an error message. */
#define TORUS_WORD	33

/*
 * Copy @word, cut and made printable, into @buf (TORUS_WORD bytes) for an error message; returns
 * @buf.
 */
const char *torus_word(const char *word, char *buf);

#endif /* TORUS_CORE_PARSE_NUMBER_H */
