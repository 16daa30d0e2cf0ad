// SPDX-License-Identifier: GPL-2.0
/* Words into values, and the reason why not. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../report/fraction.h"
#include "../report/report.h"
#include "parse.h"

#define FS_PER_NS	1000000ull
#define BER_BITS	64

static bool __attribute__((format(printf, 2, 3)))
refuse(struct parse_why *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return false;
}

enum scan { SCAN_OK, SCAN_SYNTAX, SCAN_RANGE };

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/*
 * Decimal, or hexadecimal after 0x, up to @end.  Unlike strtoull(), no sign, no
 * space, no octal.
 */
static enum scan scan_number(const char *word, const char *end, uint64_t *value)
{
	unsigned int base = 10;
	bool range = false;

	if (end - word > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
		base = 16;
		word += 2;
	}
	if (word == end)
		return SCAN_SYNTAX;
	*value = 0;
	for (; word < end; word++) {
		int digit = digit_value(*word);

		if (digit < 0 || digit >= (int)base)
			return SCAN_SYNTAX;
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)digit, value))
			range = true;
	}
	return range ? SCAN_RANGE : SCAN_OK;
}

/**
 * parse_number - a whole number
 * @what: what it is, for the reason
 * @word: the word
 * @min: least
 * @max: greatest
 * @value: gets it
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_number(const char *what, const char *word, uint64_t min, uint64_t max,
		  uint64_t *value, struct parse_why *why)
{
	enum scan scan = scan_number(word, word + strlen(word), value);

	if (scan == SCAN_SYNTAX)
		return refuse(why, "%s %s: not a whole number", what, word);
	if (scan == SCAN_RANGE || *value < min || *value > max)
		return refuse(why, "%s %s: must be from %" PRIu64 " to %" PRIu64, what, word,
			      min, max);
	return true;
}

/**
 * parse_u32 - a whole number of 32 bits
 * @what: what it is, for the reason
 * @word: the word
 * @min: least
 * @max: greatest
 * @value: gets it
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_u32(const char *what, const char *word, uint32_t min, uint32_t max,
	       uint32_t *value, struct parse_why *why)
{
	uint64_t wide;

	if (!parse_number(what, word, min, max, &wide, why))
		return false;
	*value = wide;
	return true;
}

/**
 * parse_fraction - a decimal in fixed point
 * @what: what it is, for the reason
 * @word: the word, like "0.9" or "1e-3"
 * @bits: binary digits behind the point, less than 64
 * @max: greatest
 * @value: gets it, in units of 2^-@bits
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_fraction(const char *what, const char *word, unsigned int bits, unsigned int max,
		    uint64_t *value, struct parse_why *why)
{
	switch (fraction_parse(word, bits, value)) {
	case FRACTION_SYNTAX:
		return refuse(why, "%s %s: not a number", what, word);
	case FRACTION_SMALL:
		return refuse(why, "%s %s: smaller than 2^-%u", what, word, bits + 1);
	case FRACTION_OK:
		if (*value <= (uint64_t)max << bits)
			return true;
		break;
	case FRACTION_LARGE:
		break;
	}
	return refuse(why, "%s %s: must be from 0 to %u", what, word, max);
}

/**
 * parse_ber - a bit-error rate
 * @word: the word, like "1e-5"
 * @value: gets it, in units of 2^-64
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_ber(const char *word, uint64_t *value, struct parse_why *why)
{
	switch (fraction_parse(word, BER_BITS, value)) {
	case FRACTION_SYNTAX:
		return refuse(why, "ber %s: not a number from 0 to below 1, like 1e-5", word);
	case FRACTION_LARGE:
		return refuse(why, "ber %s: must be from 0 to below 1", word);
	case FRACTION_SMALL:
		return refuse(why, "ber %s: so small that no error would ever come (below 2^-65)",
			      word);
	case FRACTION_OK:
		break;
	}
	return true;
}

static bool unit_fs(const char *unit, uint64_t *fs)
{
	static const struct {
		const char *name;
		uint64_t fs;
	} units[] = {
		{ "ns", FS_PER_NS },
		{ "us", FS_PER_NS * 1000 },
		{ "ms", FS_PER_NS * 1000000 },
		{ "s", FS_PER_NS * 1000000000 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		*fs = units[i].fs;
		return true;
	}
	return false;
}

/**
 * parse_duration - a time
 * @what: what it is, for the reason
 * @word: ticks, or a decimal with one of the units ns, us, ms, s
 * @duration: gets it
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_duration(const char *what, const char *word, struct parse_duration *duration,
		    struct parse_why *why)
{
	size_t whole_length = strspn(word, "0123456789");
	size_t length = strspn(word, "0123456789.");
	const char *digit = word + whole_length;
	uint64_t whole;
	uint64_t unit;
	uint64_t fs;

	duration->fs = 0;
	if (!word[length] || !whole_length || !unit_fs(word + length, &unit)) {
		if (whole_length && word[length] && word[length] != 'x')
			return refuse(why, "%s %s: neither ticks nor a time in ns, us, ms or s",
				      what, word);
		return parse_number(what, word, 0, UINT64_MAX, &duration->ticks, why);
	}
	if (scan_number(word, word + whole_length, &whole) != SCAN_OK ||
	    __builtin_mul_overflow(whole, unit, &fs))
		return refuse(why, "%s %s: longer than 2^64 fs", what, word);
	if (*digit == '.') {
		if (digit + 1 == word + length || strchr(digit + 1, '.'))
			return refuse(why, "%s %s: not a number", what, word);
		for (digit++; digit < word + length; digit++) {
			unit /= 10;
			if (__builtin_add_overflow(fs, (*digit - '0') * unit, &fs))
				return refuse(why, "%s %s: longer than 2^64 fs", what, word);
		}
	}
	duration->fs = fs;
	duration->ticks = 0;
	return true;
}

/**
 * parse_sizes - sizes of packets
 * @word: "256" or "32:256"
 * @min: gets the least
 * @max: gets the greatest
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_sizes(const char *word, uint32_t *min, uint32_t *max, struct parse_why *why)
{
	const char *colon = strchr(word, ':');
	uint64_t first;
	uint64_t last;

	if (scan_number(word, colon ? colon : word + strlen(word), &first) != SCAN_OK ||
	    first > UINT32_MAX)
		return refuse(why, "size %s: neither bytes nor MIN:MAX", word);
	last = first;
	if (colon && (scan_number(colon + 1, colon + strlen(colon), &last) != SCAN_OK ||
		      last > UINT32_MAX))
		return refuse(why, "size %s: neither bytes nor MIN:MAX", word);
	if (!first)
		return refuse(why, "size %s: no packet has 0 bytes", word);
	if (first > last)
		return refuse(why, "size %s: %" PRIu64 " is more than %" PRIu64, word, first,
			      last);
	*min = first;
	*max = last;
	return true;
}

/**
 * parse_name - the name of a fabric
 * @word: the word
 * @why: gets the reason
 *
 * Return: whether it makes sense; the module judges the rest.
 */
bool parse_name(const char *word, struct parse_why *why)
{
	if (!*word)
		return refuse(why, "fabric \"\": the name is empty");
	if (strlen(word) >= TORUS_NAME_MAX)
		return refuse(why, "fabric %s: the name has more than %d bytes", word,
			      TORUS_NAME_MAX - 1);
	return true;
}

/* Numbers between separators; their errors name the dimension. */
static bool parse_list(const char *what, const char *word, char separator,
		       struct parse_shape *list, struct parse_why *why)
{
	const char *start = word;
	const char *end;
	uint64_t value;

	list->ndims = 0;
	for (;;) {
		char dim[REPORT_DIM_MAX];
		enum scan scan;

		if (list->ndims == TORUS_DIMS_MAX)
			return refuse(why, "%s %s: more than %d dimensions", what, word,
				      TORUS_DIMS_MAX);
		report_dim_name(list->ndims, dim, sizeof(dim));

		end = strchrnul(start, separator);
		/* Without hexadecimal: "0x4" is a shape whose first dimension is 0. */
		if (start == end)
			return refuse(why, "%s %s: dimension %s is empty", what, word, dim);
		if (strspn(start, "0123456789") < (size_t)(end - start))
			return refuse(why, "%s %s: dimension %s is not a number", what, word, dim);
		scan = scan_number(start, end, &value);
		if (scan != SCAN_OK || value > UINT32_MAX)
			return refuse(why, "%s %s: dimension %s is too large", what, word, dim);
		list->dims[list->ndims++] = value;
		if (!*end)
			return true;
		start = end + 1;
	}
}

/**
 * parse_shape - a shape
 * @what: what it is, for the reason
 * @word: like "4x4x4"
 * @shape: gets it
 * @why: gets the reason
 *
 * Whether the machine can have it is for the module to judge.
 *
 * Return: whether it makes sense.
 */
bool parse_shape(const char *what, const char *word, struct parse_shape *shape,
		 struct parse_why *why)
{
	uint64_t nodes = 1;
	char dim[REPORT_DIM_MAX];
	unsigned int d;

	if (!parse_list(what, word, 'x', shape, why))
		return false;
	for (d = 0; d < shape->ndims; d++) {
		if (!shape->dims[d])
			return refuse(why, "%s %s: dimension %s is 0", what, word,
				      report_dim_name(d, dim, sizeof(dim)));
	}
	for (d = 0; d < shape->ndims; d++) {
		nodes *= shape->dims[d];
		if (nodes > UINT32_MAX)
			return refuse(why, "%s %s: more than 2^32 - 1 nodes", what, word);
	}
	return true;
}

/**
 * parse_coords - coordinates
 * @what: what they are, for the reason
 * @word: like "1,2,3"
 * @coords: gets them
 * @why: gets the reason
 *
 * Return: whether they make sense.
 */
bool parse_coords(const char *what, const char *word, struct parse_shape *coords,
		  struct parse_why *why)
{
	return parse_list(what, word, ',', coords, why);
}

/* The dimension whose name begins at *@at, which is moved behind it; -1 if none. */
static int scan_dim(const char **at)
{
	static const char letters[] = "xyzabc";
	const char *letter;

	if (!**at)
		return -1;
	letter = strchr(letters, **at);
	if (letter) {
		++*at;
		return letter - letters;
	}
	if ((*at)[0] == 'd' && (*at)[1] >= '6' && (*at)[1] < '0' + TORUS_DIMS_MAX) {
		*at += 2;
		return (*at)[-1] - '0';
	}
	return -1;
}

/**
 * parse_mesh - the dimensions that are a mesh
 * @word: like "x,z" or "xz", or "none"
 * @mesh: gets a bit for each
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_mesh(const char *word, uint32_t *mesh, struct parse_why *why)
{
	const char *at = word;
	int dim;

	*mesh = 0;
	if (!strcmp(word, "none"))
		return true;
	do {
		dim = scan_dim(&at);
		if (dim < 0)
			return refuse(why,
				      "mesh %s: not a list of dimensions x y z a b c d6 .. d%d",
				      word, TORUS_DIMS_MAX - 1);
		if (*mesh & (1u << dim))
			return refuse(why, "mesh %s: a dimension is named twice", word);
		*mesh |= 1u << dim;
		if (*at == ',' && at[1])
			at++;
	} while (*at);
	return true;
}

/**
 * parse_dir - a direction
 * @word: like "x+"
 * @dir: gets its number
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_dir(const char *word, uint32_t *dir, struct parse_why *why)
{
	const char *at = word;
	int dim = scan_dim(&at);

	if (dim < 0 || (*at != '+' && *at != '-') || at[1])
		return refuse(why, "direction %s: not one of x+ x- y+ y- ..", word);
	*dir = 2 * dim + (*at == '-');
	return true;
}

/**
 * parse_place - a node
 * @word: its coordinates "1,2,3" or its number
 * @all_allowed: "all" may stand for every node
 * @place: gets it
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool parse_place(const char *word, bool all_allowed, struct parse_place *place,
		 struct parse_why *why)
{
	uint64_t number;

	*place = (struct parse_place){ .word = word };
	if (all_allowed && !strcmp(word, "all")) {
		place->all = true;
		return true;
	}
	if (strchr(word, ',')) {
		place->by_coords = true;
		return parse_coords("node", word, &place->coords, why);
	}
	switch (scan_number(word, word + strlen(word), &number)) {
	case SCAN_SYNTAX:
		return refuse(why, "node %s: neither a number nor coordinates like 1,2,3%s", word,
			      all_allowed ? " nor all" : "");
	case SCAN_RANGE:
		break;
	case SCAN_OK:
		place->number = number;
		if (number <= UINT32_MAX)
			return true;
		break;
	}
	return refuse(why, "node %s: no fabric has so many nodes", word);
}

/**
 * parse_param - a parameter of a fabric
 * @key: its name
 * @word: its value
 * @param: gets both
 * @why: gets the reason
 *
 * Which keys there are, and what they may be, is for the module to judge.
 *
 * Return: whether it makes sense.
 */
bool parse_param(const char *key, const char *word, struct torus_nl_param *param,
		 struct parse_why *why)
{
	*param = (struct torus_nl_param){ .is_text = false };
	if (!*key || strlen(key) >= sizeof(param->key))
		return refuse(why, "%s: a parameter's name has 1 to %zu bytes", key,
			      sizeof(param->key) - 1);
	if (!*word || strlen(word) >= sizeof(param->text))
		return refuse(why, "%s %s: a value has 1 to %zu bytes", key, word,
			      sizeof(param->text) - 1);
	strcpy(param->key, key);
	if (!strcmp(key, "ber")) {
		/* Judged here, but read by the module, to the same bits. */
		strcpy(param->text, word);
		param->is_text = true;
		return parse_ber(word, &param->value, why);
	}
	switch (scan_number(word, word + strlen(word), &param->value)) {
	case SCAN_RANGE:
		return refuse(why, "%s %s: does not fit 64 bits", key, word);
	case SCAN_SYNTAX:
		strcpy(param->text, word);
		param->is_text = true;
		break;
	case SCAN_OK:
		break;
	}
	return true;
}
