// SPDX-License-Identifier: GPL-2.0
/*
 * Decimal text to binary fixed point, exactly, to the nearest.
 *
 * Every tool must turn a load or a bit-error rate into the same bits, or the
 * same run would not have the same hash; so no floating point comes near.  The
 * decimal's digits are doubled, bit after bit: what is carried out of them is
 * the next binary digit.
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fraction.h"

#define DIGITS		512	/* decimal digits on either side of the point that are kept */
#define EXPONENT_MAX	(2 * DIGITS)

/* Digits around the decimal point, whole[0] and part[0] next to it. */
struct decimal {
	unsigned char whole[DIGITS];
	unsigned char part[DIGITS];
	bool too_large;
	bool too_fine;		/* digits beyond the last of part[] are not zero */
};

/* Put a digit at its place: place 0 is the units, -1 the tenths. */
static void decimal_put(struct decimal *number, long place, unsigned char digit)
{
	if (!digit)
		return;
	if (place >= DIGITS)
		number->too_large = true;
	else if (place >= 0)
		number->whole[place] = digit;
	else if (-place <= DIGITS)
		number->part[-place - 1] = digit;
	else
		number->too_fine = true;
}

/* The exponent, cut where it makes no difference; false if it is none. */
static bool decimal_exponent(const char *text, long *exponent)
{
	bool minus = *text == '-';

	*exponent = 0;
	if (*text == '-' || *text == '+')
		text++;
	if (!isdigit((unsigned char)*text))
		return false;
	for (; isdigit((unsigned char)*text); text++)
		if (*exponent < EXPONENT_MAX)
			*exponent = *exponent * 10 + *text - '0';
	if (*exponent > EXPONENT_MAX)
		*exponent = EXPONENT_MAX;
	if (minus)
		*exponent = -*exponent;
	return !*text;
}

static bool decimal_parse(const char *text, struct decimal *number)
{
	size_t whole = strspn(text, "0123456789");
	size_t part = 0;
	const char *rest = text + whole;
	const char *point = NULL;
	long exponent = 0;
	size_t i;

	if (*rest == '.') {
		point = rest + 1;
		part = strspn(point, "0123456789");
		rest = point + part;
	}
	if (!whole && !part)
		return false;
	if (*rest == 'e' || *rest == 'E') {
		if (!decimal_exponent(rest + 1, &exponent))
			return false;
	} else if (*rest) {
		return false;
	}

	memset(number, 0, sizeof(*number));
	for (i = 0; i < whole; i++)
		decimal_put(number, (long)(whole - 1 - i) + exponent, text[i] - '0');
	for (i = 0; i < part; i++)
		decimal_put(number, exponent - 1 - (long)i, point[i] - '0');
	return true;
}

/* Twice the part behind the point; what is carried over the point comes back. */
static unsigned int decimal_double(unsigned char *part)
{
	unsigned int carry = 0;
	int i;

	for (i = DIGITS - 1; i >= 0; i--) {
		unsigned int twice = 2 * part[i] + carry;

		part[i] = twice % 10;
		carry = twice / 10;
	}
	return carry;
}

/**
 * fraction_parse - a decimal in units of 2^-@bits
 * @text: like "0.9", ".5", "1e-5", "2"; no sign, no space
 * @bits: binary digits behind the point, at most 64
 * @value: gets it, rounded to the nearest; a number just below what fits is
 *         not rounded up to what does not
 *
 * Return: FRACTION_OK or what is wrong with it.
 */
enum fraction_error fraction_parse(const char *text, unsigned int bits, uint64_t *value)
{
	uint64_t whole_max = bits < 64 ? (1ull << (64 - bits)) - 1 : 0;
	struct decimal number;
	uint64_t whole = 0;
	uint64_t part = 0;
	bool zero = true;
	unsigned int bit;
	int i;

	if (!decimal_parse(text, &number))
		return FRACTION_SYNTAX;
	if (number.too_large)
		return FRACTION_LARGE;
	for (i = DIGITS - 1; i >= 0; i--) {
		zero = zero && !number.whole[i] && !number.part[i];
		if (number.whole[i] > whole_max || whole > (whole_max - number.whole[i]) / 10)
			return FRACTION_LARGE;
		whole = whole * 10 + number.whole[i];
	}
	for (bit = 0; bit < bits; bit++)
		part = part << 1 | decimal_double(number.part);

	*value = bits < 64 ? whole << bits | part : part;
	if (decimal_double(number.part) && *value != UINT64_MAX)
		++*value;
	if (!*value && (!zero || number.too_fine))
		return FRACTION_SMALL;
	return FRACTION_OK;
}

/**
 * fraction_double - fixed point as a floating-point number, for printing
 * @value: in units of 2^-@bits
 * @bits: binary digits behind the point
 *
 * Return: the number.
 */
double fraction_double(uint64_t value, unsigned int bits)
{
	return ldexp((double)value, -(int)bits);
}
