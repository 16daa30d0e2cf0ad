// SPDX-License-Identifier: GPL-2.0
/* JSON parser of configurations: converts each key's value to the words of its option. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "config.h"
#include "configfile.h"
#include "../base/message.h"

/* an integer with at least this number of digits may exceed 64 bits */
#define LONG_DIGITS	19

/* The JSON text of a value, for error messages. */
static const char *value_text(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
}

/*
 * Reject a value of the wrong type. @part: key inside the value, if the value is an object; else
 * NULL.
 */
static int wrong_type(const char *key, const char *part, struct json_object *value,
		      const char *wanted)
{
	return sim_reject("%s%s%s %s: must be %s", key, part ? ": " : "", part ? part : "",
			  value_text(value), wanted);
}

/* The text of a number or a string; NULL for other types and for strings that contain a 0 byte. */
static const char *value_word(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_int:
	case json_type_double:
		return value_text(value);
	case json_type_string:
		if (strlen(json_object_get_string(value)) ==
		    (size_t)json_object_get_string_len(value))
			return json_object_get_string(value);
		return NULL;
	default:
		return NULL;
	}
}

/* Store a value of an option, or append it to the option's list. */
static int take_word(struct sim_cmdline *typed, const struct option_row *row,
		     struct json_object *value)
{
	const char *word = value_word(value);

	if (!word)
		return wrong_type(row->name, NULL, value, "a text or a number");
	word = sim_config_word(typed->words, NULL, word);
	return word ? sim_cmdline_take(typed, row, word) : SIM_FAILED;
}

static int take_flag(struct sim_cmdline *typed, const struct option_row *row,
		     struct json_object *value)
{
	const char *word;

	if (!json_object_is_type(value, json_type_boolean))
		return wrong_type(row->name, NULL, value, "true or false");
	if (!json_object_get_boolean(value))
		return SIM_OK;
	word = sim_config_word(typed->words, NULL, "");
	return word ? sim_cmdline_take(typed, row, word) : SIM_FAILED;
}

/* Convert a JSON list to the word of --over: KEY=A,B,C. */
static int take_values(struct sim_cmdline *typed, const struct option_row *row, const char *key,
		       struct json_object *list)
{
	const char *joined;
	char *values = NULL;
	size_t size = 0, count = json_object_array_length(list), i;
	FILE *out = open_memstream(&values, &size);
	char between[] = { sim_config_separator(key), '\0' };
	/* if values contain commas, also write the separator after the last value */
	bool places = between[0] == ';';
	int status = SIM_OK;

	if (!out)
		return sim_config_no_memory(typed->config);
	for (i = 0; !status && i < count; i++) {
		struct json_object *value = json_object_array_get_idx(list, i);
		const char *text = value_word(value);

		if (text)
			fprintf(out, "%s%.*s", text, places || i + 1 < count, between);
		else
			status = wrong_type(row->name, key, value, "a text or a number");
	}
	if (fclose(out) && !status)
		status = sim_config_no_memory(typed->config);
	joined = status ? NULL : sim_config_word(typed->words, key, values);
	free(values);
	if (!status)
		status = joined ? sim_cmdline_take(typed, row, joined) : SIM_FAILED;
	return status;
}

/* Convert an object to KEY=VALUE words of --set or --over. */
static int take_pairs(struct sim_cmdline *typed, const struct option_row *row,
		      struct json_object *pairs)
{
	bool over = row->offset == SIM_PLACE(overs);
	int status = SIM_OK;

	if (!json_object_is_type(pairs, json_type_object))
		return wrong_type(row->name, NULL, pairs, "an object of keys and values");
	json_object_object_foreach(pairs, key, value) {
		const char *word = value_word(value);

		if (!word && over && json_object_is_type(value, json_type_array)) {
			status = take_values(typed, row, key, value);
		} else if (!word) {
			return wrong_type(row->name, key, value, over ?
					  "a list, a text or a number" : "a text or a number");
		} else {
			word = sim_config_word(typed->words, key, word);
			status = word ? sim_cmdline_take(typed, row, word) : SIM_FAILED;
		}
		if (status)
			break;
	}
	return status;
}

static int take_list(struct sim_cmdline *typed, const struct option_row *row,
		     struct json_object *list)
{
	int status = SIM_OK;
	size_t i;

	if (!json_object_is_type(list, json_type_array))
		return wrong_type(row->name, NULL, list, "a list");
	for (i = 0; !status && i < json_object_array_length(list); i++)
		status = take_word(typed, row, json_object_array_get_idx(list, i));
	return status;
}

/* Parse an object { "file": FILE, "at": TICK } of "table". */
static int table_parts(const struct option_row *row, struct json_object *table, const char **file,
		       const char **at)
{
	json_object_object_foreach(table, key, part) {
		const char **place = !strcmp(key, "file") ? file : !strcmp(key, "at") ? at : NULL;

		if (!place)
			return sim_reject("%s: %s %s: unknown key, must be file or at",
					  row->name, key, value_text(part));
		*place = value_word(part);
		if (!*place)
			return wrong_type(row->name, key, part, "a text or a number");
	}
	return SIM_OK;
}

/* Parse an item of "table": FILE, or an object with file and at. */
static int take_table(struct sim_cmdline *typed, const struct option_row *row,
		      struct json_object *value)
{
	const char *file = value_word(value), *at = "0";
	int status = SIM_OK;

	if (json_object_is_type(value, json_type_object))
		status = table_parts(row, value, &file, &at);
	if (status)
		return status;
	if (!file)
		return wrong_type(row->name, NULL, value, "a file, or an object of file and at");
	file = sim_config_word(typed->words, NULL, file);
	at = file ? sim_config_word(typed->words, NULL, at) : NULL;
	return at ? sim_cmdline_table(typed, file, at) : SIM_FAILED;
}

static int take_tables(struct sim_cmdline *typed, const struct option_row *row,
		       struct json_object *list)
{
	int status = SIM_OK;
	size_t i;

	if (!json_object_is_type(list, json_type_array))
		return wrong_type(row->name, NULL, list, "a list");
	for (i = 0; !status && i < json_object_array_length(list); i++)
		status = take_table(typed, row, json_object_array_get_idx(list, i));
	return status;
}

static int configfile_take(struct sim_cmdline *typed, const struct option_row *row,
			   struct json_object *value)
{
	struct sim_list list;

	switch (row->offset) {
	case SIM_PLACE(sets):
	case SIM_PLACE(overs):
		return take_pairs(typed, row, value);
	case SIM_PLACE(tables):
		return take_tables(typed, row, value);
	}
	if (sim_cmdline_list(typed, row, &list))
		return take_list(typed, row, value);
	return row->argument ? take_word(typed, row, value) : take_flag(typed, row, value);
}

static int no_such_key(const char *key, struct json_object *value, unsigned int command)
{
	const struct option_row *row;
	char list[512] = "";
	size_t used = 0, i;

	for (i = 0; (row = sim_cmdline_row(i)); i++)
		if (row->groups & command && !(row->groups & SIM_OF_LINE) &&
		    used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, " %s",
						 row->name);
	return sim_reject("%s %s: unknown key (there are:%s)", key, value_text(value),
			  list);
}

/* Store all keys of the document as options. */
static int take_all(struct sim_cmdline *typed, unsigned int command, struct json_object *doc)
{
	const struct option_row *row;
	int status = SIM_OK;
	size_t i;

	if (!json_object_is_type(doc, json_type_object))
		return sim_reject("%s: out of memory, or not an object of options",
				  value_text(doc));
	json_object_object_foreach(doc, key, value) {
		for (i = 0; (row = sim_cmdline_row(i)); i++)
			if (!strcmp(row->name, key) && row->groups & command &&
			    !(row->groups & SIM_OF_LINE))
				break;
		status = row ? configfile_take(typed, row, value) :
			       no_such_key(key, value, command);
		if (status)
			break;
	}
	return status;
}

/* Read a file into memory; NULL after an error message. */
static char *file_text(const char *name, size_t *length)
{
	FILE *in = fopen(name, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t got;

	if (!in) {
		sim_reject("--config %s: %s", name, strerror(errno));
		return NULL;
	}
	errno = 0;
	got = getdelim(&text, &room, '\0', in);
	if (got < 0)
		sim_reject("--config %s: %s", name, errno ? strerror(errno) :
			   "the file must not be empty");
	else if (!text[got - 1])
		sim_reject("--config %s: byte %zd is 0, so the file is not a text", name, got);
	fclose(in);
	if (got > 0 && text[got - 1]) {
		*length = (size_t)got;
		return text;
	}
	free(text);
	return NULL;
}

/* Report a syntax error with its line and column. */
static void report_place(const char *file, const char *text, size_t length, size_t end,
			 const char *reason)
{
	size_t line = 1, column = 1, i;

	for (i = 0; i < end && i < length; i++) {
		column = text[i] == '\n' ? 1 : column + 1;
		line += text[i] == '\n';
	}
	sim_reject("%s:%zu:%zu: not valid JSON: %s", file, line, column, reason);
}

/*
 * Copy the text, and put quotes around each integer of 19 digits or more. Without them json-c would
 * replace an integer that exceeds 64 bits by the nearest limit.
 */
static char *quote_long(const char *text, size_t length, size_t *size)
{
	const char *end = text + length, *next;
	bool quoted = false;
	char *copy = NULL;
	FILE *out = open_memstream(&copy, size);

	for (; out && text < end; text = next) {
		size_t sign = *text == '-', digits = strspn(text + sign, "0123456789");

		next = text + 1;
		if (*text == '"')
			quoted = !quoted;
		if (quoted && *text == '\\' && next < end)
			next++;
		if (!quoted && digits)
			next = text + sign + strspn(text + sign, "0123456789+-.eE");
		if (!quoted && digits >= LONG_DIGITS && next == text + sign + digits)
			fprintf(out, "\"%.*s\"", (int)(next - text), text);
		else
			fwrite(text, 1, (size_t)(next - text), out);
	}
	if (out && fclose(out)) {
		free(copy);
		copy = NULL;
	}
	return copy;
}

/* Parse the document again, with long integers as strings. */
static int parse_long(const char *file, const char *text, size_t length, struct json_object **doc)
{
	size_t size = 0;
	char *copy = quote_long(text, length, &size);

	json_object_put(*doc);
	*doc = copy ? json_tokener_parse(copy) : NULL;
	free(copy);
	return *doc ? SIM_OK : sim_config_no_memory(file);
}

static int parse(const char *file, struct json_object **doc)
{
	struct json_tokener *tokener = json_tokener_new();
	int status = SIM_USAGE;
	char *text = NULL;
	size_t length;

	if (!tokener)
		return sim_config_no_memory(file);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	text = file_text(file, &length);
	if (text) {
		/*
		 * also parse the 0 byte after the text: it ends a number at the end of the text,
		 * and makes a file of blanks an error
		 */
		*doc = json_tokener_parse_ex(tokener, text, (int)length + 1);
		if (json_tokener_get_error(tokener) == json_tokener_success)
			status = *doc ? parse_long(file, text, length, doc) : SIM_OK;
		else
			report_place(file, text, length, json_tokener_get_parse_end(tokener),
				     json_tokener_error_desc(json_tokener_get_error(tokener)));
	}
	free(text);
	json_tokener_free(tokener);
	return status;
}

/**
 * sim_config_file - read the options of the --config file
 * @typed: [in, out] the options; .config and .words are set
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_config_file(struct sim_cmdline *typed, unsigned int command)
{
	struct json_object *doc = NULL;
	int status = parse(typed->config, &doc);

	if (!status) {
		sim_source_set(typed->config);
		status = take_all(typed, command, doc);
		sim_source_set(NULL);
	}
	json_object_put(doc);
	return status;
}

/**
 * sim_config_take - read options from saved JSON text
 * @typed: [in, out] the options; .config (file name for messages) and .words are set
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 * @text: JSON object of options
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_config_take(struct sim_cmdline *typed, unsigned int command, const char *text)
{
	struct json_object *doc = json_tokener_parse(text);
	int status;

	sim_source_set(typed->config);
	status = take_all(typed, command, doc);
	sim_source_set(NULL);
	json_object_put(doc);
	return status;
}
