// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns from a file, for `--pattern file:NAME`.  A line is SRC DST [WEIGHT], a node
 * a number or coordinates like 1,2,3; '#' begins a comment.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "table.h"

#define SHOWN_MAX	40	/* bytes of a word that a reason repeats */
#define LINE_MAX_BYTES	65536	/* of a line: what never ends is no pattern */
#define SPACE		" \t"
#define LINE_END	"\r\n"

/* A pair, and where its line stands. */
struct entry {
	struct torus_pair pair;
	uint32_t line;
	uint32_t column;
};

/**
 * struct reader - a file that is being read
 * @name: its name, for reasons
 * @shape: of the fabric
 * @why: gets the reason
 * @text: the line
 * @at: behind what has been read of it
 * @line: its number
 * @entries: pairs so far
 * @count: how many
 * @room: for how many there is room
 */
struct reader {
	const char *name;
	const struct pattern_shape *shape;
	char *why;
	char *text;
	const char *at;
	uint32_t line;
	struct entry *entries;
	uint32_t count;
	uint32_t room;
};

__attribute__((format(printf, 4, 5)))
static bool refuse(struct reader *reader, uint32_t line, uint32_t column, const char *format, ...)
{
	va_list args;
	int used;

	used = snprintf(reader->why, PATTERN_WHY_MAX, "%s:%" PRIu32 ":%" PRIu32 ": ", reader->name,
			line, column);
	va_start(args, format);
	if (used < PATTERN_WHY_MAX)
		vsnprintf(reader->why + used, PATTERN_WHY_MAX - used, format, args);
	va_end(args);
	return false;
}

/* A word of the line: where it begins, and its length; 0 at the line's end. */
struct word {
	const char *start;
	int length;
	uint32_t column;
};

static struct word next_word(struct reader *reader)
{
	struct word word = { .start = reader->at + strspn(reader->at, SPACE) };

	word.length = (int)strcspn(word.start, SPACE LINE_END "#");
	word.column = (uint32_t)(word.start - reader->text) + 1;
	reader->at = word.start + word.length;
	return word;
}

/* "64"; one that is too large for anything stays so. */
static bool word_value(const char *start, int length, uint64_t *value)
{
	int i;

	*value = 0;
	if (!length || (int)strspn(start, "0123456789") < length)
		return false;
	for (i = 0; i < length; i++)
		if (*value < UINT64_MAX / 10 - 1)
			*value = *value * 10 + (uint64_t)(start[i] - '0');
	return true;
}

static bool refuse_word(struct reader *reader, const struct word *word, const char *reason)
{
	return refuse(reader, reader->line, word->column, "\"%.*s\": %s",
		      word->length < SHOWN_MAX ? word->length : SHOWN_MAX, word->start, reason);
}

/* "1,2,3" */
static bool read_coords(struct reader *reader, const struct word *word, uint32_t *node)
{
	const struct pattern_shape *shape = reader->shape;
	const char *start = word->start, *end = word->start + word->length;
	uint64_t coords[TORUS_DIMS_MAX];
	unsigned int count = 0, i;
	char dim[REPORT_DIM_MAX];
	char reason[96];

	for (;; start += strcspn(start, ",") + 1) {
		int length = (int)strcspn(start, ",");

		length = start + length > end ? (int)(end - start) : length;
		if (count == TORUS_DIMS_MAX || !word_value(start, length, &coords[count]))
			return refuse_word(reader, word,
					   "neither a number nor coordinates like 1,2,3");
		count++;
		if (start + length == end)
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
		snprintf(reason, sizeof(reason), "%s is outside of 0..%" PRIu32,
			 report_dim_name(i, dim, sizeof(dim)), shape->dims[i] - 1);
		return refuse_word(reader, word, reason);
	}
	*node = 0;
	for (i = count; i-- > 0;) {
		unsigned int d = shape->order ? shape->order[i] : i;

		*node = *node * shape->dims[d] + (uint32_t)coords[d];
	}
	return true;
}

static bool read_node(struct reader *reader, const struct word *word, const char *what,
		      uint32_t *node)
{
	uint64_t value;

	if (!word->length)
		return refuse(reader, reader->line, word->column, "the %s is missing", what);
	if (memchr(word->start, ',', (size_t)word->length))
		return read_coords(reader, word, node);
	if (!word_value(word->start, word->length, &value))
		return refuse_word(reader, word, "neither a number nor coordinates like 1,2,3");
	if (value >= reader->shape->nodes)
		return refuse(reader, reader->line, word->column,
			      "node %.*s is outside of 0..%" PRIu32,
			      word->length < SHOWN_MAX ? word->length : SHOWN_MAX, word->start,
			      reader->shape->nodes - 1);
	*node = (uint32_t)value;
	return true;
}

static bool read_weight(struct reader *reader, const struct word *word, uint32_t *weight)
{
	char reason[96];
	uint64_t value;

	*weight = 1;
	if (!word->length)
		return true;
	if (!word_value(word->start, word->length, &value) || !value ||
	    value > TORUS_WEIGHT_MAX) {
		snprintf(reason, sizeof(reason), "a weight is a whole number from 1 to %u",
			 TORUS_WEIGHT_MAX);
		return refuse_word(reader, word, reason);
	}
	*weight = (uint32_t)value;
	return true;
}

static bool add(struct reader *reader, const struct entry *entry)
{
	struct entry *more;

	if (reader->count == TORUS_PAIRS_MAX)
		return refuse(reader, entry->line, entry->column, "more than %u pairs",
			      TORUS_PAIRS_MAX);
	if (reader->count == reader->room) {
		reader->room = reader->room ? 2 * reader->room : 1024;
		more = realloc(reader->entries, reader->room * sizeof(*more));
		if (!more)
			return refuse(reader, entry->line, entry->column, "no memory for the pair");
		reader->entries = more;
	}
	reader->entries[reader->count++] = *entry;
	return true;
}

static bool read_line(struct reader *reader, size_t length)
{
	struct entry entry = { .line = reader->line };
	struct word src, dst, weight, rest;

	if (strlen(reader->text) < length)
		return refuse(reader, reader->line, (uint32_t)strlen(reader->text) + 1,
			      "a byte 0x0 has no meaning");
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
		return refuse(reader, reader->line, dst.column, "node %" PRIu32 " sends to itself",
			      entry.pair.src);
	if (!read_weight(reader, &weight, &entry.pair.weight))
		return false;
	if (rest.length)
		return refuse_word(reader, &rest, "one word too many");
	return add(reader, &entry);
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

/* A pair given twice is told where it stands the second time, the first of all such. */
static bool check_twice(struct reader *reader)
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
				"%" PRIu32 " to %" PRIu32 " is listed already, in line %" PRIu32,
				found->pair.src, found->pair.dst, found[-1].line);
}

/* The next line into reader->text; LINE_MAX_BYTES for one that is longer, 0 for the file's end. */
static size_t next_line(struct reader *reader, FILE *file)
{
	size_t length = 0;
	int byte = 0;

	while (length < LINE_MAX_BYTES && byte != '\n' && (byte = getc_unlocked(file)) != EOF)
		reader->text[length++] = (char)byte;
	reader->text[length] = '\0';
	return length;
}

static bool read_lines(struct reader *reader, FILE *file)
{
	size_t length;
	bool good = true;

	reader->text = malloc(LINE_MAX_BYTES + 1);
	if (!reader->text)
		return refuse(reader, 1, 1, "no memory for a line");
	while (good && (length = next_line(reader, file))) {
		reader->line++;
		good = length < LINE_MAX_BYTES ? read_line(reader, length) :
		       refuse(reader, reader->line, 1, "a line has less than %d bytes",
			      LINE_MAX_BYTES);
	}
	free(reader->text);
	if (!good)
		return false;
	if (ferror(file)) {
		snprintf(reader->why, PATTERN_WHY_MAX, "%s: %s", reader->name, strerror(errno));
		return false;
	}
	if (!reader->count)
		return refuse(reader, reader->line ? reader->line : 1, 1,
			      "the file ends without a pair SRC DST");
	return check_twice(reader);
}

/**
 * pattern_table_read - read a pattern from a file
 * @table: gets it; pattern_table_free() it
 * @name: of the file, "-" for standard input
 * @shape: of the fabric that it is for
 * @why: gets the reason, PATTERN_WHY_MAX bytes: FILE:LINE:COLUMN: what and why
 *
 * Return: whether it makes sense.
 */
bool pattern_table_read(struct pattern_table *table, const char *name,
			const struct pattern_shape *shape, char *why)
{
	struct reader reader = { .name = name, .shape = shape, .why = why };
	bool in = !strcmp(name, "-");
	FILE *file = in ? stdin : fopen(name, "r");
	bool good;
	uint32_t i;

	*table = (struct pattern_table){ .pairs = NULL };
	if (!file) {
		snprintf(why, PATTERN_WHY_MAX, "%s: %s", name, strerror(errno));
		return false;
	}
	good = read_lines(&reader, file);
	if (!in)
		fclose(file);
	if (good) {
		table->pairs = calloc(reader.count, sizeof(*table->pairs));
		good = table->pairs;
		if (!good)
			snprintf(why, PATTERN_WHY_MAX, "%s: no memory for %" PRIu32 " pairs", name,
				 reader.count);
	}
	for (i = 0; good && i < reader.count; i++)
		table->pairs[table->count++] = reader.entries[i].pair;
	free(reader.entries);
	return good;
}

/**
 * pattern_table_free - forget a table
 * @table: the table
 */
void pattern_table_free(struct pattern_table *table)
{
	free(table->pairs);
	*table = (struct pattern_table){ .pairs = NULL };
}
