// SPDX-License-Identifier: GPL-2.0
/* A line of text of a trace: the machine, an event, or the number of events that are missing. */
#include <stdio.h>
#include <string.h>

#include "core/base/geometry.h"
#include "../machine/machine.h"
#include "../parse/integer.h"
#include "../parse/node.h"
#include "text.h"

#define ARCH_MAX	16

/* Remove the first word from a line. Returns an empty word at the end. */
static char *take_word(char **line)
{
	char *word = *line + strspn(*line, " ");
	char *end = word + strcspn(word, " ");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* Read "# bgl 4x4x4, a tick is 5.714 ns", the first line of a trace. */
static bool text_comment(struct player_record *record, const char *line, struct parse_error *why)
{
	char arch[ARCH_MAX], shape[PARSE_SHAPE_MAX];

	if (sscanf(line, "# %15s %127[0-9x], a tick is", arch, shape) != 2 ||
	    record->config.arch)
		return true;
	return player_record_machine(record, arch, shape, why);
}

static bool text_node(const struct player_record *record, const char *what, const char *word,
		      u32 *node, struct parse_error *why)
{
	const struct torus_geometry *geo = &record->config.geo;
	const struct torus_machine_shape shape = { .ndims = geo->ndims, .dims = geo->dims };
	struct parse_error reason;
	struct parse_place place;

	if (!parse_place(word, false, &place, &reason) ||
	    !parse_place_inside(&place, &shape, "the machine", &reason))
		return parse_fail(why, "%s: %s", what, reason.text);
	/* In one dimension the coordinate is written like a number. */
	if (!place.by_coords && geo->ndims == 1) {
		place.coords = (struct parse_list){ .count = 1, .numbers = { place.number } };
		place.by_coords = place.number < geo->dims[0];
	}
	if (!place.by_coords)
		return parse_fail(why, "%s %s: must be coordinates of the machine", what, word);
	*node = torus_geometry_node(geo, place.coords.numbers);
	return true;
}

/**
 * player_text_line - read a line of text
 * @record: [in, out] the record
 * @line: the line without its newline; changed
 * @why: [out] reason for a rejection
 *
 * Return: false if the line is rejected.
 */
bool player_text_line(struct player_record *record, char *line, struct parse_error *why)
{
	struct player_event event = { .tick = 0 };
	unsigned long long lost, at;
	__u64 tick;
	char *word;

	if (*line == '#')
		return text_comment(record, line, why);
	if (sscanf(line, "lost %llu events from tick %llu on", &lost, &at) == 2) {
		player_record_lose(record, at, lost);
		return true;
	}
	word = take_word(&line);
	if (!*word)
		return true;
	if (!record->config.arch)
		return parse_fail(why, "an event before the machine: the file must begin with a "
				  "line like \"# bgl 4x4x4, a tick is 5.714 ns\"");
	if (!parse_number("tick", word, 0, ~0ull, &tick, why))
		return false;
	event.tick = tick;
	word = take_word(&line);
	if (!player_record_kind(word, &event.kind))
		return parse_fail(why, "event %s: must be one of inject, route, stall, hop, error, "
				  "resend, deliver, drop, ack, interrupt", word);
	if (!text_node(record, "node", take_word(&line), &event.node, why) ||
	    !text_node(record, "packet: from", take_word(&line), &event.src, why) ||
	    !parse_u32("number", take_word(&line), 0, ~0u, &event.number, why) ||
	    !text_node(record, "to", take_word(&line), &event.dst, why))
		return false;
	event.more = line + strspn(line, " ");
	event.length = strlen(event.more);
	return player_record_link(record, event.kind, event.more, why) &&
	       player_record_add(record, &event, why);
}
