// SPDX-License-Identifier: GPL-2.0
/*
 * Configurations: the options of a run or a sweep as a JSON object, whose keys are their names.
 *
 *	{ "arch": "xt", "shape": "8x8x8", "pattern": "uniform", "statistics": true,
 *	  "set": { "class": 1 }, "over": { "load": [0.1, 0.5], "seed": "1:5:1" },
 *	  "table": ["first", { "file": "then", "at": "2us" }] }
 *
 * A file's values become the words that would have been typed, and are understood as those are.
 * What is refused later is looked up among them, so that the message can name the file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../words/words.h"
#include "config.h"
#include "sim.h"

#define JSON_FLAGS	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED)
#define KEY_MAX		64

/**
 * struct sim_config - the words of a file
 * @file: its name
 * @words: texts, in the order in which they were read
 * @own: by word: it is freed with these
 * @count: number of words
 */
struct sim_config {
	const char *file;
	char **words;
	bool *own;
	size_t count;
};

/* --------------------------------------------------------------------- words */

/**
 * sim_config_keep - count a word among those of a file
 * @config: the file's words
 * @word: the word
 * @own: it is to be freed with the others
 *
 * Return: false: there is no memory, and the word stays its owner's.
 */
bool sim_config_keep(struct sim_config *config, char *word, bool own)
{
	char **words = realloc(config->words, (config->count + 1) * sizeof(*words));
	bool *owned;

	if (!words)
		return false;
	config->words = words;
	owned = realloc(config->own, (config->count + 1) * sizeof(*owned));
	if (!owned)
		return false;
	config->own = owned;
	owned[config->count] = own;
	words[config->count++] = word;
	return true;
}

/**
 * sim_config_has - does a word stand in a file?
 * @config: the file's words, or NULL
 * @word: a word of struct sim_typed, or NULL
 *
 * Return: true if so.
 */
bool sim_config_has(const struct sim_config *config, const char *word)
{
	size_t i;

	for (i = 0; config && word && i < config->count; i++)
		if (config->words[i] == word)
			return true;
	return false;
}

/**
 * sim_config_from - let messages name the file, if what they are about stands there
 * @typed: the options
 * @one: word that may be refused, or NULL
 * @other: another, or NULL
 */
void sim_config_from(const struct sim_typed *typed, const char *one, const char *other)
{
	const struct sim_config *config = typed->words;

	sim_source_set(sim_config_has(config, one) || sim_config_has(config, other) ?
		       config->file : NULL);
}

/**
 * sim_config_free - give a file's words back
 * @config: the words, or NULL
 */
void sim_config_free(struct sim_config *config)
{
	size_t i;

	for (i = 0; config && i < config->count; i++)
		if (config->own[i])
			free(config->words[i]);
	if (config) {
		free(config->words);
		free(config->own);
	}
	free(config);
}

static int no_memory(const char *file)
{
	return sim_failed("no memory for the words of %s", file);
}

/* VALUE, or KEY=VALUE, as it would have been typed; NULL after telling that there is no memory. */
static const char *make_word(struct sim_config *config, const char *key, const char *value)
{
	char *word;

	if (asprintf(&word, "%s%s%s", key ? key : "", key ? "=" : "", value) >= 0) {
		if (sim_config_keep(config, word, true))
			return word;
		free(word);
	}
	no_memory(config->file);
	return NULL;
}

/* ------------------------------------------------------------------- reading */

/* A value as it stands in the file, for messages. */
static const char *value_text(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
}

/* @part: key within the option's value, or NULL */
static int wrong_type(const char *key, const char *part, struct json_object *value,
		      const char *wanted)
{
	return sim_bad("%s%s%s %s: not %s", key, part ? ": " : "", part ? part : "",
		       value_text(value), wanted);
}

/* The text of a number or a string; NULL: the value is something else. */
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

/* One option, or one of those that may be given many times. */
static int take_word(struct sim_typed *typed, const struct sim_row *row, struct json_object *value)
{
	const char *word = value_word(value);

	if (!word)
		return wrong_type(row->name, NULL, value, "a text or a number");
	word = make_word(typed->words, NULL, word);
	return word ? sim_typed_take(typed, row, word) : SIM_FAILED;
}

static int take_flag(struct sim_typed *typed, const struct sim_row *row, struct json_object *value)
{
	const char *word;

	if (!json_object_is_type(value, json_type_boolean))
		return wrong_type(row->name, NULL, value, "true or false");
	if (!json_object_get_boolean(value))
		return SIM_OK;
	word = make_word(typed->words, NULL, "");
	return word ? sim_typed_take(typed, row, word) : SIM_FAILED;
}

/* A list as --over wants it: KEY=A,B,C. */
static int take_values(struct sim_typed *typed, const struct sim_row *row, const char *key,
		       struct json_object *list)
{
	char *word = NULL;
	size_t size = 0, i;
	FILE *out = open_memstream(&word, &size);
	int status = SIM_OK;

	if (!out)
		return no_memory(typed->words->file);
	fprintf(out, "%s=", key);
	for (i = 0; !status && i < json_object_array_length(list); i++) {
		struct json_object *value = json_object_array_get_idx(list, i);
		const char *text = value_word(value);

		if (text)
			fprintf(out, "%s%s", i ? "," : "", text);
		else
			status = wrong_type(row->name, key, value, "a text or a number");
	}
	if (fclose(out) && !status)
		status = no_memory(typed->words->file);
	if (!status && !sim_config_keep(typed->words, word, true))
		status = no_memory(typed->words->file);
	else if (!status)
		return sim_typed_take(typed, row, word);
	free(word);
	return status;
}

/* KEY=VALUE of --set or --over. */
static int take_pairs(struct sim_typed *typed, const struct sim_row *row, struct json_object *pairs)
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
			word = make_word(typed->words, key, word);
			status = word ? sim_typed_take(typed, row, word) : SIM_FAILED;
		}
		if (status)
			break;
	}
	return status;
}

static int take_list(struct sim_typed *typed, const struct sim_row *row, struct json_object *list)
{
	int status = SIM_OK;
	size_t i;

	if (!json_object_is_type(list, json_type_array))
		return wrong_type(row->name, NULL, list, "a list");
	for (i = 0; !status && i < json_object_array_length(list); i++)
		status = take_word(typed, row, json_object_array_get_idx(list, i));
	return status;
}

/* { "file": FILE, "at": TICK } */
static int table_parts(const struct sim_row *row, struct json_object *table, const char **file,
		       const char **at)
{
	json_object_object_foreach(table, key, part) {
		const char **place = !strcmp(key, "file") ? file : !strcmp(key, "at") ? at : NULL;

		if (!place)
			return sim_bad("%s: %s %s: there is no such key (there are: file at)",
				       row->name, key, value_text(part));
		*place = value_word(part);
		if (!*place)
			return wrong_type(row->name, key, part, "a text or a number");
	}
	return SIM_OK;
}

/* FILE, or FILE and TICK. */
static int take_table(struct sim_typed *typed, const struct sim_row *row, struct json_object *value)
{
	const char *file = value_word(value), *at = "0";
	int status = SIM_OK;

	if (json_object_is_type(value, json_type_object))
		status = table_parts(row, value, &file, &at);
	if (status)
		return status;
	if (!file)
		return wrong_type(row->name, NULL, value, "a file, or an object of file and at");
	file = make_word(typed->words, NULL, file);
	at = file ? make_word(typed->words, NULL, at) : NULL;
	return at ? sim_typed_table(typed, file, at) : SIM_FAILED;
}

static int take_tables(struct sim_typed *typed, const struct sim_row *row,
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

static int take(struct sim_typed *typed, const struct sim_row *row, struct json_object *value)
{
	switch (row->offset) {
	case SIM_PLACE(sets):
	case SIM_PLACE(overs):
		return take_pairs(typed, row, value);
	case SIM_PLACE(faults):
		return take_list(typed, row, value);
	case SIM_PLACE(tables):
		return take_tables(typed, row, value);
	}
	return row->argument ? take_word(typed, row, value) : take_flag(typed, row, value);
}

static int no_such_key(const char *key, struct json_object *value, unsigned int command)
{
	const struct sim_row *row;
	char list[512] = "";
	size_t used = 0, i;

	for (i = 0; (row = sim_typed_row(i)); i++)
		if (row->commands & command && !(row->commands & SIM_OF_LINE) &&
		    used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, " %s",
						 row->name);
	return sim_bad("%s %s: there is no such key (there are:%s)", key, value_text(value), list);
}

/* All keys of the document, each as if it were typed. */
static int take_all(struct sim_typed *typed, unsigned int command, struct json_object *doc)
{
	const struct sim_row *row;
	int status = SIM_OK;
	size_t i;

	if (!json_object_is_type(doc, json_type_object))
		return sim_bad("%s: not an object of options, or no memory for one",
			       value_text(doc));
	json_object_object_foreach(doc, key, value) {
		for (i = 0; (row = sim_typed_row(i)); i++)
			if (!strcmp(row->name, key) && row->commands & command &&
			    !(row->commands & SIM_OF_LINE))
				break;
		status = row ? take(typed, row, value) : no_such_key(key, value, command);
		if (status)
			break;
	}
	return status;
}

/* The text of a file; NULL after telling why not. */
static char *file_text(const char *name, size_t *length)
{
	FILE *in = fopen(name, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t got;

	if (!in) {
		sim_bad("--config %s: %s", name, strerror(errno));
		return NULL;
	}
	errno = 0;
	got = getdelim(&text, &room, '\0', in);
	if (got < 0)
		sim_bad("--config %s: %s", name, errno ? strerror(errno) : "the file is empty");
	else if (!text[got - 1])
		sim_bad("--config %s: byte %zd is 0", name, got);
	fclose(in);
	if (got > 0 && text[got - 1]) {
		*length = (size_t)got;
		return text;
	}
	free(text);
	return NULL;
}

/* Where in a text parsing ended, as "LINE:COLUMN". */
static void tell_place(const char *file, const char *text, size_t length, size_t end,
		       const char *reason)
{
	size_t line = 1, column = 1, i;

	for (i = 0; i < end && i < length; i++) {
		column = text[i] == '\n' ? 1 : column + 1;
		line += text[i] == '\n';
	}
	sim_bad("%s:%zu:%zu: no JSON: %s", file, line, column, reason);
}

static int parse(const char *file, struct json_object **doc)
{
	struct json_tokener *tokener = json_tokener_new();
	int status = SIM_USAGE;
	char *text = NULL;
	size_t length;

	if (!tokener)
		return no_memory(file);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	text = file_text(file, &length);
	if (text) {
		/* with the byte behind the last, so that a number or nothing at all has an end */
		*doc = json_tokener_parse_ex(tokener, text, (int)length + 1);
		if (json_tokener_get_error(tokener) == json_tokener_success)
			status = SIM_OK;
		else
			tell_place(file, text, length, json_tokener_get_parse_end(tokener),
				   json_tokener_error_desc(json_tokener_get_error(tokener)));
	}
	free(text);
	json_tokener_free(tokener);
	return status;
}

/* ------------------------------------------------------------------- merging */

/* Does one of two lists of KEY=VALUE have this key? */
static bool has_key(const char *const *pairs, unsigned int count, const char *pair)
{
	size_t length = strcspn(pair, "=") + 1;
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strncmp(pairs[i], pair, length))
			return true;
	return false;
}

/* Is it said on the line how much is offered, in whatever form? */
static bool offers(const struct sim_typed *line)
{
	return line->load || line->loads || line->packets || line->saturation ||
	       has_key(line->overs, line->novers, "load=") ||
	       has_key(line->overs, line->novers, "packets=");
}

/* Is an option of the file replaced by another of the line? */
static bool replaced(const struct sim_typed *line, const char *name)
{
	static const char *const offered[] = { "load", "loads", "packets", "find-saturation" };
	size_t i;

	for (i = 0; i < sizeof(offered) / sizeof(offered[0]); i++)
		if (!strcmp(name, offered[i]))
			return offers(line);
	return (!strcmp(name, "json") || !strcmp(name, "csv")) && (line->json || line->csv);
}

/* Is a key of the file's --over said on the line, in whatever form? */
static bool over_replaced(struct sim_typed *line, const char *pair)
{
	char key[KEY_MAX];
	const char *value;
	const char **place;

	if (!word_pair(pair, key, sizeof(key), &value))
		return false;
	place = sim_typed_place(line, key);
	return (place && *place) || replaced(line, key) ||
	       has_key(line->overs, line->novers, pair) || has_key(line->sets, line->nsets, pair);
}

/* What the file says and the line does not; the line's words stand behind the file's. */
static int merge(struct sim_typed *typed, const struct sim_typed *file)
{
	struct sim_typed line = *typed;
	const struct sim_row *row, *set = NULL, *over = NULL;
	struct sim_typed said = *file;
	int status = SIM_OK;
	unsigned int i;
	size_t n;

	typed->nsets = 0;
	typed->novers = 0;
	for (n = 0; (row = sim_typed_row(n)); n++) {
		if (row->offset == SIM_PLACE(sets))
			set = row;
		else if (row->offset == SIM_PLACE(overs))
			over = row;
		else if (row->offset != SIM_PLACE(faults) && row->offset != SIM_PLACE(tables) &&
			 !*sim_typed_at(&line, row) && !replaced(&line, row->name))
			*sim_typed_at(typed, row) = *sim_typed_at(&said, row);
	}
	for (i = 0; i < said.nsets && !status; i++)
		if (!has_key(line.sets, line.nsets, said.sets[i]))
			status = sim_typed_take(typed, set, said.sets[i]);
	for (i = 0; i < line.nsets && !status; i++)
		status = sim_typed_take(typed, set, line.sets[i]);
	for (i = 0; i < said.novers && !status; i++)
		if (!over_replaced(&line, said.overs[i]))
			status = sim_typed_take(typed, over, said.overs[i]);
	for (i = 0; i < line.novers && !status; i++)
		status = sim_typed_take(typed, over, line.overs[i]);
	if (!line.nfaults) {
		memcpy(typed->faults, said.faults, sizeof(said.faults));
		typed->nfaults = said.nfaults;
	}
	if (!line.ntables) {
		memcpy(typed->tables, said.tables, sizeof(said.tables));
		typed->ntables = said.ntables;
	}
	return status;
}

/**
 * sim_config_read - take from the file of --config what was not typed
 * @typed: what was typed; gets the rest, and the words of the file: sim_config_free() them
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after telling file, key, value and reason.
 */
int sim_config_read(struct sim_typed *typed, unsigned int command)
{
	struct json_object *doc = NULL;
	struct sim_typed file = { 0 };
	int status;

	typed->words = calloc(1, sizeof(*typed->words));
	if (!typed->words)
		return no_memory(typed->config);
	typed->words->file = typed->config;
	file.words = typed->words;
	status = parse(typed->config, &doc);
	if (!status) {
		sim_source_set(typed->config);
		status = take_all(&file, command, doc);
		sim_source_set(NULL);
	}
	json_object_put(doc);
	return status ? status : merge(typed, &file);
}

/* ------------------------------------------------------------------- writing */

/* A word as a number, where JSON would write that number with the same letters; else a text. */
static struct json_object *word_json(const char *word)
{
	struct json_object *number = NULL;

	if (isdigit((unsigned char)word[word[0] == '-']))
		number = json_tokener_parse(word);
	if (number && (json_object_is_type(number, json_type_int) ||
		       json_object_is_type(number, json_type_double)) &&
	    !strcmp(json_object_to_json_string_ext(number, JSON_C_TO_STRING_PLAIN), word))
		return number;
	json_object_put(number);
	return json_object_new_string(word);
}

/* A,B,C as a list, else the one value. */
static struct json_object *over_json(const char *values)
{
	struct json_object *list;
	char word[KEY_MAX];
	size_t length;

	if (!strchr(values, ','))
		return word_json(values);
	list = json_object_new_array();
	for (;; values += length + 1) {
		length = strcspn(values, ",");
		if (length < sizeof(word)) {
			snprintf(word, sizeof(word), "%.*s", (int)length, values);
			json_object_array_add(list, word_json(word));
		} else {
			json_object_array_add(list, json_object_new_string_len(values,
									       (int)length));
		}
		if (!values[length])
			return list;
	}
}

/* KEY=VALUE of --set or --over; of a key that stands there twice, the last counts. */
static struct json_object *pairs_json(const char *const *pairs, unsigned int count, bool over)
{
	struct json_object *object = json_object_new_object();
	const char *value;
	char key[KEY_MAX];
	unsigned int i;

	for (i = 0; i < count; i++)
		if (word_pair(pairs[i], key, sizeof(key), &value))
			json_object_object_add(object, key,
					       over ? over_json(value) : word_json(value));
	return object;
}

static struct json_object *faults_json(const struct sim_typed *typed)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < typed->nfaults; i++)
		json_object_array_add(list, json_object_new_string(typed->faults[i]));
	return list;
}

static struct json_object *tables_json(const struct sim_typed *typed)
{
	struct json_object *list = json_object_new_array(), *one;
	unsigned int i;

	for (i = 0; i < typed->ntables; i++) {
		one = json_object_new_object();
		json_object_object_add(one, "file", json_object_new_string(typed->tables[i].file));
		json_object_object_add(one, "at", word_json(typed->tables[i].typed));
		json_object_array_add(list, one);
	}
	return list;
}

/* What was said of an option; NULL: nothing. */
static struct json_object *row_json(const struct sim_typed *typed, const struct sim_row *row)
{
	const char *word;

	switch (row->offset) {
	case SIM_PLACE(sets):
		return typed->nsets ? pairs_json(typed->sets, typed->nsets, false) : NULL;
	case SIM_PLACE(overs):
		return typed->novers ? pairs_json(typed->overs, typed->novers, true) : NULL;
	case SIM_PLACE(faults):
		return typed->nfaults ? faults_json(typed) : NULL;
	case SIM_PLACE(tables):
		return typed->ntables ? tables_json(typed) : NULL;
	case SIM_PLACE(statistics):
		/* of its two options, --histogram says where they go as well */
		return typed->statistics || typed->histogram ? json_object_new_boolean(true) :
							       NULL;
	}
	word = *(const char *const *)((const char *)typed + row->offset);
	if (!word)
		return NULL;
	return row->argument ? word_json(word) : json_object_new_boolean(true);
}

/**
 * sim_config_json - what was typed, as --config would read it
 * @typed: what was typed
 * @command: SIM_FOR_RUN, SIM_FOR_SWEEP or both: options of others are left out
 *
 * How the answer looks and where it goes is no part of it.
 *
 * Return: the object; json_object_put() it.
 */
struct json_object *sim_config_json(const struct sim_typed *typed, unsigned int command)
{
	struct json_object *doc = json_object_new_object(), *value;
	const struct sim_row *row;
	size_t i;

	for (i = 0; (row = sim_typed_row(i)); i++) {
		if (!(row->commands & command) || row->commands & (SIM_OF_ANSWER | SIM_OF_LINE))
			continue;
		value = row_json(typed, row);
		if (value)
			json_object_object_add(doc, row->name, value);
	}
	return doc;
}

/**
 * sim_config_write - write the file of --write-config, if there is to be one
 * @typed: what was typed, and understood
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after telling why not.
 */
int sim_config_write(const struct sim_typed *typed)
{
	struct json_object *doc;
	bool written;
	FILE *out;

	if (!typed->write_config)
		return SIM_OK;
	out = fopen(typed->write_config, "we");
	if (!out)
		return sim_bad("--write-config %s: %s", typed->write_config, strerror(errno));
	doc = sim_config_json(typed, SIM_FOR_RUN | SIM_FOR_SWEEP);
	fprintf(out, "%s\n", json_object_to_json_string_ext(doc, JSON_FLAGS));
	json_object_put(doc);
	written = !ferror(out);
	if (fclose(out) || !written)
		return sim_failed("--write-config %s: %s", typed->write_config, strerror(errno));
	return SIM_OK;
}
