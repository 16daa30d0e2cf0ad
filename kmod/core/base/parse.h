/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers as people write them, integers only. */
#ifndef TORUS_CORE_PARSE_H
#define TORUS_CORE_PARSE_H

#include "core/env.h"

/**
 * torus_parse_number() - a number: decimal digits, or 0x and hexadecimal ones
 * @text: nothing but the number
 * @out: the number; untouched on failure
 *
 * Return: 0, -EINVAL for anything else, -ERANGE from 2^64 on.
 */
int torus_parse_number(const char *text, u64 *out);

/**
 * torus_parse_fraction() - a decimal number such as 0.25, 1, .5 or 1e-5
 * @text: nothing but the number: digits with at most one point, then perhaps e
 *        or E and an exponent with or without a sign; no sign in front
 * @bits: 0 .. 64: the unit is 2^-bits
 * @out: the number times 2^bits, rounded to nearest, halves upwards; exact
 *       whatever the number of digits; untouched on failure
 *
 * Return: 0, -EINVAL for anything else, -ERANGE if the result is 2^64 or more.
 */
int torus_parse_fraction(const char *text, u32 bits, u64 *out);

/* Bytes that torus_fraction_text() may need. */
#define TORUS_FRACTION_TEXT	32

/**
 * torus_fraction_text() - a fraction as a decimal number
 * @value: the fraction in units of 2^-64
 * @buf: where
 * @size: its length in bytes, above 0
 *
 * Writes as few digits as lead back to @value in torus_parse_fraction(), such as
 * 0, 1e-05, 2.5e-07 or 0.25.
 *
 * Return: @buf.
 */
const char *torus_fraction_text(u64 value, char *buf, size_t size);

/* Bytes of a user's word that a refusal repeats. */
#define TORUS_WORD	33

/* @word for one line of a refusal into @buf (TORUS_WORD bytes); returns @buf. */
const char *torus_word(const char *word, char *buf);

#endif /* TORUS_CORE_PARSE_H */
