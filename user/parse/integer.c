// SPDX-License-Identifier: GPL-2.0
/*
 * Parse numbers. The core's code converts them, so a text has the same value here and in the
 * module.
 */
#include <math.h>
#include <string.h>

#include "core/base/parse_number.h"
#include "integer.h"
#include "parse.h"

#define NUMBER_MAX	24	/* buffer size in bytes for the longest number */

/**
 * parse_part - parse an integer inside a longer text
 * @start: first character of the integer
 * @end: the byte after its last character
 * @value: [out] the integer; ~0 if it does not fit into 64 bits
 *
 * Return: false if the text is not an integer: decimal, or hexadecimal after 0x.
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
 * parse_number - parse an integer of 64 bits
 * @what: name of the value, for the error message
 * @word: decimal, or hexadecimal after 0x; no sign, no blank
 * @min: least valid value
 * @max: greatest valid value
 * @value: [out] the integer; unchanged after a rejection
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_number(const char *what, const char *word, __u64 min, __u64 max, __u64 *value,
		  struct parse_error *why)
{
	__u64 number = 0;
	int ret = torus_parse_number(word, &number);

	if (ret == -EINVAL)
		return parse_fail(why, "%s %s: must be a whole number", what, word);
	if (ret || number < min || number > max)
		return parse_fail(why, "%s %s: must be from %llu to %llu", what, word, min, max);
	*value = number;
	return true;
}

/**
 * parse_u32 - parse an integer of 32 bits
 * @what: name of the value, for the error message
 * @word: as in parse_number()
 * @min: least valid value
 * @max: greatest valid value
 * @value: [out] the integer; unchanged after a rejection
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_u32(const char *what, const char *word, u32 min, u32 max, u32 *value,
	       struct parse_error *why)
{
	__u64 wide;

	if (!parse_number(what, word, min, max, &wide, why))
		return false;
	*value = wide;
	return true;
}

/*
 * Check whether a number above 0 was rounded to 0: the text has a digit other than 0 before the
 * exponent.
 */
static bool above_zero(const char *word)
{
	return word[strspn(word, ".0")] && strchr("123456789", word[strspn(word, ".0")]);
}

/**
 * parse_fraction - parse a decimal number into fixed point
 * @what: name of the value, for the error message
 * @word: a number such as "0.9", ".5" or "1e-3"
 * @bits: number of fractional bits, less than 64
 * @max: greatest valid value
 * @value: [out] the number in units of 2^-@bits, rounded to nearest; unchanged after a rejection
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_fraction(const char *what, const char *word, unsigned int bits, unsigned int max,
		    __u64 *value, struct parse_error *why)
{
	__u64 fraction = 0;
	int ret = torus_parse_fraction(word, bits, &fraction);

	if (ret == -EINVAL)
		return parse_fail(why, "%s %s: must be a number", what, word);
	if (ret || fraction > (__u64)max << bits)
		return parse_fail(why, "%s %s: must be from 0 to %u", what, word, max);
	if (!fraction && above_zero(word))
		return parse_fail(why, "%s %s: must be 0 or at least 2^-%u", what, word, bits + 1);
	*value = fraction;
	return true;
}

/**
 * parse_ber - parse a bit error rate
 * @word: a number such as "1e-5"
 * @value: [out] the rate in units of 2^-64; unchanged after a rejection
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_ber(const char *word, __u64 *value, struct parse_error *why)
{
	__u64 fraction = 0;
	int ret = torus_parse_fraction(word, PARSE_BER_BITS, &fraction);

	if (ret == -EINVAL)
		return parse_fail(why, "ber %s: must be a number from 0 to below 1, like 1e-5",
				  word);
	if (ret)
		return parse_fail(why, "ber %s: must be from 0 to below 1", word);
	if (!fraction && above_zero(word))
		return parse_fail(why, "ber %s: must be 0 or at least 2^-65",
				  word);
	*value = fraction;
	return true;
}

/**
 * parse_sizes - parse a range of packet sizes
 * @word: "256" or "32:256"
 * @min: [out] least size in bytes
 * @max: [out] greatest size in bytes
 * @why: [out] reason for a rejection
 *
 * The limits of the machine are not checked here.
 *
 * Return: false if the word is rejected.
 */
bool parse_sizes(const char *word, u32 *min, u32 *max, struct parse_error *why)
{
	const char *end = word + strlen(word);
	const char *colon = strchr(word, ':');
	__u64 first, last;

	if (!parse_part(word, colon ? colon : end, &first) || first > ~0u)
		return parse_fail(why, "size %s: must be a number of bytes or MIN:MAX", word);
	last = first;
	if (colon && (!parse_part(colon + 1, end, &last) || last > ~0u))
		return parse_fail(why, "size %s: must be a number of bytes or MIN:MAX", word);
	if (!first)
		return parse_fail(why, "size %s: must be at least 1 byte", word);
	if (first > last)
		return parse_fail(why, "size %s: the minimum %llu must not exceed the maximum %llu",
				  word, first, last);
	*min = first;
	*max = last;
	return true;
}

/**
 * parse_double - convert fixed point to floating point, for output
 * @value: number in units of 2^-@bits
 * @bits: number of fractional bits
 */
double parse_double(__u64 value, unsigned int bits)
{
	return ldexp((double)value, -(int)bits);
}
