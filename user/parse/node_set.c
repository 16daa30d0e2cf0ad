// SPDX-License-Identifier: GPL-2.0
/* Several nodes in a word: "0-3,0,0", "all,1,1", "5-9", "all". */
#include <stdio.h>
#include <string.h>

#include "../machine/machine.h"
#include "integer.h"
#include "node.h"
#include "node_set.h"
#include "parse.h"

#define EVERY	"all"
#define BLANKS	" \t\n"

static bool places_number(const char *start, const char *end, __u32 *value)
{
	__u64 number;

	if (start == end || !parse_part(start, end, &number) || number > ~0u)
		return false;
	*value = number;
	return true;
}

/* One coordinate, or the number: N, N-M or all. */
static bool places_part(struct parse_places *places, const char *start, const char *end,
			struct parse_error *why)
{
	const char *dash = memchr(start, '-', end - start);
	__u32 *first = &places->first[places->count];
	__u32 *last = &places->last[places->count];

	if ((size_t)(end - start) == strlen(EVERY) && !memcmp(start, EVERY, strlen(EVERY))) {
		*first = 0;
		*last = ~0u;
	} else if (!places_number(start, dash ? dash : end, first) ||
		   (dash && !places_number(dash + 1, end, last))) {
		return parse_fail(why, "node %s: %.*s is neither a number nor a range like 0-3 "
				  "nor all", places->word, (int)(end - start), start);
	} else if (!dash) {
		*last = *first;
	}
	if (*first > *last)
		return parse_fail(why, "node %s: the range %.*s goes down", places->word,
				  (int)(end - start), start);
	places->count++;
	return true;
}

/**
 * parse_places - nodes
 * @word: coordinates or a number, each a range or all if that is meant; all
 * @places: gets them
 * @why: gets the reason
 *
 * Return: whether they make sense.
 */
bool parse_places(const char *word, struct parse_places *places, struct parse_error *why)
{
	const char *comma = strchr(word, ',');
	const char *start = word;
	struct parse_place place;
	__u32 d;

	*places = (struct parse_places){ .word = word, .by_coords = comma };
	if (!strcmp(word, EVERY)) {
		places->all = true;
		return true;
	}
	/* One node has refusals of its own. */
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
			return parse_fail(why, "node %s: more than %d dimensions", word,
					  TORUS_DIMS_MAX);
		if (!places_part(places, start, comma, why))
			return false;
		start = comma + 1;
	}
	return places_part(places, start, start + strlen(start), why);
}

/**
 * parse_places_inside - are the nodes those of a shape?  Where all of a dimension is meant,
 *                      that becomes its length
 * @places: the nodes
 * @shape: the shape
 * @whose: whose shape it is, for the reason
 * @why: gets the reason
 *
 * Return: whether they are; numbers are for whoever knows the machine's.
 */
bool parse_places_inside(struct parse_places *places, const struct torus_machine_shape *shape,
			 const char *whose, struct parse_error *why)
{
	struct parse_place corner = {
		.word = places->word, .by_coords = true, .coords.count = places->count,
	};
	__u32 d;

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
 * parse_places_next - go on to the next of several nodes, the first dimension fastest
 * @places: nodes by coordinates, of which parse_places_inside() knows
 * @at: coordinates of one of them, at first @places->first; out: of the next one
 *
 * Return: false behind the last one; @at is the first one again.
 */
bool parse_places_next(const struct parse_places *places, __u32 *at)
{
	__u32 d;

	for (d = 0; d < places->count; d++) {
		if (++at[d] <= places->last[d])
			return true;
		at[d] = places->first[d];
	}
	return false;
}

/**
 * parse_places_item - take the next word of a list of nodes, words with blanks between them
 * @list: the list; out: what is behind the word
 * @item: gets the word
 *
 * Return: its length, 0 at the end of the list; PARSE_PLACES_ITEM_MAX or more where it is longer
 * than any node, and @item has its beginning.
 */
size_t parse_places_item(const char **list, char item[PARSE_PLACES_ITEM_MAX])
{
	const char *start = *list + strspn(*list, BLANKS);
	size_t length = strcspn(start, BLANKS);

	snprintf(item, PARSE_PLACES_ITEM_MAX, "%.*s", (int)length, start);
	*list = start + length;
	return length;
}
