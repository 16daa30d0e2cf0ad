// SPDX-License-Identifier: GPL-2.0
/*
 * Configurations: the options of a run or a sweep as a JSON object, whose keys are the options'
 * names.
 *
 *	{ "arch": "xt", "shape": "8x8x8", "pattern": "uniform", "statistics": true,
 *	  "set": { "class": 1 }, "over": { "load": [0.1, 0.5], "seed": "1:5:1" },
 *	  "table": ["first", { "file": "then", "at": "2us" }] }
 *
 * configfile.c converts each value to the word that a user would type on the command line. Then the
 * same code parses words from both. sim_config_from() checks whether a word is from the file, so
 * that an error message can name the file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../parse/name.h"
#include "../../parse/parse.h"
#include "config.h"
#include "configfile.h"
#include "../base/message.h"

#define KEY_MAX		64
#define EXACT_MAX	(1ull << 53)	/* largest integer that a double stores exactly */

/**
 * struct sim_config - words that were read from a configuration file or a checkpoint
 * @file: name of the file
 * @words: array of strings; also the values of a sweep that were parsed from the file
 * @own: for each word, true if sim_config_free() frees it
 * @count: number of words
 */
struct sim_config {
	const char *file;
	char **words;
	bool *own;
	size_t count;
};

/* ----------------------------------------------------------------------- words */

/**
 * sim_config_keep - add a word to those of a file
 * @config: words of the file
 * @word: the word
 * @own: true if sim_config_free() must free the word
 *
 * Return: false if there is no memory; then the caller keeps the word.
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
 * sim_config_has - check whether a word is from a configuration file
 * @config: words of the file, or NULL
 * @word: pointer from struct sim_cmdline, or NULL; compared as a pointer, not as text
 *
 * Return: true if the word is from the file.
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
 * sim_config_from - name the configuration file in error messages if a word is from the file
 * @typed: the options
 * @one: word that is parsed next, or NULL
 * @other: second word that is parsed next, or NULL
 */
void sim_config_from(const struct sim_cmdline *typed, const char *one, const char *other)
{
	const struct sim_config *config = typed->words;

	sim_source_set(sim_config_has(config, one) || sim_config_has(config, other) ?
		       config->file : NULL);
}

/**
 * sim_config_free - free the words of a file
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

/**
 * sim_config_no_memory - report that there is no memory for the words of a file
 * @file: name of the file
 *
 * Return: SIM_FAILED.
 */
int sim_config_no_memory(const char *file)
{
	return sim_error("out of memory for the options of %s", file);
}

/**
 * sim_config_word - create a word as on the command line: VALUE, or KEY=VALUE
 * @config: words of the file, which own the new word
 * @key: the key, or NULL
 * @value: the value
 *
 * Return: the word; NULL after an error message.
 */
const char *sim_config_word(struct sim_config *config, const char *key, const char *value)
{
	char *word;

	if (asprintf(&word, "%s%s%s", key ? key : "", key ? "=" : "", value) >= 0) {
		if (sim_config_keep(config, word, true))
			return word;
		free(word);
	}
	sim_config_no_memory(config->file);
	return NULL;
}

/* -------------------------------------------- merging file and command line */

/* Check whether a list of KEY=VALUE has the key of @pair. */
static bool has_key(const char *const *pairs, unsigned int count, const char *pair)
{
	size_t length = strcspn(pair, "=") + 1;
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strncmp(pairs[i], pair, length))
			return true;
	return false;
}

/* Check whether the command line has any option that sets the offered traffic. */
static bool offers(const struct sim_cmdline *line)
{
	return line->load || line->loads || line->packets || line->saturation ||
	       has_key(line->overs, line->novers, "load=") ||
	       has_key(line->overs, line->novers, "packets=");
}

/*
 * Check whether an option of the same kind on the command line replaces the option @name of the
 * file.
 */
static bool replaced(const struct sim_cmdline *line, const char *name)
{
	static const char *const offered[] = { "load", "loads", "packets", "find-saturation" };
	static const char *const window[] = { "cycles", "warmup", "until", "limit" };
	size_t i;

	for (i = 0; i < sizeof(offered) / sizeof(offered[0]); i++)
		if (!strcmp(name, offered[i]))
			return offers(line);
	/* --packets on the command line replaces all options of a window */
	for (i = 0; i < sizeof(window) / sizeof(window[0]); i++)
		if (!strcmp(name, window[i]))
			return line->packets || has_key(line->overs, line->novers, "packets=");
	return (!strcmp(name, "json") || !strcmp(name, "csv")) && (line->json || line->csv);
}

/*
 * Check whether any option of the command line sets or excludes the key of an --over of the file.
 * Such an option replaces the --over.
 */
static bool over_replaced(struct sim_cmdline *line, const char *pair)
{
	char key[KEY_MAX];
	const char *value;
	const char **place;

	if (!parse_pair(pair, key, sizeof(key), &value))
		return false;
	place = sim_cmdline_place(line, key);
	return (place && *place) || replaced(line, key) ||
	       has_key(line->overs, line->novers, pair) || has_key(line->sets, line->nsets, pair);
}

/* Use the file's words of a repeatable option, unless the command line has words of this option. */
static int merge_list(struct sim_cmdline *typed, const struct option_row *row,
		      const struct sim_list *said)
{
	struct sim_list list;
	unsigned int i;
	int status = SIM_OK;

	if (sim_cmdline_list(typed, row, &list) && *list.count)
		return SIM_OK;
	for (i = 0; i < *said->count && !status; i++)
		status = sim_cmdline_take(typed, row, said->words[i]);
	return status;
}

/*
 * Merge the file's options into those of the command line, which take precedence. The file's --set
 * and --over come first, those of the command line follow.
 */
static int merge(struct sim_cmdline *typed, const struct sim_cmdline *file)
{
	struct sim_cmdline line = *typed;
	const struct option_row *row, *set = NULL, *over = NULL;
	struct sim_cmdline said = *file;
	struct sim_list list;
	int status = SIM_OK;
	unsigned int i;
	size_t n;

	typed->nsets = 0;
	typed->novers = 0;
	for (n = 0; !status && (row = sim_cmdline_row(n)); n++) {
		if (row->offset == SIM_PLACE(sets))
			set = row;
		else if (row->offset == SIM_PLACE(overs))
			over = row;
		else if (sim_cmdline_list(&said, row, &list))
			status = merge_list(typed, row, &list);
		else if (row->offset != SIM_PLACE(tables) &&
			 !*sim_cmdline_at(&line, row) && !replaced(&line, row->name))
			*sim_cmdline_at(typed, row) = *sim_cmdline_at(&said, row);
	}
	for (i = 0; i < said.nsets && !status; i++)
		if (!has_key(line.sets, line.nsets, said.sets[i]))
			status = sim_cmdline_take(typed, set, said.sets[i]);
	for (i = 0; i < line.nsets && !status; i++)
		status = sim_cmdline_take(typed, set, line.sets[i]);
	for (i = 0; i < said.novers && !status; i++)
		if (!over_replaced(&line, said.overs[i]))
			status = sim_cmdline_take(typed, over, said.overs[i]);
	for (i = 0; i < line.novers && !status; i++)
		status = sim_cmdline_take(typed, over, line.overs[i]);
	if (!line.ntables) {
		memcpy(typed->tables, said.tables, sizeof(said.tables));
		typed->ntables = said.ntables;
	}
	return status;
}

/**
 * sim_config_read - read the file of --config for options that are not on the command line
 * @typed: [in, out] the options; sim_config_free() frees the words of the file
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_config_read(struct sim_cmdline *typed, unsigned int command)
{
	struct sim_cmdline file = { 0 };
	int status;

	typed->words = calloc(1, sizeof(*typed->words));
	if (!typed->words)
		return sim_config_no_memory(typed->config);
	typed->words->file = typed->config;
	file.words = typed->words;
	file.config = typed->config;
	status = sim_config_file(&file, command);
	return status ? status : merge(typed, &file);
}

/**
 * sim_config_text - take options that are not on the command line from a checkpoint
 * @typed: [in, out] the options; sim_config_free() frees the words of the text
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 * @name: checkpoint file, for error messages
 * @text: the options as JSON
 *
 * The options --threads, --domains and --apart belong together: if the command line has one of
 * them, none is taken from the checkpoint.
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_config_text(struct sim_cmdline *typed, unsigned int command, const char *name,
		    const char *text)
{
	struct sim_cmdline said = { 0 };
	int status;

	typed->words = calloc(1, sizeof(*typed->words));
	if (!typed->words)
		return sim_config_no_memory(name);
	typed->words->file = name;
	said.words = typed->words;
	said.config = name;
	status = sim_config_take(&said, command, text);
	if (typed->threads || typed->domains || typed->apart) {
		said.threads = NULL;
		said.domains = NULL;
		said.apart = NULL;
	}
	return status ? status : merge(typed, &said);
}

/**
 * sim_config_separator - get the character that separates two values of --over
 * @key: the key
 *
 * Return: a semicolon for keys whose values are coordinates or datelines; else a comma.
 */
char sim_config_separator(const char *key)
{
	static const char *const places[] = { "hot", "region_at", "root_at", "datelines" };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(key, places[i]))
			return ';';
	return ',';
}

/* --------------------------------------------------------------------- writing */

/**
 * sim_config_value - convert a value to JSON
 * @word: the value as on the command line
 *
 * Return: a JSON number if it is at most 2^53 or no integer, and prints as exactly @word; else a
 * string.
 */
struct json_object *sim_config_value(const char *word)
{
	struct json_object *number = NULL;

	if (isdigit((unsigned char)word[word[0] == '-']))
		number = json_tokener_parse(word);
	/* JSON parsers may round integers above 2^53 */
	if (json_object_is_type(number, json_type_int) &&
	    json_object_get_uint64(number) > EXACT_MAX) {
		json_object_put(number);
		return json_object_new_string(word);
	}
	if (number && (json_object_is_type(number, json_type_int) ||
		       json_object_is_type(number, json_type_double)) &&
	    !strcmp(json_object_to_json_string_ext(number, JSON_C_TO_STRING_PLAIN), word))
		return number;
	json_object_put(number);
	return json_object_new_string(word);
}

/*
 * Convert the values of an --over to a JSON list, or a single value to a JSON value. @between:
 * character that separates the values.
 */
static struct json_object *over_json(const char *values, char between)
{
	const char ends[] = { between, '\0' };
	struct json_object *list;
	char word[KEY_MAX];
	size_t length;

	if (!strchr(values, between))
		return sim_config_value(values);
	list = json_object_new_array();
	for (;; values += length + 1) {
		length = strcspn(values, ends);
		if (length < sizeof(word)) {
			snprintf(word, sizeof(word), "%.*s", (int)length, values);
			json_object_array_add(list, sim_config_value(word));
		} else {
			json_object_array_add(list, json_object_new_string_len(values,
									       (int)length));
		}
		if (!values[length] || (between == ';' && !values[length + 1]))
			return list;
	}
}

/* Convert the KEY=VALUE pairs of --set or --over; the last value of a key wins. */
static struct json_object *pairs_json(const char *const *pairs, unsigned int count, bool over)
{
	struct json_object *object = json_object_new_object();
	const char *value;
	char key[KEY_MAX];
	unsigned int i;

	for (i = 0; i < count; i++)
		if (parse_pair(pairs[i], key, sizeof(key), &value))
			json_object_object_add(object, key,
					       over ? over_json(value, sim_config_separator(key)) :
						      sim_config_value(value));
	return object;
}

static struct json_object *faults_json(const struct sim_cmdline *typed)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < typed->nfaults; i++)
		json_object_array_add(list, json_object_new_string(typed->faults[i]));
	return list;
}

static struct json_object *tables_json(const struct sim_cmdline *typed)
{
	struct json_object *list = json_object_new_array(), *one;
	unsigned int i;

	for (i = 0; i < typed->ntables; i++) {
		one = json_object_new_object();
		json_object_object_add(one, "file", json_object_new_string(typed->tables[i].file));
		json_object_object_add(one, "at", sim_config_value(typed->tables[i].typed));
		json_object_array_add(list, one);
	}
	return list;
}

/* Convert the words of an option to JSON; NULL if the option was not given. */
static struct json_object *row_json(const struct sim_cmdline *typed, const struct option_row *row)
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
		/*
		 * --histogram implies --statistics; its file name is not part of the configuration
		 */
		return typed->statistics || typed->histogram ? json_object_new_boolean(true) :
							       NULL;
	}
	word = *(const char *const *)((const char *)typed + row->offset);
	if (!word)
		return NULL;
	return row->argument ? sim_config_value(word) : json_object_new_boolean(true);
}

/**
 * sim_config_json - the options as a JSON object that --config accepts
 * @typed: the options
 * @command: SIM_FOR_RUN, SIM_FOR_SWEEP or both; options of other commands are omitted
 *
 * Omits options with SIM_OF_ANSWER or SIM_OF_LINE. For --histogram it contains "statistics".
 *
 * Return: the object, which json_object_put() frees.
 */
struct json_object *sim_config_json(const struct sim_cmdline *typed, unsigned int command)
{
	struct json_object *doc = json_object_new_object(), *value;
	const struct option_row *row;
	size_t i;

	for (i = 0; (row = sim_cmdline_row(i)); i++) {
		if (!(row->groups & command) || row->groups & (SIM_OF_ANSWER | SIM_OF_LINE))
			continue;
		value = row_json(typed, row);
		if (value)
			json_object_object_add(doc, row->name, value);
	}
	return doc;
}

/**
 * sim_config_mark - hash of a configuration
 * @typed: the options
 * @command: as for sim_config_json()
 *
 * Return: hash of the text of sim_config_json().
 */
u64 sim_config_mark(const struct sim_cmdline *typed, unsigned int command)
{
	struct json_object *doc = sim_config_json(typed, command);
	const char *at = json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN);
	u64 mark = 0;

	for (; at && *at; at++)
		mark = torus_mix(mark ^ (u8)*at);
	json_object_put(doc);
	return mark;
}
