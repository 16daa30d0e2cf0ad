// SPDX-License-Identifier: GPL-2.0
/* Parse and format dimensions, directions, shapes and coordinates. */
#include <stdio.h>
#include <string.h>

#include "integer.h"
#include "shape.h"
#include "parse.h"

/**
 * parse_dim_name - format the name of a dimension
 * @dim: number of the dimension
 * @text: [out] name: x, y, z, a, b, c for the first six dimensions, then d6, d7 ..
 * @size: size of @text in bytes; PARSE_DIM_MAX is enough
 *
 * Return: @text.
 */
const char *parse_dim_name(unsigned int dim, char *text, size_t size)
{
	static const char letters[] = "xyzabc";

	if (dim < sizeof(letters) - 1)
		snprintf(text, size, "%c", letters[dim]);
	else
		snprintf(text, size, "d%u", dim);
	return text;
}

/**
 * parse_dir_name - format the name of a direction
 * @dir: 2 * dimension, plus 1 for the minus direction
 * @text: [out] name such as "x+"
 * @size: size of @text in bytes; PARSE_DIR_MAX is enough
 *
 * Return: @text.
 */
const char *parse_dir_name(unsigned int dir, char *text, size_t size)
{
	char name[PARSE_DIM_MAX];

	snprintf(text, size, "%s%c", parse_dim_name(dir / 2, name, sizeof(name)),
		 dir % 2 ? '-' : '+');
	return text;
}

/**
 * parse_shape_text - format a shape
 * @ndims: number of dimensions
 * @dims: lengths of the dimensions
 * @text: [out] shape such as "4x4x4"
 * @size: size of @text in bytes; PARSE_SHAPE_MAX is enough
 *
 * Return: @text.
 */
const char *parse_shape_text(unsigned int ndims, const uint32_t *dims, char *text, size_t size)
{
	size_t used = 0;
	unsigned int d;

	text[0] = '\0';
	for (d = 0; d < ndims && used < size; d++)
		used += snprintf(text + used, size - used, "%s%u", d ? "x" : "", dims[d]);
	return text;
}

/* Parse numbers between separators. An error message names the dimension of the wrong number. */
static bool parse_list(const char *what, const char *word, char separator,
		       struct parse_list *list, struct parse_error *why)
{
	const char *start = word, *end;
	__u64 value = 0;

	list->count = 0;
	for (;; start = end + 1) {
		const char *reason = NULL;
		char dim[PARSE_DIM_MAX];

		if (list->count == TORUS_DIMS_MAX)
			return parse_fail(why, "%s %s: must have at most %d dimensions", what, word,
					  TORUS_DIMS_MAX);
		end = strchrnul(start, separator);
		/*
		 * reject hexadecimal in coordinates too, because in a shape "0x4" means that the
		 * first length is 0
		 */
		if (start == end)
			reason = "empty";
		else if (strspn(start, "0123456789") < (size_t)(end - start))
			reason = "not a number";
		else if (!parse_part(start, end, &value) || value > ~0u)
			reason = "too large";
		if (reason)
			return parse_fail(why, "%s %s: dimension %s is %s", what, word,
					  parse_dim_name(list->count, dim, sizeof(dim)), reason);
		list->numbers[list->count++] = value;
		if (!*end)
			return true;
	}
}

/**
 * parse_shape - parse a shape
 * @what: name of the value, for the error message
 * @word: a shape such as "4x4x4"
 * @shape: [out] lengths of the dimensions
 * @why: [out] reason for a rejection
 *
 * The limits of the machine are not checked here.
 *
 * Return: false if the word is rejected.
 */
bool parse_shape(const char *what, const char *word, struct parse_list *shape,
		 struct parse_error *why)
{
	char dim[PARSE_DIM_MAX];
	unsigned int i;

	if (!parse_list(what, word, 'x', shape, why))
		return false;
	for (i = 0; i < shape->count; i++)
		if (!shape->numbers[i])
			return parse_fail(why, "%s %s: dimension %s must not be 0", what, word,
					  parse_dim_name(i, dim, sizeof(dim)));
	return true;
}

/**
 * parse_shape_nodes - check that a shape has fewer than 2^32 nodes
 * @what: name of the value, for the error message
 * @word: the shape as text
 * @shape: the shape
 * @why: [out] reason for a rejection
 *
 * This check is for callers without a description of the machine. The limits of a machine are
 * stricter.
 *
 * Return: false if the shape is rejected.
 */
bool parse_shape_nodes(const char *what, const char *word, const struct parse_list *shape,
		       struct parse_error *why)
{
	__u64 nodes = 1;
	unsigned int i;

	for (i = 0; i < shape->count; i++) {
		nodes *= shape->numbers[i];
		if (nodes > ~0u)
			return parse_fail(why, "%s %s: must have at most 2^32 - 1 nodes",
					  what, word);
	}
	return true;
}

/**
 * parse_coords - parse coordinates
 * @what: name of the value, for the error message
 * @word: coordinates such as "1,2,3"
 * @coords: [out] coordinates
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_coords(const char *what, const char *word, struct parse_list *coords,
		  struct parse_error *why)
{
	return parse_list(what, word, ',', coords, why);
}

/*
 * Parse the name of a dimension at *@at and advance *@at. Return the dimension's number, or -1 if
 * there is no such name.
 */
static int scan_dim(const char **at)
{
	char name[PARSE_DIM_MAX];
	int dim;

	for (dim = 0; dim < TORUS_DIMS_MAX; dim++) {
		parse_dim_name(dim, name, sizeof(name));
		if (strncmp(*at, name, strlen(name)))
			continue;
		*at += strlen(name);
		return dim;
	}
	return -1;
}

/**
 * parse_mesh - parse the open dimensions, which are lines instead of rings
 * @word: "x,z", "xz" or "none"
 * @mesh: [out] mask of the open dimensions, one bit per dimension
 * @why: [out] reason for a rejection
 *
 * The limits of the machine are not checked here.
 *
 * Return: false if the word is rejected.
 */
bool parse_mesh(const char *word, uint32_t *mesh, struct parse_error *why)
{
	const char *at = word;

	*mesh = 0;
	if (!strcmp(word, "none"))
		return true;
	do {
		int dim = scan_dim(&at);

		if (dim < 0)
			return parse_fail(why, "mesh %s: must be a list of the dimensions x y z a "
					  "b c d6 .. d%d",
					  word, TORUS_DIMS_MAX - 1);
		if (*mesh & (1u << dim))
			return parse_fail(why, "mesh %s: must not name a dimension twice", word);
		*mesh |= 1u << dim;
		if (*at == ',' && at[1])
			at++;
	} while (*at);
	return true;
}

/**
 * parse_dir - parse a direction
 * @word: a direction such as "x+"
 * @dir: [out] 2 * dimension, plus 1 for the minus direction
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_dir(const char *word, uint32_t *dir, struct parse_error *why)
{
	const char *at = word;
	int dim = scan_dim(&at);

	if (dim < 0 || (*at != '+' && *at != '-') || at[1])
		return parse_fail(why, "direction %s: must be one of x+ x- y+ y- ..", word);
	*dir = 2 * dim + (*at == '-');
	return true;
}
