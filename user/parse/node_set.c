// SPDX-License-Identifier: GPL-2.0
/* Parse a set of nodes: "0-3,0,0", "all,1,1", "5-9", "all". */
#include <stdio.h>
#include <string.h>

#include "../machine/machine.h"
#include "integer.h"
#include "node.h"
#include "node_set.h"
#include "parse.h"

#define EVERY	"all"
#define BLANKS	" \t\n"

static bool places_number(const char *start, const char *end, uint32_t *value)
{
	__u64 number;

	if (start == end || !parse_part(start, end, &number) || number > ~0u)
		return false;
	*value = number;
	return true;
}

/* Parse one part of a set of nodes, a node number or one coordinate: N, N-M or all. */
static bool places_part(struct parse_places *places, const char *start, const char *end,
			struct parse_error *why)
{
	const char *dash = memchr(start, '-', end - start);
	uint32_t *first = &places->first[places->count];
	uint32_t *last = &places->last[places->count];

	if ((size_t)(end - start) == strlen(EVERY) && !memcmp(start, EVERY, strlen(EVERY))) {
		*first = 0;
		*last = ~0u;
	} else if (!places_number(start, dash ? dash : end, first) ||
		   (dash && !places_number(dash + 1, end, last))) {
		return parse_fail(why, "node %s: %.*s must be a number, a range like 0-3, or all",
				  places->word, (int)(end - start), start);
	} else if (!dash) {
		*last = *first;
	}
	if (*first > *last)
		return parse_fail(why, "node %s: the range %.*s must not decrease", places->word,
				  (int)(end - start), start);
	places->count++;
	return true;
}

/**
 * parse_places - parse a set of nodes
 * @word: "all", a node number, or coordinates. The number and each coordinate may be a range; a
 *    coordinate may be "all"
 * @places: [out] the set
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_places(const char *word, struct parse_places *places, struct parse_error *why)
{
	const char *comma = strchr(word, ',');
	const char *start = word;
	struct parse_place place;
	uint32_t d;

	*places = (struct parse_places){ .word = word, .by_coords = comma };
	if (!strcmp(word, EVERY)) {
		places->all = true;
		return true;
	}
	/* use the parser of a single node, which has its own error messages */
	if (!strpbrk(word, "-al")) {
		if (!parse_place(word, false, &place, why))
			return false;
		places->count = place.by_coords ? place.coords.count : 1;
		for (d = 0; d < places->count; d++) {
			places->first[d] = place.by_coords ? place.coords.numbers[d] :
							     place.number;
			places->last[d] = places->first[d];
		}
		return true;
	}
	for (; comma; comma = strchr(start, ',')) {
		if (places->count == TORUS_DIMS_MAX - 1)
			return parse_fail(why, "node %s: must have at most %d dimensions", word,
					  TORUS_DIMS_MAX);
		if (!places_part(places, start, comma, why))
			return false;
		start = comma + 1;
	}
	return places_part(places, start, start + strlen(start), why);
}

/**
 * parse_places_inside - check that the coordinates of nodes are inside a shape
 * @places: [in, out] the set; in a dimension with "all", @last becomes the last coordinate
 * @shape: the shape
 * @whose: owner of the shape, for the error message, like "fabric t0"
 * @why: [out] reason for a rejection
 *
 * Node numbers are not checked: the valid numbers depend on the machine.
 *
 * Return: false if the coordinates are rejected.
 */
bool parse_places_inside(struct parse_places *places, const struct torus_machine_shape *shape,
			 const char *whose, struct parse_error *why)
{
	struct parse_place corner = {
		.word = places->word, .by_coords = true, .coords.count = places->count,
	};
	uint32_t d;

	if (places->all || !places->by_coords)
		return true;
	for (d = 0; d < places->count && d < shape->ndims; d++) {
		if (places->last[d] == ~0u)
			places->last[d] = shape->dims[d] - 1;
		corner.coords.numbers[d] = places->last[d];
	}
	return parse_place_inside(&corner, shape, whose, why);
}

/**
 * parse_places_next - advance to the next node of a set; the first dimension varies fastest
 * @places: set of coordinates after parse_places_inside()
 * @at: [in, out] coordinates of a node, initially @places->first
 *
 * Return: false after the last node; then @at is the first node again.
 */
bool parse_places_next(const struct parse_places *places, uint32_t *at)
{
	uint32_t d;

	for (d = 0; d < places->count; d++) {
		if (++at[d] <= places->last[d])
			return true;
		at[d] = places->first[d];
	}
	return false;
}

/**
 * parse_places_item - take the next item of a list of nodes, separated by blanks
 * @list: [in, out] the rest of the list
 * @item: [out] the item, truncated if it is too long
 *
 * Return: length of the item; 0 at the end of the list. PARSE_PLACES_ITEM_MAX or more means that
 * the item is truncated.
 */
size_t parse_places_item(const char **list, char item[PARSE_PLACES_ITEM_MAX])
{
	const char *start = *list + strspn(*list, BLANKS);
	size_t length = strcspn(start, BLANKS);

	snprintf(item, PARSE_PLACES_ITEM_MAX, "%.*s", (int)length, start);
	*list = start + length;
	return length;
}
