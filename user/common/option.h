/* SPDX-License-Identifier: GPL-2.0 */
/* The table of a program's options: parsing, --help and completion come from it. */
#ifndef TORUS_COMMON_OPTION_H
#define TORUS_COMMON_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

#define OPTION_DONE	(-1)	/* option_read(): what was asked for is printed */

/**
 * struct option_row - an option, or a line between options in --help
 * @name: long name, without dashes; NULL: @help is printed as it is
 * @letter: short name, or 0
 * @argument: placeholder of its value; NULL: the option has no value
 * @help: what it does; later lines are indented. The row without it ends the table.
 * @offset: where the value is stored
 * @take: stores the value, false with a reason if it makes no sense. By default the word is
 *        stored as const char *, and an option without a value sets a bool. If the reason stays
 *        empty, @take has printed it.
 * @min: least number, for @take
 * @max: greatest number, for @take; 0: no limit
 * @values: completion of the value: words, or a kind that user/completion/torus knows, like
 *          @fabric. By default a value called FILE is a file.
 * @groups: bit mask of the commands that take it; 0: all
 */
struct option_row {
	const char *name;
	char letter;
	const char *argument;
	const char *help;
	size_t offset;
	bool (*take)(void *into, const struct option_row *row, const char *word,
		     struct parse_error *why);
	uint64_t min;
	uint64_t max;
	const char *values;
	unsigned int groups;
};

#define OPTION_HELP	{ .name = "help", .letter = 'h', .help = "print this" }
#define OPTION_VERSION	{ .name = "version", .letter = 'V', .help = "print the version" }

/**
 * struct option_table - the options of a program or command
 * @name: of the program, in messages and for --version
 * @usage: first lines of --help
 * @rows: the options
 * @tail: last lines of --help, or NULL
 * @more: prints more lines after @tail, or NULL
 * @group: the command; rows of other groups are left out
 * @words: completion of the other words, one line for each, as @values of a row; or NULL
 * @in_order: the first word that is no option ends the options
 * @status: exit status of a mistake
 * @bad: prints an error message and returns the exit status; NULL: print it to standard error after
 *       @name, return @status
 */
struct option_table {
	const char *name;
	const char *usage;
	const struct option_row *rows;
	const char *tail;
	void (*more)(void);
	unsigned int group;
	const char *words;
	bool in_order;
	int status;
	int (*bad)(const char *format, ...) __attribute__((format(printf, 1, 2)));
};

int option_read(const struct option_table *table, int argc, char **argv, void *into);
int option_end(const struct option_table *table, int argc, char **argv, int count);
int option_word(const struct option_table *table, int argc, char **argv, const char *missing,
		const char **word);
int option_bad(const struct option_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool option_choice(void *into, const struct option_row *row, const char *word,
		   struct parse_error *why);
bool option_store(void *into, const struct option_row *row, const char *word,
		  struct parse_error *why);

#endif /* TORUS_COMMON_OPTION_H */
