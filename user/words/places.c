// SPDX-License-Identifier: GPL-2.0
/* Several nodes in a word: "0-3,0,0", "all,1,1", "5-9", "all". */
#include <stdio.h>
#include <string.h>

#include "../machine/machine.h"
#include "number.h"
#include "place.h"
#include "places.h"
#include "words.h"

#define EVERY	"all"
#define BLANKS	" \t\n"

static bool places_number(const char *start, const char *end, __u32 *value)
{
	__u64 number;

	if (start == end || !word_part(start, end, &number) || number > ~0u)
		return false;
	*value = number;
	return true;
}

/* One coordinate, or the number: N, N-M or all. */
static bool places_part(struct word_places *places, const char *start, const char *end,
			struct word_why *why)
{
	const char *dash = memchr(start, '-', end - start);
	__u32 *first = &places->first[places->count];
	__u32 *last = &places->last[places->count];

	if ((size_t)(end - start) == strlen(EVERY) && !memcmp(start, EVERY, strlen(EVERY))) {
		*first = 0;
		*last = ~0u;
	} else if (!places_number(start, dash ? dash : end, first) ||
		   (dash && !places_number(dash + 1, end, last))) {
		return word_refuse(why, "node %s: %.*s is neither a number nor a range like 0-3 "
				   "nor all", places->word, (int)(end - start), start);
	} else if (!dash) {
		*last = *first;
	}
	if (*first > *last)
		return word_refuse(why, "node %s: the range %.*s goes down", places->word,
				   (int)(end - start), start);
	places->count++;
	return true;
}

/**
 * word_places - nodes
 * @word: coordinates or a number, each a range or all if that is meant; all
 * @places: gets them
 * @why: gets the reason
 *
 * Return: whether they make sense.
 */
bool word_places(const char *word, struct word_places *places, struct word_why *why)
{
	const char *comma = strchr(word, ',');
	const char *start = word;
	struct word_place place;
	__u32 d;

	*places = (struct word_places){ .word = word, .by_coords = comma };
	if (!strcmp(word, EVERY)) {
		places->all = true;
		return true;
	}
	/* One node has refusals of its own. */
	if (!strpbrk(word, "-al")) {
		if (!word_place(word, false, &place, why))
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
			return word_refuse(why, "node %s: more than %d dimensions", word,
					   TORUS_DIMS_MAX);
		if (!places_part(places, start, comma, why))
			return false;
		start = comma + 1;
	}
	return places_part(places, start, start + strlen(start), why);
}

/**
 * word_places_inside - are the nodes those of a shape?  Where all of a dimension is meant,
 *                      that becomes its length
 * @places: the nodes
 * @shape: the shape
 * @whose: whose shape it is, for the reason
 * @why: gets the reason
 *
 * Return: whether they are; numbers are for whoever knows the machine's.
 */
bool word_places_inside(struct word_places *places, const struct torus_machine_shape *shape,
			const char *whose, struct word_why *why)
{
	struct word_place corner = {
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
	return word_place_inside(&corner, shape, whose, why);
}

/**
 * word_places_next - go on to the next of several nodes, the first dimension fastest
 * @places: nodes by coordinates, of which word_places_inside() knows
 * @at: coordinates of one of them, at first @places->first; out: of the next one
 *
 * Return: false behind the last one; @at is the first one again.
 */
bool word_places_next(const struct word_places *places, __u32 *at)
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
 * word_places_item - take the next word of a list of nodes, words with blanks between them
 * @list: the list; out: what is behind the word
 * @item: gets the word
 *
 * Return: its length, 0 at the end of the list; WORD_PLACES_ITEM_MAX or more where it is longer
 * than any node, and @item has its beginning.
 */
size_t word_places_item(const char **list, char item[WORD_PLACES_ITEM_MAX])
{
	const char *start = *list + strspn(*list, BLANKS);
	size_t length = strcspn(start, BLANKS);

	snprintf(item, WORD_PLACES_ITEM_MAX, "%.*s", (int)length, start);
	*list = start + length;
	return length;
}
