// SPDX-License-Identifier: GPL-2.0
/* Dimensions, directions, shapes and coordinates. */
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "shape.h"
#include "words.h"

/**
 * word_dim_name - the name of a dimension
 * @dim: its number
 * @text: room for it
 * @size: bytes of @text, WORD_DIM_MAX hold any
 *
 * Return: @text: x y z a b c, then d6, d7 ..
 */
const char *word_dim_name(unsigned int dim, char *text, size_t size)
{
	static const char letters[] = "xyzabc";

	if (dim < sizeof(letters) - 1)
		snprintf(text, size, "%c", letters[dim]);
	else
		snprintf(text, size, "d%u", dim);
	return text;
}

/**
 * word_dir_name - the name of a direction
 * @dir: its number, 2 * dimension, + 1 for minus
 * @text: room for it
 * @size: bytes of @text, WORD_DIR_MAX hold any
 *
 * Return: @text, like "x+".
 */
const char *word_dir_name(unsigned int dir, char *text, size_t size)
{
	char name[WORD_DIM_MAX];

	snprintf(text, size, "%s%c", word_dim_name(dir / 2, name, sizeof(name)),
		 dir % 2 ? '-' : '+');
	return text;
}

/**
 * word_shape_text - a shape as it is typed
 * @ndims: its dimensions
 * @dims: their lengths
 * @text: room for it
 * @size: bytes of @text, WORD_SHAPE_MAX hold any
 *
 * Return: @text, like "4x4x4".
 */
const char *word_shape_text(unsigned int ndims, const __u32 *dims, char *text, size_t size)
{
	size_t used = 0;
	unsigned int d;

	text[0] = '\0';
	for (d = 0; d < ndims && used < size; d++)
		used += snprintf(text + used, size - used, "%s%u", d ? "x" : "", dims[d]);
	return text;
}

/* Numbers between separators; the reasons name the dimension. */
static bool word_list(const char *what, const char *word, char separator,
		      struct word_list *list, struct word_why *why)
{
	const char *start = word, *end;
	__u64 value = 0;

	list->count = 0;
	for (;; start = end + 1) {
		const char *reason = NULL;
		char dim[WORD_DIM_MAX];

		if (list->count == TORUS_DIMS_MAX)
			return word_refuse(why, "%s %s: more than %d dimensions", what, word,
					   TORUS_DIMS_MAX);
		end = strchrnul(start, separator);
		/* Without hexadecimal: "0x4" is a shape whose first dimension is 0. */
		if (start == end)
			reason = "empty";
		else if (strspn(start, "0123456789") < (size_t)(end - start))
			reason = "not a number";
		else if (!word_part(start, end, &value) || value > ~0u)
			reason = "too large";
		if (reason)
			return word_refuse(why, "%s %s: dimension %s is %s", what, word,
					   word_dim_name(list->count, dim, sizeof(dim)), reason);
		list->numbers[list->count++] = value;
		if (!*end)
			return true;
	}
}

/**
 * word_shape - a shape
 * @what: what it is, for the reason
 * @word: like "4x4x4"
 * @shape: gets it
 * @why: gets the reason
 *
 * Return: whether it makes sense; the machine judges the rest.
 */
bool word_shape(const char *what, const char *word, struct word_list *shape,
		struct word_why *why)
{
	char dim[WORD_DIM_MAX];
	unsigned int i;

	if (!word_list(what, word, 'x', shape, why))
		return false;
	for (i = 0; i < shape->count; i++)
		if (!shape->numbers[i])
			return word_refuse(why, "%s %s: dimension %s is 0", what, word,
					   word_dim_name(i, dim, sizeof(dim)));
	return true;
}

/**
 * word_shape_nodes - can a shape's nodes be counted?
 * @what: what it is, for the reason
 * @word: the shape as it was typed
 * @shape: the shape
 * @why: gets the reason
 *
 * For those who do not have the machine at hand, which judges more strictly.
 *
 * Return: whether it has less than 2^32 nodes.
 */
bool word_shape_nodes(const char *what, const char *word, const struct word_list *shape,
		      struct word_why *why)
{
	__u64 nodes = 1;
	unsigned int i;

	for (i = 0; i < shape->count; i++) {
		nodes *= shape->numbers[i];
		if (nodes > ~0u)
			return word_refuse(why, "%s %s: more than 2^32 - 1 nodes", what, word);
	}
	return true;
}

/**
 * word_coords - coordinates
 * @what: what they are, for the reason
 * @word: like "1,2,3"
 * @coords: gets them
 * @why: gets the reason
 *
 * Return: whether they make sense.
 */
bool word_coords(const char *what, const char *word, struct word_list *coords,
		 struct word_why *why)
{
	return word_list(what, word, ',', coords, why);
}

/* The dimension whose name begins at *@at, which is moved behind it; -1 if there is none. */
static int scan_dim(const char **at)
{
	char name[WORD_DIM_MAX];
	int dim;

	for (dim = 0; dim < TORUS_DIMS_MAX; dim++) {
		word_dim_name(dim, name, sizeof(name));
		if (strncmp(*at, name, strlen(name)))
			continue;
		*at += strlen(name);
		return dim;
	}
	return -1;
}

/**
 * word_mesh - the dimensions that are a mesh
 * @word: like "x,z" or "xz", or "none"
 * @mesh: gets a bit for each
 * @why: gets the reason
 *
 * Return: whether it makes sense; the machine judges the rest.
 */
bool word_mesh(const char *word, __u32 *mesh, struct word_why *why)
{
	const char *at = word;

	*mesh = 0;
	if (!strcmp(word, "none"))
		return true;
	do {
		int dim = scan_dim(&at);

		if (dim < 0)
			return word_refuse(why, "mesh %s: not a list of dimensions x y z a b c d6 "
						".. d%d",
					   word, TORUS_DIMS_MAX - 1);
		if (*mesh & (1u << dim))
			return word_refuse(why, "mesh %s: a dimension is named twice", word);
		*mesh |= 1u << dim;
		if (*at == ',' && at[1])
			at++;
	} while (*at);
	return true;
}

/**
 * word_dir - a direction
 * @word: like "x+"
 * @dir: gets its number, 2 * dimension, + 1 for minus
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool word_dir(const char *word, __u32 *dir, struct word_why *why)
{
	const char *at = word;
	int dim = scan_dim(&at);

	if (dim < 0 || (*at != '+' && *at != '-') || at[1])
		return word_refuse(why, "direction %s: not one of x+ x- y+ y- ..", word);
	*dir = 2 * dim + (*at == '-');
	return true;
}
