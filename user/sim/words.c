// SPDX-License-Identifier: GPL-2.0
/*
 * Words into values, or the reason why not.  The words of the messages are those
 * of torusctl, whose `traffic` takes the same options.
 */
#include <string.h>

#include "../report/fraction.h"
#include "../report/report.h"
#include "core/base/parse.h"
#include "sim.h"
#include "words.h"

#define FRACTION_BITS	32
#define NUMBER_MAX	24	/* bytes of the longest number, and more */

/* What stands between @start and @end as a number; -EINVAL or -ERANGE if it is none. */
static int part_number(const char *start, const char *end, u64 *value)
{
	size_t length = end - start;
	char text[NUMBER_MAX];

	if (length >= sizeof(text))
		return strspn(start, "0123456789") < length ? -EINVAL : -ERANGE;
	memcpy(text, start, length);
	text[length] = '\0';
	return torus_parse_number(text, value);
}

static bool bad_word(const char *what, const char *word, const char *reason)
{
	sim_bad("%s %s: %s", what, word, reason);
	return false;
}

/**
 * word_number - a whole number
 * @what: what it is, for the reason
 * @word: the word: decimal, or hexadecimal after 0x
 * @min: least
 * @max: greatest
 * @value: gets it
 *
 * Return: whether it makes sense.
 */
bool word_number(const char *what, const char *word, u64 min, u64 max, u64 *value)
{
	int ret = torus_parse_number(word, value);

	if (ret == -EINVAL)
		return bad_word(what, word, "not a whole number");
	if (!ret && *value >= min && *value <= max)
		return true;
	sim_bad("%s %s: must be from %llu to %llu", what, word, min, max);
	return false;
}

/**
 * word_fraction - a decimal
 * @what: what it is, for the reason
 * @word: the word, like "0.9"
 * @max: greatest
 * @value: gets it, in units of 2^-32
 *
 * Return: whether it makes sense.
 */
bool word_fraction(const char *what, const char *word, u32 max, u64 *value)
{
	uint64_t fraction = 0;

	switch (fraction_parse(word, FRACTION_BITS, &fraction)) {
	case FRACTION_SYNTAX:
		return bad_word(what, word, "not a number");
	case FRACTION_SMALL:
		return bad_word(what, word, "smaller than 2^-33");
	case FRACTION_OK:
		*value = fraction;
		if (fraction <= (uint64_t)max << FRACTION_BITS)
			return true;
		break;
	case FRACTION_LARGE:
		break;
	}
	sim_bad("%s %s: must be from 0 to %u", what, word, max);
	return false;
}

/**
 * word_sizes - sizes of packets
 * @word: "256" or "32:256"
 * @min: gets the least
 * @max: gets the greatest
 *
 * Return: whether it makes sense; the machine judges the rest.
 */
bool word_sizes(const char *word, u32 *min, u32 *max)
{
	const char *end = word + strlen(word);
	const char *colon = strchr(word, ':');
	u64 first, last;

	if (part_number(word, colon ? colon : end, &first) || first > UINT32_MAX)
		return bad_word("size", word, "neither bytes nor MIN:MAX");
	last = first;
	if (colon && (part_number(colon + 1, end, &last) || last > UINT32_MAX))
		return bad_word("size", word, "neither bytes nor MIN:MAX");
	if (!first)
		return bad_word("size", word, "no packet has 0 bytes");
	if (first > last) {
		sim_bad("size %s: %llu is more than %llu", word, first, last);
		return false;
	}
	*min = (u32)first;
	*max = (u32)last;
	return true;
}

/* Numbers between separators; the reasons name the dimension. */
static bool word_list(const char *what, const char *word, char separator, struct sim_list *list)
{
	const char *start = word;
	const char *end;
	u64 value;

	list->count = 0;
	for (;; start = end + 1) {
		const char *reason = NULL;
		char dim[REPORT_DIM_MAX];

		if (list->count == TORUS_DIMS_MAX) {
			sim_bad("%s %s: more than %d dimensions", what, word, TORUS_DIMS_MAX);
			return false;
		}
		end = strchrnul(start, separator);
		/* Without hexadecimal: "0x4" is a shape whose first dimension is 0. */
		if (start == end)
			reason = "empty";
		else if (strspn(start, "0123456789") < (size_t)(end - start))
			reason = "not a number";
		else if (part_number(start, end, &value) || value > UINT32_MAX)
			reason = "too large";
		if (reason) {
			sim_bad("%s %s: dimension %s is %s", what, word,
				report_dim_name(list->count, dim, sizeof(dim)), reason);
			return false;
		}
		list->numbers[list->count++] = (u32)value;
		if (!*end)
			return true;
	}
}

/**
 * word_shape - a shape
 * @what: what it is, for the reason
 * @word: like "4x4x4"
 * @shape: gets it
 *
 * Return: whether it makes sense; the machine judges the rest.
 */
bool word_shape(const char *what, const char *word, struct sim_list *shape)
{
	char dim[REPORT_DIM_MAX];
	u32 i;

	if (!word_list(what, word, 'x', shape))
		return false;
	for (i = 0; i < shape->count; i++) {
		if (shape->numbers[i])
			continue;
		sim_bad("%s %s: dimension %s is 0", what, word,
			report_dim_name(i, dim, sizeof(dim)));
		return false;
	}
	return true;
}

/**
 * word_coords - coordinates
 * @what: what they are, for the reason
 * @word: like "1,2,3"
 * @coords: gets them
 *
 * Return: whether they make sense.
 */
bool word_coords(const char *what, const char *word, struct sim_list *coords)
{
	return word_list(what, word, ',', coords);
}

/* The dimension whose name begins at *@at, which is moved behind it; TORUS_NONE if none. */
static u32 scan_dim(const char **at)
{
	char name[REPORT_DIM_MAX];
	u32 dim;

	for (dim = 0; dim < TORUS_DIMS_MAX; dim++) {
		report_dim_name(dim, name, sizeof(name));
		if (strncmp(*at, name, strlen(name)))
			continue;
		*at += strlen(name);
		return dim;
	}
	return TORUS_NONE;
}

/**
 * word_mesh - the dimensions that are a mesh
 * @word: like "x,z" or "xz", or "none"
 * @mesh: gets a bit for each
 *
 * Return: whether it makes sense; the machine judges the rest.
 */
bool word_mesh(const char *word, u32 *mesh)
{
	const char *at = word;

	*mesh = 0;
	if (!strcmp(word, "none"))
		return true;
	do {
		u32 dim = scan_dim(&at);

		if (dim == TORUS_NONE)
			return bad_word("mesh", word,
					"not a list of dimensions x y z a b c d6 .. d9");
		if (*mesh & (1u << dim))
			return bad_word("mesh", word, "a dimension is named twice");
		*mesh |= 1u << dim;
		if (*at == ',' && at[1])
			at++;
	} while (*at);
	return true;
}
