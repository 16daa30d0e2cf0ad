// SPDX-License-Identifier: GPL-2.0
/* Print a JSON record as text or as JSON. A form describes the text, see print.h. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../common/escape.h"
#include "print.h"

#define TAG_MAX		96	/* maximum bytes of a tag in a form */
#define CONV_MAX	16	/* maximum bytes of a conversion in a tag */
#define LINE_COLUMNS	96

/**
 * struct scope - a value and the records that contain it. A key that the value lacks is looked up
 * in these records
 * @outer: the record around the value, or NULL
 * @key: name of the value if it is a member of an object, otherwise NULL
 * @index: number of the value in its list or object, from 0
 */
struct scope {
	const struct scope *outer;
	struct json_object *value;
	const char *key;
	size_t index;
};

static const char *print_until_end(FILE *out, const char *form, const struct scope *scope);

static const char *unit_text(double amount, double step, const char *const *units, const char *form,
			     char *text, size_t size)
{
	while (amount >= step && units[1]) {
		amount /= step;
		units++;
	}
	snprintf(text, size, form, amount, *units);
	return text;
}

/* Write an amount of memory, like "12.3 MiB". */
static const char *bytes_text(uint64_t bytes, char *text, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", NULL };

	return unit_text((double)bytes, 1024, units, bytes < 1024 ? "%.0f %s" : "%.1f %s", text,
			 size);
}

/**
 * report_time_text - format a time with a suitable unit
 * @ns: nanoseconds
 * @text: [out] like "7.05 us"
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *report_time_text(double ns, char *text, size_t size)
{
	static const char *const units[] = { "ns", "us", "ms", "s", NULL };

	return unit_text(ns, 1000, units, "%.4g %s", text, size);
}

/* Find the value at @path. Return: NULL if there is no value or if the value is null. */
static struct json_object *find(const struct scope *scope, const char *path)
{
	size_t length = strcspn(path, ".");
	struct json_object *value = NULL;
	char key[TAG_MAX];

	if (!strcmp(path, "."))
		return scope->value;
	snprintf(key, sizeof(key), "%.*s", (int)length, path);
	while (scope && !(json_object_is_type(scope->value, json_type_object) &&
			  json_object_object_get_ex(scope->value, key, &value)))
		scope = scope->outer;
	if (!value || !path[length])
		return value;
	return find(&(struct scope){ .value = value }, path + length + 1);
}

static bool is_true(struct json_object *value, const char *word)
{
	if (word)
		return value && !strcmp(json_object_get_string(value), word);
	switch (json_object_get_type(value)) {
	case json_type_array:
		return json_object_array_length(value);
	case json_type_object:
		return json_object_object_length(value);
	default:
		return json_object_get_boolean(value);
	}
}

/* Return an integer value as a number. JSON integers above 2^53 are strings. */
static unsigned long long whole(struct json_object *value)
{
	return json_object_is_type(value, json_type_string) ?
	       strtoull(json_object_get_string(value), NULL, 10) : json_object_get_uint64(value);
}

static void put_plain(FILE *out, struct json_object *value)
{
	size_t i;

	if (!json_object_is_type(value, json_type_array)) {
		torus_escape_put(out, value ? json_object_get_string(value) : "-");
		return;
	}
	for (i = 0; i < json_object_array_length(value); i++) {
		if (i)
			putc(',', out);
		put_plain(out, json_object_array_get_idx(value, i));
	}
}

static void put_padded(FILE *out, const char *conv, const char *text)
{
	char form[CONV_MAX + 3];

	snprintf(form, sizeof(form), "%%%.*ss", (int)strcspn(conv, "."), conv);
	fprintf(out, form, text);
}

/*
 * Print a value by @conv, a conversion of print.h without its %. @number is the value after the
 * scaling.
 */
static void put_by(FILE *out, struct json_object *value, double number, const char *conv)
{
	size_t last = strlen(conv) - 1;
	char form[CONV_MAX + 4], flags[CONV_MAX], text[REPORT_TEXT_MAX], *plain = NULL;
	size_t size;
	FILE *memory;

	snprintf(flags, sizeof(flags), "%.*s", (int)last, conv);
	snprintf(form, sizeof(form), "%%%s%s%c", flags, strchr("ux", conv[last]) ? "ll" : "",
		 conv[last]);
	switch (value ? conv[last] : 's') {
	case 'n':
		fprintf(out, "%zu", json_object_array_length(value));
		break;
	case 'T':
		put_padded(out, flags, report_time_text(number, text, sizeof(text)));
		break;
	case 'B':
		put_padded(out, flags, bytes_text(whole(value), text, sizeof(text)));
		break;
	case 'f':
	case 'g':
		fprintf(out, form, number);
		break;
	case 'm':
		torus_escape_message(out, "%s", json_object_get_string(value));
		break;
	case 'u':
	case 'x':
		fprintf(out, form, whole(value));
		break;
	default:
		memory = open_memstream(&plain, &size);
		if (memory)
			put_plain(memory, value);
		/* If there is no memory, print the value without its width. */
		if (memory && !fclose(memory))
			put_padded(out, flags, plain);
		else
			put_plain(out, value);
		free(plain);
	}
}

/* Print the value of a tag: PATH, PATH%CONV, PATH*N%CONV or PATH/N%CONV. */
static void put(FILE *out, const struct scope *scope, char *tag)
{
	char *conv = strchr(tag, '%'), *path = tag, op;
	struct json_object *value;
	double number;

	if (conv)
		*conv++ = '\0';
	op = tag[strcspn(tag, "*/")];
	if (!strcmp(tag, "@")) {
		if (scope->key)
			fputs(scope->key, out);
		else
			fprintf(out, "%zu", scope->index);
		return;
	}
	value = find(scope, strsep(&path, "*/"));
	number = json_object_get_double(value);
	if (op)
		number = op == '*' ? number * strtod(path, NULL) : number / strtod(path, NULL);
	if (conv)
		put_by(out, value, number, conv);
	else
		put_plain(out, value);
}

/**
 * struct lines - state of a list that is printed in lines of at most LINE_COLUMNS columns
 * @indent: blanks before each line
 * @column: number of columns used in the current line; 0: the line has not begun
 */
struct lines {
	int indent;
	int column;
};

static void put_element(FILE *out, struct lines *lines, const char *form, const struct scope *scope)
{
	char *text = NULL;
	size_t size;
	FILE *memory;
	bool kept;

	if (!lines) {
		print_until_end(out, form, scope);
		return;
	}
	memory = open_memstream(&text, &size);
	if (memory)
		print_until_end(memory, form, scope);
	kept = memory && !fclose(memory);
	/*
	 * If there is no memory, the element's length is unknown. So print the element in a line of
	 * its own.
	 */
	if (!kept)
		size = LINE_COLUMNS;
	if (lines->column && lines->column + (int)size > LINE_COLUMNS) {
		putc('\n', out);
		lines->column = 0;
	}
	if (!lines->column)
		lines->column = fprintf(out, "%*s", lines->indent, "");
	if (kept)
		fputs(text, out);
	else
		print_until_end(out, form, scope);
	lines->column += (int)size;
	free(text);
}

/*
 * Print @form for each element of a list or member of an object. Return: the number of elements or
 * members.
 */
static size_t put_each(FILE *out, struct json_object *list, struct lines *lines, const char *form,
		       const struct scope *outer)
{
	struct scope scope = { .outer = outer };
	size_t count = 0;

	if (json_object_is_type(list, json_type_object)) {
		json_object_object_foreach(list, key, value) {
			scope.key = key;
			scope.value = value;
			put_element(out, lines, form, &scope);
			scope.index++;
		}
	} else if (json_object_is_type(list, json_type_array)) {
		count = json_object_array_length(list);
	}
	for (; scope.index < count; scope.index++) {
		scope.value = json_object_array_get_idx(list, scope.index);
		put_element(out, lines, form, &scope);
	}
	if (lines && lines->column)
		putc('\n', out);
	return scope.index;
}

/*
 * Print the part of a tag if @first, and its alternative, which follows {:}, if @other. Return: the
 * form after {/}.
 */
static const char *put_part(FILE *out, const char *form, const struct scope *scope, bool first,
			    bool other)
{
	form = print_until_end(first ? out : NULL, form, scope);
	if (form[1] == ':')
		form = print_until_end(other ? out : NULL, form + 3, scope);
	return form + 3;
}

/* Print a part in at least @width columns, as %*s of printf(3). Return: the form after {/}. */
static const char *put_column(FILE *out, const char *form, const struct scope *scope, int width)
{
	char *text = NULL;
	size_t size;
	FILE *memory = out ? open_memstream(&text, &size) : NULL;

	/* If there is no memory, print the part without its width. */
	form = print_until_end(memory ? memory : out, form, scope);
	if (memory && !fclose(memory))
		fprintf(out, "%*s", width, text);
	free(text);
	return form + 3;
}

/*
 * Print the tag that begins at @form, after its {, and the part of the tag. Return: the form after
 * tag and part.
 */
static const char *print_tag(FILE *out, const char *form, const struct scope *scope)
{
	size_t length = strcspn(form, "}"), count = 0;
	struct lines lines = { .column = 0 };
	struct scope inner = { .outer = scope };
	char tag[TAG_MAX], *word = NULL;
	bool good;

	assert(form[length] && length && length < sizeof(tag));
	snprintf(tag, sizeof(tag), "%.*s", (int)length, form);
	form += length + 1;
	switch (*tag) {
	case ',':
		return put_part(out, form, scope, scope->index, !scope->index);
	case '+':
		good = find(scope, tag + 1);
		return put_part(out, form, scope, good, !good);
	case '?':
	case '!':
		word = strchr(tag, '=');
		if (word)
			*word++ = '\0';
		good = is_true(find(scope, tag + 1), word) == (*tag == '?');
		return put_part(out, form, scope, good, !good);
	case '>':
		inner.value = find(scope, tag + 1);
		return put_part(out, form, inner.value ? &inner : scope, inner.value, !inner.value);
	case '#':
		if (out)
			count = put_each(out, find(scope, tag + 1), NULL, form, scope);
		return put_part(out, form, scope, false, !count);
	case '|':
		lines.indent = (int)strtol(tag + 1, &word, 10);
		if (out)
			count = put_each(out, find(scope, word + 1), &lines, form, scope);
		return put_part(out, form, scope, false, !count);
	case '_':
		return put_column(out, form, scope, (int)strtol(tag + 1, NULL, 10));
	default:
		if (out)
			put(out, scope, tag);
		return form;
	}
}

/*
 * Print @form up to its end, or to the {:} or {/} that ends the part in which it begins.
 * @out: NULL: skip the form.  Return: the end.
 */
static const char *print_until_end(FILE *out, const char *form, const struct scope *scope)
{
	while (*form) {
		if (!strncmp(form, "{:}", 3) || !strncmp(form, "{/}", 3))
			return form;
		if (*form == '{') {
			form = print_tag(out, form + 1, scope);
			continue;
		}
		if (out)
			putc(*form, out);
		form++;
	}
	return form;
}

/**
 * report_print - print a record as text
 * @form: the form, see the head of print.h
 */
void report_print(FILE *out, struct json_object *record, const char *form)
{
	const struct scope scope = { .value = record };

	print_until_end(out, form, &scope);
}

/**
 * report_print_json - print a record as a JSON document on standard output
 * @record: the record, freed by this function
 * @pretty: print line breaks; false: print one line
 */
void report_print_json(struct json_object *record, bool pretty)
{
	int flags = pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
			     JSON_C_TO_STRING_PLAIN;

	flags |= JSON_C_TO_STRING_NOSLASHESCAPE;
	torus_escape_json(stdout, json_object_to_json_string_ext(record, flags));
	json_object_put(record);
}

/**
 * report_item - add a record to a JSON list, or print it as text on standard output
 * @list: the list; NULL: print the record
 * @record: the record, freed by this function or owned by @list
 * @form: format of the text, see report_print()
 */
void report_item(struct json_object *list, struct json_object *record, const char *form)
{
	if (list) {
		json_object_array_add(list, record);
		return;
	}
	report_print(stdout, record, form);
	json_object_put(record);
}
