// SPDX-License-Identifier: GPL-2.0
/* Parse the options of a program, print its --help, and list the options for shell completion. */
#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <linux/torus.h>

#include "escape.h"
#include "option.h"
#include "version.h"

#define ROWS_MAX	96	/* maximum number of options of one command */
/*
 * maximum width of the options' column in --help. A longer option moves its description to the
 * right
 */
#define LEFT_MAX	24
#define NAMES_MAX	1024	/* maximum bytes of a list of all option names */
#define COLUMNS		80	/* width of --help; a longer word has a line of its own */

static bool has(const struct option_table *table, const struct option_row *row)
{
	return row->name && (!row->groups || row->groups & table->group);
}

/**
 * option_bad - reject an option or a value with an error message
 * @table: the options
 * @format: the value and the reason
 *
 * Return: the exit status.
 */
int option_bad(const struct option_table *table, const char *format, ...)
{
	char text[NAMES_MAX + PARSE_WHY_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (table->bad)
		return table->bad("%s", text);
	torus_escape_message(stderr, "%s: %s\n", table->name, text);
	return table->status;
}

/* ------------------------------------------------------------------------ help */

static int left(const struct option_row *row, bool letters, char text[64])
{
	const char letter[] = { '-', row->letter, ',', ' ', '\0' };

	return snprintf(text, 64, "  %s--%s%s%s", row->letter ? letter : letters ? "    " : "",
			row->name, row->argument ? " " : "", row->argument ? row->argument : "");
}

/**
 * option_wrap - print a text in lines of 80 columns, broken at blanks
 * @column: column of the cursor
 * @indent: column in which further lines start
 * @text: the text; a newline in it starts a new line
 */
void option_wrap(int column, int indent, const char *text)
{
	int start = column, length;

	for (;; text += length + 1) {
		length = (int)strcspn(text, "\n ");
		if (column > start && column + 1 + length > COLUMNS) {
			printf("\n%*s", indent, "");
			start = indent;
			column = indent;
		}
		printf("%s%.*s", column > start ? " " : "", length, text);
		column += length + (column > start);
		if (!text[length])
			break;
		if (text[length] == '\n') {
			printf("\n%*s", indent, "");
			start = indent;
			column = indent;
		}
	}
	putchar('\n');
}

static void print_help(const struct option_table *table)
{
	const struct option_row *row;
	bool letters = false;
	int width = 0, length;
	char text[64];

	for (row = table->rows; row->help; row++)
		letters |= has(table, row) && row->letter;
	for (row = table->rows; row->help; row++) {
		length = has(table, row) ? left(row, letters, text) : 0;
		width = length > width && length <= LEFT_MAX + 2 ? length : width;
	}
	printf("%s\n", table->usage);
	for (row = table->rows; row->help; row++) {
		if (!row->name)
			puts(row->help);
		if (!has(table, row))
			continue;
		length = left(row, letters, text);
		printf("%-*s  ", width, text);
		option_wrap((length > width ? length : width) + 2, width + 2, row->help);
	}
	if (table->tail)
		fputs(table->tail, stdout);
	if (table->more)
		table->more();
}

/*
 * List the options for user/completion/torus, one line per option: name, letter and values,
 * separated by tabs. "-" stands for values without completion. Lines for other arguments start
 * with =.
 */
static void print_options(const struct option_table *table)
{
	const struct option_row *row;
	const char *at, *end;

	for (row = table->rows; row->help; row++)
		if (has(table, row))
			printf("--%s\t%s%.1s\t%s\n", row->name, row->letter ? "-" : "",
			       &row->letter, row->values ? row->values : !row->argument ? "" :
			       strcmp(row->argument, "FILE") ? "-" : "@file");
	for (at = table->words; at; at = *end ? end + 1 : NULL) {
		end = strchrnul(at, '\n');
		printf("=\t\t%.*s\n", (int)(end - at), at);
	}
}

/* --------------------------------------------------------------------- parsing */

/**
 * option_store - store the value of an option as a string, or set its flag
 * @into: struct that contains the value, at @row->offset
 * @row: the option
 * @word: value; NULL if the option has none
 * @why: unused
 *
 * Return: true.
 */
bool option_store(void *into, const struct option_row *row, const char *word,
		  struct parse_error *why)
{
	void *at = (char *)into + row->offset;

	(void)why;
	if (row->argument)
		*(const char **)at = word;
	else
		*(bool *)at = true;
	return true;
}

/**
 * option_choice - store the index of a value in @row->values as an unsigned int
 * @into: struct that contains the value, at @row->offset
 * @row: the option; its values are separated by blanks
 * @word: the value
 * @why: [out] error message
 *
 * Return: true if @word is one of @row->values.
 */
bool option_choice(void *into, const struct option_row *row, const char *word,
		   struct parse_error *why)
{
	const char *at = row->values;
	unsigned int place = 0;
	size_t length;

	for (;; at += length + 1, place++) {
		length = strcspn(at, " ");
		if (strlen(word) == length && !strncmp(at, word, length))
			break;
		if (!at[length])
			return parse_fail(why, "--%s %s: must be one of %s", row->name, word,
					  row->values);
	}
	*(unsigned int *)((char *)into + row->offset) = place;
	return true;
}

/*
 * List the option names that start with the first @length bytes of @word. Return the number of
 * names.
 */
static unsigned int names(const struct option_table *table, const char *word, size_t length,
			  char list[NAMES_MAX])
{
	const struct option_row *row;
	unsigned int count = 0;
	size_t used = 0;

	*list = '\0';
	for (row = table->rows; row->help; row++) {
		if (!has(table, row) || strncmp(word, row->name, length) || used >= NAMES_MAX)
			continue;
		used += (size_t)snprintf(list + used, NAMES_MAX - used, " --%s", row->name);
		count++;
	}
	return count;
}

/* Report the option that getopt_long() rejected. */
static int unknown(const struct option_table *table, char **argv, int value)
{
	const char *word = argv[optind - 1];
	char list[NAMES_MAX];

	if (value == ':')
		return option_bad(table, "%s: its value is missing", word);
	if (optopt >= 256)
		return option_bad(table, "%s: --%s must not have a value", word,
				  table->rows[optopt - 256].name);
	if (!optopt && word[2] && names(table, word + 2, strcspn(word + 2, "="), list))
		return option_bad(table, "%s: ambiguous option, may be any of:%s", word, list);
	names(table, "", 0, list);
	if (optopt)
		return option_bad(table, "unknown option: -%c (there are:%s)", optopt, list);
	return option_bad(table, "unknown option: %s (there are:%s)", word, list);
}

static int option_take(const struct option_table *table, const struct option_row *row, void *into)
{
	struct parse_error why = { "" };

	if (!strcmp(row->name, "help")) {
		print_help(table);
		return OPTION_DONE;
	}
	if (!strcmp(row->name, "version")) {
		printf("%s %s, ABI %d\n", table->name, torus_version(), TORUS_ABI_VERSION);
		return OPTION_DONE;
	}
	if ((row->take ? row->take : option_store)(into, row, optarg, &why))
		return 0;
	return *why.text ? option_bad(table, "%s", why.text) : table->status;
}

/**
 * option_read - parse the options of a command line
 * @table: the options
 * @argc: number of words; the first is the name of the program or command
 * @argv: [in, out] the words; arguments that are not options are moved to the end, from optind on
 * @into: [out] struct for the values
 *
 * Return: 0; OPTION_DONE after --help, --version or --options; else the exit status, after an
 * error message.
 */
int option_read(const struct option_table *table, int argc, char **argv, void *into)
{
	char letters[2 * ROWS_MAX + 4] = "", *letter = letters;
	struct option list[ROWS_MAX + 1] = { 0 };
	int rows[128] = { 0 }, count = 0, status = 0, value, i;

	if (argc == 2 && !strcmp(argv[1], "--options")) {
		print_options(table);
		return OPTION_DONE;
	}
	if (table->in_order)
		*letter++ = '+';
	*letter++ = ':';
	for (i = 0; table->rows[i].help; i++) {
		const struct option_row *row = &table->rows[i];
		/* the letter of --help is always -h */
		char own = row->name && !strcmp(row->name, "help") ? 'h' : row->letter;

		if (!has(table, row))
			continue;
		assert(count < ROWS_MAX);
		list[count++] = (struct option){
			.name = row->name, .val = 256 + i,
			.has_arg = row->argument ? required_argument : no_argument,
		};
		if (!own)
			continue;
		rows[(unsigned char)own & 127] = i;
		*letter++ = own;
		if (row->argument)
			*letter++ = ':';
	}
	opterr = 0;
	optind = 0;
	while (!status && (value = getopt_long(argc, argv, letters, list, NULL)) != -1)
		status = value == '?' || value == ':' ? unknown(table, argv, value) :
			 option_take(table,
				     &table->rows[value < 256 ? rows[value & 127] : value - 256],
				     into);
	return status;
}

/**
 * option_end - reject arguments after those that a program accepts
 * @table: the options, which have been parsed
 * @argc: number of words
 * @argv: the words
 * @count: number of accepted arguments, not counting options
 *
 * Return: 0, or the exit status after an error message.
 */
int option_end(const struct option_table *table, int argc, char **argv, int count)
{
	return optind + count < argc ?
	       option_bad(table, "unexpected argument: %s", argv[optind + count]) : 0;
}

/**
 * option_word - take the only argument that is not an option
 * @table: the options, which have been parsed
 * @argc: number of words
 * @argv: the words
 * @missing: error message if there is no argument; NULL if the argument is optional
 * @word: [out] the argument, or NULL
 *
 * Return: 0, or the exit status after an error message.
 */
int option_word(const struct option_table *table, int argc, char **argv, const char *missing,
		const char **word)
{
	*word = optind < argc ? argv[optind] : NULL;
	if (!*word && missing)
		return option_bad(table, "%s", missing);
	return option_end(table, argc, argv, 1);
}
