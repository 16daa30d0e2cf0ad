// SPDX-License-Identifier: GPL-2.0
/* Parse and print numbers, with integer arithmetic only. */
#include "core/base/parse_number.h"

/*
 * Number of decimal places that decide the rounding to 64 binary places. A number half-way between
 * two 64-bit fractions has 65 decimal places, so later digits cannot change the rounding.
 */
#define FRACTION_PLACES	65

/* Limit of an exponent: larger exponents give the same result. */
#define EXPONENT_MAX	1000000

/* With this number of digits, any two multiples of 2^-64 below 1 have different texts. */
#define TEXT_DIGITS	20

/* Convert a digit to its value; 16 for any other character. */
static u32 parse_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (u32)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (u32)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (u32)(c - 'A') + 10;
	return 16;
}

/* Set @number to @number * @base + @digit; false if the result reaches 2^64. */
static bool parse_append(u64 *number, u32 base, u32 digit)
{
	u64 high = (*number >> 32) * base;
	u64 low = (*number & 0xffffffffu) * base + digit;

	high += low >> 32;
	if (high >> 32)
		return false;
	*number = high << 32 | (low & 0xffffffffu);
	return true;
}

int torus_parse_number(const char *text, u64 *out)
{
	bool fits = true;
	u64 number = 0;
	u32 base = 10;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		u32 digit = parse_digit(*text);

		if (digit >= base)
			return -EINVAL;
		fits = fits && parse_append(&number, base, digit);
	}
	if (!fits)
		return -ERANGE;
	*out = number;
	return 0;
}

/**
 * struct decimal - a parsed decimal number
 * @whole: integer part
 * @fits: @whole is below 2^64
 * @places: decimal places: 0.1, 0.01, ..
 */
struct decimal {
	u64 whole;
	bool fits;
	u8 places[FRACTION_PLACES];
};

/* Parse an exponent with an optional sign; false if @text is malformed. */
static bool decimal_exponent(const char *text, s64 *exponent)
{
	bool minus = *text == '-';
	s64 e = 0;

	if (minus || *text == '+')
		text++;
	if (!*text)
		return false;
	for (; *text; text++) {
		u32 digit = parse_digit(*text);

		if (digit > 9)
			return false;
		if (e < EXPONENT_MAX)
			e = e * 10 + digit;
	}
	*exponent = minus ? -e : e;
	return true;
}

/*
 * Find the end of the mantissa, the number of digits before the point, and the exponent; false if
 * @text is malformed.
 */
static bool decimal_scan(const char *text, const char **end, s64 *before, s64 *exponent)
{
	s64 digits = 0, points = 0;

	*before = 0;
	*exponent = 0;
	for (; *text == '.' || parse_digit(*text) <= 9; text++) {
		if (*text == '.') {
			points++;
		} else {
			digits++;
			*before += !points;
		}
	}
	*end = text;
	if (!digits || points > 1)
		return false;
	if (*text == 'e' || *text == 'E')
		return decimal_exponent(text + 1, exponent);
	return !*text;
}

/* Store a digit of value digit * 10^power. */
static void decimal_digit(struct decimal *d, s64 power, u32 digit)
{
	if (power >= 0)
		d->fits = d->fits && parse_append(&d->whole, 10, digit);
	else if (power >= -FRACTION_PLACES)
		d->places[-power - 1] = (u8)digit;
}

static int decimal_read(struct decimal *d, const char *text)
{
	s64 before, exponent, power;
	const char *end;

	memset(d, 0, sizeof(*d));
	d->fits = true;
	if (!decimal_scan(text, &end, &before, &exponent))
		return -EINVAL;
	power = before + exponent;
	for (; text < end; text++)
		if (*text != '.')
			decimal_digit(d, --power, parse_digit(*text));
	/* Append zeros if the exponent moves the point beyond the last digit */
	for (; power > 0 && d->whole && d->fits; power--)
		decimal_digit(d, 0, 0);
	return 0;
}

/* Double the decimal places; return the carry into the integer part. */
static u32 decimal_double(struct decimal *d)
{
	u32 carry = 0;
	u32 i;

	for (i = FRACTION_PLACES; i-- > 0;) {
		u32 twice = d->places[i] * 2u + carry;

		carry = twice > 9;
		d->places[i] = (u8)(carry ? twice - 10 : twice);
	}
	return carry;
}

int torus_parse_fraction(const char *text, u32 bits, u64 *out)
{
	struct decimal d;
	int ret = decimal_read(&d, text);

	if (ret)
		return ret;
	for (; bits; bits--)
		d.fits = d.fits && parse_append(&d.whole, 2, decimal_double(&d));
	if (decimal_double(&d) && !++d.whole)
		d.fits = false;
	if (!d.fits)
		return -ERANGE;
	*out = d.whole;
	return 0;
}

/* Multiply a fraction in units of 2^-64 by ten; return the integer part of the result. */
static u32 fraction_times_ten(u64 *value)
{
	u64 low = (*value & 0xffffffffu) * 10;
	u64 high = (*value >> 32) * 10 + (low >> 32);

	*value = high << 32 | (low & 0xffffffffu);
	return (u32)(high >> 32);
}

/*
 * Print the first @n significant digits of @value, rounded, into @digits. @value is not 0. Return
 * the number of zeros between the point and these digits.
 */
static u32 fraction_digits(u64 value, u32 n, char *digits)
{
	u32 zeros = 0;
	u32 digit, i;

	while (!(digit = fraction_times_ten(&value)))
		zeros++;
	for (i = 0; i < n; i++) {
		digits[i] = (char)('0' + digit);
		digit = fraction_times_ten(&value);
	}
	digits[n] = '\0';
	if (digit < 5)
		return zeros;
	while (i && digits[i - 1] == '9')
		digits[--i] = '0';
	if (i) {
		digits[i - 1]++;
		return zeros;
	}
	/* All digits were 9: rounding adds a digit. The caller rejects the result 1. */
	digits[0] = '1';
	return zeros ? zeros - 1 : 0;
}

/* Print a fraction as 0.025 or 2.5e-07, depending on its zeros. */
static void fraction_write(char *buf, size_t size, const char *digits, u32 zeros)
{
	if (zeros < 3)
		scnprintf(buf, size, "0.%.*s%s", (int)zeros, "000", digits);
	else
		scnprintf(buf, size, "%c%s%se-%02u", digits[0], digits[1] ? "." : "",
			  digits + 1, zeros + 1);
}

const char *torus_fraction_text(u64 value, char *buf, size_t size)
{
	char text[TORUS_FRACTION_TEXT] = "0";
	char digits[TEXT_DIGITS + 1];
	u64 back = 0;
	u32 n, zeros;

	for (n = 1; value != back && n <= TEXT_DIGITS; n++) {
		zeros = fraction_digits(value, n, digits);
		fraction_write(text, sizeof(text), digits, zeros);
		torus_parse_fraction(text, 64, &back);
	}
	scnprintf(buf, size, "%s", text);
	return buf;
}

/**
 * torus_word() - print a user's word safely on one line, for an error message
 * @word: the user's word
 * @buf: [out] text of at most TORUS_WORD bytes
 *
 * Cut a long word, so that the reason after it stays visible. Print '?' for blanks and for
 * characters that are not printable ASCII.
 *
 * Return: @buf.
 */
const char *torus_word(const char *word, char *buf)
{
	u32 i;

	for (i = 0; word[i] && i < TORUS_WORD - 1; i++)
		buf[i] = word[i] > ' ' && word[i] < 0x7f ? word[i] : '?';
	buf[i] = '\0';
	if (word[i])
		memcpy(buf + i - 2, "..", 2);
	return buf;
}
