// SPDX-License-Identifier: GPL-2.0
/*
 * Split the lines of a file of torusctl commands into words.
 *
 * Words are separated by blanks. A # at the start of a word starts a comment. A backslash at the
 * end of a line continues it, except in a comment or between single quotes. Quotes and backslashes
 * escape special characters.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script_lines.h"
#include "parse.h"

/**
 * parse_lines_open - open a file of commands
 * @lines: [out] reader of the file
 * @name: name of the file; "-" is standard input
 * @why: [out] reason if the file cannot be opened
 *
 * Return: false after an error.
 */
bool parse_lines_open(struct parse_lines *lines, const char *name, struct parse_error *why)
{
	*lines = (struct parse_lines){ .name = name };
	if (!strcmp(name, "-")) {
		lines->name = "stdin";
		lines->file = stdin;
		return true;
	}
	lines->file = fopen(name, "r");
	return lines->file || parse_fail(why, "%s: %s", name, strerror(errno));
}

/**
 * parse_lines_close - close the file and free the reader
 * @lines: from parse_lines_open()
 */
void parse_lines_close(struct parse_lines *lines)
{
	if (lines->file && lines->file != stdin)
		fclose(lines->file);
	free(lines->raw);
	free(lines->text);
	free(lines->words);
	*lines = (struct parse_lines){ .name = NULL };
}

/* Append a byte to the current word. Return false if there is no memory. */
static bool lines_put(struct parse_lines *lines, char byte)
{
	char *text;

	if (lines->used == lines->room) {
		text = realloc(lines->text, lines->room * 2 + 64);
		if (!text)
			return false;
		lines->text = text;
		lines->room = lines->room * 2 + 64;
	}
	lines->text[lines->used++] = byte;
	return true;
}

/*
 * Make the array of words, lines->words. The texts of the words are already stored one after
 * another.
 */
static bool lines_point(struct parse_lines *lines)
{
	char **words = realloc(lines->words, (lines->count + 1) * sizeof(*words));
	char *at = lines->text;
	unsigned int i;

	if (!words)
		return false;
	lines->words = words;
	for (i = 0; i < lines->count; i++) {
		words[i] = at;
		at += strlen(at) + 1;
	}
	words[i] = NULL;
	return true;
}

/* Results of parsing one line of the file. */
enum lines_end { LINES_WHOLE, LINES_GOES_ON, LINES_NO_MEMORY };

/* State of the parser, which it keeps between the parts of a continued line. */
struct lines_state {
	char quote;
	bool inside;
};

static enum lines_end lines_piece(struct parse_lines *lines, const char *at, size_t length,
				  struct lines_state *state)
{
	const char *end = at + length;
	bool fits = true;

	for (; at < end && fits; at++) {
		if (*at == '#' && !state->inside)
			break;
		if (*at == '\\' && state->quote != '\'') {
			if (at + 1 == end || at[1] == '\n')
				return LINES_GOES_ON;
			state->inside = true;
			fits = lines_put(lines, *++at);
		} else if (state->quote) {
			if (*at == state->quote)
				state->quote = 0;
			else
				fits = lines_put(lines, *at);
		} else if (*at == '"' || *at == '\'') {
			state->quote = *at;
			state->inside = true;
		} else if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
			if (state->inside) {
				fits = lines_put(lines, '\0');
				lines->count++;
			}
			state->inside = false;
		} else {
			state->inside = true;
			fits = lines_put(lines, *at);
		}
	}
	if (fits && state->inside && !state->quote) {
		fits = lines_put(lines, '\0');
		lines->count++;
		state->inside = false;
	}
	return fits ? LINES_WHOLE : LINES_NO_MEMORY;
}

/**
 * parse_line_read - read a line
 * @file: the file
 * @line: [in, out] buffer, which is enlarged if necessary and freed by the caller. Receives the
 *    line with its newline and a NUL
 * @room: [in, out] size of @line in bytes
 *
 * Unlike getline(3), this function limits the memory for a line, because the file may be /dev/zero.
 *
 * Return: length of the line; 0 at the end of the file or after an error; -1 if the line is longer
 * than PARSE_LINE_MAX; -2 without memory. After -1 and -2 stop reading the file.
 */
ssize_t parse_line_read(FILE *file, char **line, size_t *room)
{
	size_t used = 0;
	char *grown;
	int byte = 0;

	while (byte != '\n' && (byte = getc_unlocked(file)) != EOF) {
		if (used > PARSE_LINE_MAX)
			return -1;
		if (used + 2 > *room) {
			grown = realloc(*line, *room * 2 + 128);
			if (!grown)
				return -2;
			*line = grown;
			*room = *room * 2 + 128;
		}
		(*line)[used++] = (char)byte;
	}
	if (used)
		(*line)[used] = '\0';
	return ferror(file) ? 0 : (ssize_t)used;
}

/* Read the next line without splitting it. Return the result of parse_line_read(). */
static ssize_t lines_raw(struct parse_lines *lines)
{
	ssize_t length = lines->over ? 0 :
			 parse_line_read(lines->file, &lines->raw, &lines->raw_room);

	lines->next += length != 0;
	return length;
}

/**
 * parse_lines_next - read the next line that has words
 * @lines: [in, out] reader from parse_lines_open(); its @words, @count and @line are set
 * @why: [out] reason for a rejection
 *
 * After a rejected line, the next line can be read, unless @lines->over or after an error of the
 * file.
 *
 * Return: 1; 0 at the end of the file; -1 if a line is rejected or cannot be read.
 */
int parse_lines_next(struct parse_lines *lines, struct parse_error *why)
{
	struct lines_state state = { .quote = 0 };
	enum lines_end end = LINES_WHOLE;
	bool more = false;
	size_t all = 0;
	ssize_t length;

	lines->count = 0;
	lines->used = 0;
	while (more || !lines->count) {
		length = lines_raw(lines);
		if (!more)
			lines->line = lines->next;
		if (!length)
			break;
		all += length < 0 ? PARSE_LINE_MAX + 2 : (size_t)length;
		if (all > PARSE_LINE_MAX + 1) {
			lines->over = true;
			if (length == -2)
				parse_fail(why, "out of memory for the line");
			else
				parse_fail(why, "the line must have at most %u bytes",
					   PARSE_LINE_MAX);
			return -1;
		}
		if (memchr(lines->raw, '\0', length)) {
			parse_fail(why, "contains byte 0, but must be a text file");
			return -1;
		}
		end = lines_piece(lines, lines->raw, length, &state);
		more = end == LINES_GOES_ON;
		if (end == LINES_NO_MEMORY || state.quote)
			break;
	}
	if (ferror(lines->file)) {
		parse_fail(why, "cannot read the file: %s", strerror(errno));
		return -1;
	}
	if (state.quote) {
		parse_fail(why, "the quote %c must be closed on the same line", state.quote);
		return -1;
	}
	if (more && state.inside) {
		/* the file ends after a backslash, so finish the word */
		end = lines_put(lines, '\0') ? LINES_WHOLE : LINES_NO_MEMORY;
		lines->count++;
	}
	if (end == LINES_NO_MEMORY || !lines_point(lines)) {
		parse_fail(why, "out of memory for the line");
		return -1;
	}
	return lines->count > 0;
}
