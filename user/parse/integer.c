// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers.  What they mean is the core's (core/base/parse.h), so that a word has the same
 * bits here and in the module.
 */
#include <math.h>
#include <string.h>

#include "core/base/parse.h"
#include "integer.h"
#include "parse.h"

#define NUMBER_MAX	24	/* bytes of the longest number, and more */

/**
 * parse_part - a whole number in the midst of a word
 * @start: its first digit
 * @end: behind its last
 * @value: gets it; the greatest that there is for any that does not fit
 *
 * Return: whether it is a number: decimal, or hexadecimal after 0x, and nothing else.
 */
bool parse_part(const char *start, const char *end, __u64 *value)
{
	char text[NUMBER_MAX];
	size_t length;
	int ret;

	while (end - start > 1 && start[0] == '0' && start[1] >= '0' && start[1] <= '9')
		start++;
	length = end - start;
	*value = ~0ull;
	if (length >= sizeof(text))
		return strspn(start, "0123456789") >= length;
	memcpy(text, start, length);
	text[length] = '\0';
	ret = torus_parse_number(text, value);
	return ret != -EINVAL;
}

/**
 * parse_number - a whole number
 * @what: what it is, for the reason
 * @word: decimal, or hexadecimal after 0x; no sign, no space
 * @min: least
 * @max: greatest
 * @value: gets it; untouched when it makes no sense
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_number(const char *what, const char *word, __u64 min, __u64 max, __u64 *value,
		  struct parse_error *why)
{
	__u64 number = 0;
	int ret = torus_parse_number(word, &number);

	if (ret == -EINVAL)
		return parse_fail(why, "%s %s: not a whole number", what, word);
	if (ret || number < min || number > max)
		return parse_fail(why, "%s %s: must be from %llu to %llu", what, word, min, max);
	*value = number;
	return true;
}

/**
 * parse_u32 - a whole number of 32 bits
 * @what: what it is, for the reason
 * @word: as parse_number()
 * @min: least
 * @max: greatest
 * @value: gets it; untouched when it makes no sense
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_u32(const char *what, const char *word, __u32 min, __u32 max, __u32 *value,
	       struct parse_error *why)
{
	__u64 wide;

	if (!parse_number(what, word, min, max, &wide, why))
		return false;
	*value = wide;
	return true;
}

/* Above 0, though no unit is left of it: a digit other than 0 before the exponent. */
static bool above_zero(const char *word)
{
	return word[strspn(word, ".0")] && strchr("123456789", word[strspn(word, ".0")]);
}

/**
 * parse_fraction - a decimal in fixed point
 * @what: what it is, for the reason
 * @word: the word, like "0.9", ".5" or "1e-3"
 * @bits: binary digits behind the point, less than 64
 * @max: greatest
 * @value: gets it in units of 2^-@bits, to the nearest; untouched when it makes no sense
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_fraction(const char *what, const char *word, unsigned int bits, unsigned int max,
		    __u64 *value, struct parse_error *why)
{
	__u64 fraction = 0;
	int ret = torus_parse_fraction(word, bits, &fraction);

	if (ret == -EINVAL)
		return parse_fail(why, "%s %s: not a number", what, word);
	if (ret || fraction > (__u64)max << bits)
		return parse_fail(why, "%s %s: must be from 0 to %u", what, word, max);
	if (!fraction && above_zero(word))
		return parse_fail(why, "%s %s: smaller than 2^-%u", what, word, bits + 1);
	*value = fraction;
	return true;
}

/**
 * parse_ber - a bit-error rate
 * @word: the word, like "1e-5"
 * @value: gets it in units of 2^-64; untouched when it makes no sense
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_ber(const char *word, __u64 *value, struct parse_error *why)
{
	__u64 fraction = 0;
	int ret = torus_parse_fraction(word, PARSE_BER_BITS, &fraction);

	if (ret == -EINVAL)
		return parse_fail(why, "ber %s: not a number from 0 to below 1, like 1e-5", word);
	if (ret)
		return parse_fail(why, "ber %s: must be from 0 to below 1", word);
	if (!fraction && above_zero(word))
		return parse_fail(why, "ber %s: so small that no error would ever come "
					"(below 2^-65)",
				  word);
	*value = fraction;
	return true;
}

/**
 * parse_sizes - sizes of packets
 * @word: "256" or "32:256"
 * @min: gets the least
 * @max: gets the greatest
 * @why: gets the reason
 *
 * Return: whether they make sense; the machine judges the rest.
 */
bool parse_sizes(const char *word, __u32 *min, __u32 *max, struct parse_error *why)
{
	const char *end = word + strlen(word);
	const char *colon = strchr(word, ':');
	__u64 first, last;

	if (!parse_part(word, colon ? colon : end, &first) || first > ~0u)
		return parse_fail(why, "size %s: neither bytes nor MIN:MAX", word);
	last = first;
	if (colon && (!parse_part(colon + 1, end, &last) || last > ~0u))
		return parse_fail(why, "size %s: neither bytes nor MIN:MAX", word);
	if (!first)
		return parse_fail(why, "size %s: no packet has 0 bytes", word);
	if (first > last)
		return parse_fail(why, "size %s: %llu is more than %llu", word, first, last);
	*min = first;
	*max = last;
	return true;
}

/**
 * parse_double - fixed point as a floating-point number, for printing
 * @value: in units of 2^-@bits
 * @bits: binary digits behind the point
 *
 * Return: the number.
 */
double parse_double(__u64 value, unsigned int bits)
{
	return ldexp((double)value, -(int)bits);
}
