// SPDX-License-Identifier: GPL-2.0
/*
 * Read traffic patterns from a file, for `--pattern file:NAME`.
 *
 * Each line has the form SRC DST [WEIGHT]. A node is a number, or coordinates such as 1,2,3. A
 * comment starts with '#'.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../machine/machine.h"
#include "integer.h"
#include "pair_file.h"
#include "shape.h"
#include "parse.h"

#define SHOWN_MAX	40	/* maximum bytes of a word that an error message shows */
/* a line must have fewer bytes; bounds the memory for a file without newlines */
#define LINE_MAX_BYTES	65536
#define SPACE		" \t"
#define LINE_END	"\r\n"

/* A pair of nodes, with the position of its line in the file. */
struct entry {
	struct torus_pair pair;
	uint32_t line;
	uint32_t column;
};

/**
 * struct pair_file_reader - state of the parser
 * @name: name of the file, for error messages
 * @machine: machine of the fabric
 * @shape: shape of the fabric
 * @nodes: limit of node numbers, which must be lower, unless @shape has a numbering
 * @why: [out] reason for a rejection
 * @text: the current line
 * @at: first byte of the current line that was not parsed yet
 * @line: number of the current line
 * @entries: pairs that were read so far
 * @count: number of entries in @entries
 */
struct pair_file_reader {
	const char *name;
	const struct torus_machine *machine;
	const struct torus_machine_shape *shape;
	uint32_t nodes;
	struct parse_error *why;
	char *text;
	const char *at;
	uint32_t line;
	struct entry *entries;
	uint32_t count;
};

__attribute__((format(printf, 4, 5)))
static bool refuse(struct pair_file_reader *reader, uint32_t line, uint32_t column,
		   const char *format, ...)
{
	va_list args;
	int used;

	used = snprintf(reader->why->text, PARSE_WHY_MAX, "%s:%u:%u: ", reader->name, line, column);
	va_start(args, format);
	if (used < PARSE_WHY_MAX)
		vsnprintf(reader->why->text + used, PARSE_WHY_MAX - used, format, args);
	va_end(args);
	return false;
}

/* A word of the current line. Its length is 0 at the end of the line. */
struct token {
	const char *start;
	int length;
	uint32_t column;
};

static struct token next_word(struct pair_file_reader *reader)
{
	struct token word = { .start = reader->at + strspn(reader->at, SPACE) };

	word.length = (int)strcspn(word.start, SPACE LINE_END "#");
	word.column = (uint32_t)(word.start - reader->text) + 1;
	reader->at = word.start + word.length;
	return word;
}

static bool refuse_word(struct pair_file_reader *reader, const struct token *word,
			const char *reason)
{
	return refuse(reader, reader->line, word->column, "\"%.*s\": %s",
		      word->length < SHOWN_MAX ? word->length : SHOWN_MAX, word->start, reason);
}

/* Parse a decimal number. Hexadecimal numbers are accepted on the command line, but not here. */
static bool read_value(const char *start, const char *end, __u64 *value)
{
	return strspn(start, "0123456789") >= (size_t)(end - start) &&
	       parse_part(start, end, value);
}

/* Parse coordinates such as "1,2,3". */
static bool read_coords(struct pair_file_reader *reader, const struct token *word, uint32_t *node)
{
	const struct torus_machine_shape *shape = reader->shape;
	const char *start = word->start, *end = word->start + word->length, *comma;
	uint32_t coords[TORUS_DIMS_MAX], count = 0, i;
	char dim[PARSE_DIM_MAX], reason[96];
	__u64 value;

	for (;; start = comma + 1) {
		comma = memchr(start, ',', end - start);
		if (count == TORUS_DIMS_MAX || !read_value(start, comma ? comma : end, &value))
			return refuse_word(reader, word,
					   "must be a number or coordinates like 1,2,3");
		coords[count++] = value < ~0u ? value : ~0u;
		if (!comma)
			break;
	}
	if (count != shape->ndims) {
		snprintf(reason, sizeof(reason), "%u coordinates, but the fabric has %u dimensions",
			 count, shape->ndims);
		return refuse_word(reader, word, reason);
	}
	for (i = 0; i < count; i++) {
		if (coords[i] < shape->dims[i])
			continue;
		snprintf(reason, sizeof(reason), "%s must be from 0 to %u",
			 parse_dim_name(i, dim, sizeof(dim)), shape->dims[i] - 1);
		return refuse_word(reader, word, reason);
	}
	return !torus_machine_number(reader->machine, shape, coords, node) ||
	       refuse_word(reader, word,
			   "coordinates are not supported for this machine: must be the number of "
			   "the node");
}

static bool read_node(struct pair_file_reader *reader, const struct token *word, const char *what,
		      uint32_t *node)
{
	uint32_t coords[TORUS_DIMS_MAX], last;
	__u64 value;

	if (!word->length)
		return refuse(reader, reader->line, word->column, "the %s is missing", what);
	if (memchr(word->start, ',', (size_t)word->length))
		return read_coords(reader, word, node);
	if (!read_value(word->start, word->start + word->length, &value))
		return refuse_word(reader, word, "must be a number or coordinates like 1,2,3");
	last = reader->shape->numbering ? reader->shape->numbering->last : reader->nodes - 1;
	if (value > last)
		return refuse(reader, reader->line, word->column, "node %.*s: must be from 0 to %u",
			      word->length < SHOWN_MAX ? word->length : SHOWN_MAX, word->start,
			      last);
	if (torus_machine_place(reader->machine, reader->shape, value, coords) == -ENOENT)
		return refuse(reader, reader->line, word->column,
			      "node %.*s: no node has this number", word->length, word->start);
	*node = (uint32_t)value;
	return true;
}

static bool read_weight(struct pair_file_reader *reader, const struct token *word, uint32_t *weight)
{
	char reason[96];
	__u64 value;

	*weight = 1;
	if (!word->length)
		return true;
	if (!read_value(word->start, word->start + word->length, &value) || !value ||
	    value > TORUS_WEIGHT_MAX) {
		snprintf(reason, sizeof(reason), "a weight must be a whole number from 1 to %u",
			 TORUS_WEIGHT_MAX);
		return refuse_word(reader, word, reason);
	}
	*weight = (uint32_t)value;
	return true;
}

static bool pair_file_add(struct pair_file_reader *reader, const struct entry *entry)
{
	struct entry *more;

	if (reader->count == TORUS_PAIRS_MAX)
		return refuse(reader, entry->line, entry->column,
			      "the list must have at most %u pairs",
			      TORUS_PAIRS_MAX);
	more = torus_array_add(&reader->entries, &reader->count);
	if (!more)
		return refuse(reader, entry->line, entry->column, "out of memory for the pair");
	*more = *entry;
	return true;
}

static bool read_line(struct pair_file_reader *reader, size_t length)
{
	struct entry entry = { .line = reader->line };
	struct token src, dst, weight, rest;

	if (strlen(reader->text) < length)
		return refuse(reader, reader->line, (uint32_t)strlen(reader->text) + 1,
			      "unexpected byte 0x0");
	reader->at = reader->text;
	src = next_word(reader);
	if (!src.length)
		return true;
	entry.column = src.column;
	dst = next_word(reader);
	weight = next_word(reader);
	rest = next_word(reader);
	if (!read_node(reader, &src, "source", &entry.pair.src) ||
	    !read_node(reader, &dst, "destination", &entry.pair.dst))
		return false;
	if (entry.pair.src == entry.pair.dst)
		return refuse(reader, reader->line, dst.column, "node %u must not send to itself",
			      entry.pair.src);
	if (!read_weight(reader, &weight, &entry.pair.weight))
		return false;
	if (rest.length)
		return refuse_word(reader, &rest, "unexpected word");
	return pair_file_add(reader, &entry);
}

static int by_pair(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->pair.src != y->pair.src)
		return x->pair.src < y->pair.src ? -1 : 1;
	if (x->pair.dst != y->pair.dst)
		return x->pair.dst < y->pair.dst ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/*
 * Reject a pair that occurs twice. If several pairs do, report the one that is repeated first in
 * the file, at the line of its repetition.
 */
static bool check_twice(struct pair_file_reader *reader)
{
	const struct entry *found = NULL, *entries = reader->entries;
	uint32_t i;

	qsort(reader->entries, reader->count, sizeof(*entries), by_pair);
	for (i = 1; i < reader->count; i++) {
		if (entries[i].pair.src != entries[i - 1].pair.src ||
		    entries[i].pair.dst != entries[i - 1].pair.dst)
			continue;
		if (!found || entries[i].line < found->line)
			found = &entries[i];
	}
	return !found || refuse(reader, found->line, found->column,
				"the pair %u %u was already listed in line %u",
				found->pair.src, found->pair.dst, found[-1].line);
}

/*
 * Read a line into reader->text. Return its length: LINE_MAX_BYTES if the line is too long, 0 at
 * the end of the file.
 */
static size_t next_line(struct pair_file_reader *reader, FILE *file)
{
	size_t length = 0;
	int byte = 0;

	while (length < LINE_MAX_BYTES && byte != '\n' && (byte = getc_unlocked(file)) != EOF)
		reader->text[length++] = (char)byte;
	reader->text[length] = '\0';
	return length;
}

static bool read_lines(struct pair_file_reader *reader, FILE *file)
{
	size_t length;
	bool good = true;

	reader->text = malloc(LINE_MAX_BYTES + 1);
	if (!reader->text)
		return refuse(reader, 1, 1, "out of memory for a line");
	while (good && (length = next_line(reader, file))) {
		reader->line++;
		good = length < LINE_MAX_BYTES ? read_line(reader, length) :
		       refuse(reader, reader->line, 1, "a line must have less than %d bytes",
			      LINE_MAX_BYTES);
	}
	free(reader->text);
	if (!good)
		return false;
	if (ferror(file))
		return parse_fail(reader->why, "%s: %s", reader->name, strerror(errno));
	if (!reader->count)
		return refuse(reader, reader->line ? reader->line : 1, 1,
			      "the file must contain at least one pair SRC DST");
	return check_twice(reader);
}

/**
 * parse_pairs_read - read a traffic pattern from a file
 * @pairs: [out] the pattern, freed with parse_pairs_free()
 * @name: name of the file, "-" for standard input
 * @machine: description of the machine; NULL: accept only node numbers
 * @shape: shape of the fabric
 * @nodes: limit of node numbers, which must be lower, unless @shape has a numbering
 * @why: [out] reason for a rejection, as FILE:LINE:COLUMN: MESSAGE; FILE: MESSAGE if the file
 *    cannot be read or there is no memory for @pairs
 *
 * Return: false if the file is rejected.
 */
bool parse_pairs_read(struct parse_pairs *pairs, const char *name,
		      const struct torus_machine *machine,
		      const struct torus_machine_shape *shape, uint32_t nodes,
		      struct parse_error *why)
{
	struct pair_file_reader reader = {
		.name = name, .machine = machine, .shape = shape, .nodes = nodes, .why = why,
	};
	bool in = !strcmp(name, "-");
	FILE *file = in ? stdin : fopen(name, "r");
	bool good;
	uint32_t i;

	*pairs = (struct parse_pairs){ .pairs = NULL };
	if (!file)
		return parse_fail(why, "%s: %s", name, strerror(errno));
	good = read_lines(&reader, file);
	if (!in)
		fclose(file);
	if (good) {
		pairs->pairs = calloc(reader.count, sizeof(*pairs->pairs));
		if (!pairs->pairs)
			good = parse_fail(why, "%s: out of memory for %u pairs",
					  name, reader.count);
	}
	for (i = 0; good && i < reader.count; i++)
		pairs->pairs[pairs->count++] = reader.entries[i].pair;
	free(reader.entries);
	return good;
}

/**
 * parse_pairs_free - free a pattern from a file
 */
void parse_pairs_free(struct parse_pairs *pairs)
{
	free(pairs->pairs);
	*pairs = (struct parse_pairs){ .pairs = NULL };
}
