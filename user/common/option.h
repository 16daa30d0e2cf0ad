/* SPDX-License-Identifier: GPL-2.0 */
/* The table of a program's options, used for parsing, --help and shell completion. */
#ifndef TORUS_COMMON_OPTION_H
#define TORUS_COMMON_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

/* returned by option_read() after --help, --version or --options: the program exits with 0 */
#define OPTION_DONE	(-1)

/**
 * struct option_row - an option, or a line between options in --help
 * @name: long name, without dashes; NULL: only print @help
 * @letter: short name, or 0
 * @argument: placeholder of the value in --help; NULL: the option has no value
 * @help: description, wrapped at 80 columns; lines after the first are indented. A row without
 *	@help ends the table.
 * @offset: offset of the value in the program's struct
 * @take: stores the value; returns false with a reason if it is invalid. By default, the value is
 *    stored as const char *, and an option without a value sets a bool. If the reason is empty,
 *    @take has already printed a message.
 * @min: lowest number that @take accepts
 * @max: highest number that @take accepts; 0: no limit
 * @values: completion of the value for shells: words, or a kind that user/completion/torus defines,
 *    like @fabric. By default a value called FILE is a file.
 * @groups: bit mask of the commands that accept the option; 0: all
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
 * @name: name of the program, for messages and --version
 * @usage: first lines of --help
 * @rows: the options
 * @tail: last lines of --help, or NULL
 * @more: function that prints more lines of --help after @tail, or NULL
 * @group: bit of the command; rows of other groups are ignored
 * @words: completion of arguments that are not options, one line per argument, as @values of a
 *	row; or NULL
 * @in_order: true if options end at the first argument that is not an option
 * @status: exit status after an error
 * @bad: function that prints an error message and returns the exit status; NULL: print the message
 *    on standard error after @name, and return @status
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
void option_wrap(int column, int indent, const char *text);
bool option_choice(void *into, const struct option_row *row, const char *word,
		   struct parse_error *why);
bool option_store(void *into, const struct option_row *row, const char *word,
		  struct parse_error *why);

#endif /* TORUS_COMMON_OPTION_H */
