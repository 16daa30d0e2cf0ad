// SPDX-License-Identifier: GPL-2.0
/*
 * Change the nodes, registers, jobs and links of a running fabric to those of a configuration.
 *
 * A line that only the fabric has is undone by a line with the default of each of its keys, or with
 * the register's value at boot. Jobs that only the fabric has, and scheduled faults that only the
 * fabric has, cannot be undone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "change.h"
#include "diag.h"
#include "job_add.h"
#include "link_set.h"
#include "node_set.h"
#include "reg_write.h"

#define FIRST_ARGUMENT	2	/* index of the first word after OBJECT COMMAND */

/*
 * Defaults of the keys of nodes and links. The default of a link's rate is that of the fabric, and
 * the default of all other keys is 0.
 */
static const struct {
	enum config_kind kind;
	const char *key;
	const char *text;
} initial[] = {
	{ CONFIG_NODE, "uid", "any" }, { CONFIG_NODE, "state", "alive" },
	{ CONFIG_DEAD, "state", "alive" },
	{ CONFIG_LINK, "state", "up" }, { CONFIG_LINK, "sender", "on" },
};

/* Return the default of a key. @ber: bit error rate of the fabric as text; "" without that key. */
static const char *key_initial(enum config_kind kind, const char *key, size_t length,
			       const char *ber)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(initial); i++)
		if (initial[i].kind == kind && strlen(initial[i].key) == length &&
		    !strncmp(initial[i].key, key, length))
			return initial[i].text;
	return length == strlen("ber") && !strncmp(key, "ber", length) && *ber ? ber : "0";
}

/* Return the text after the next word of a tail. */
static const char *word_skip(const char *at)
{
	at += strcspn(at, " ");
	return at + (*at == ' ');
}

/* Return the pairs KEY VALUE of a line: the tail of a link begins with the direction. */
static const char *pairs_of(const struct config_line *line)
{
	return line->kind == CONFIG_LINK ? word_skip(line->tail) : line->tail;
}

static bool has_key(const char *pairs, const char *key, size_t length)
{
	for (; *pairs; pairs = word_skip(word_skip(pairs)))
		if (strcspn(pairs, " ") == length && !strncmp(pairs, key, length))
			return true;
	return false;
}

/*
 * Make the tail of the line that changes @now to @wanted, one of which may be NULL: the keys of
 * @wanted, and the defaults of the keys that only @now has. Return NULL without memory.
 */
static char *tail_make(const struct config_line *now, const struct config_line *wanted,
		       const char *ber)
{
	const char *key, *gap = wanted ? " " : "";
	char *text = NULL;
	size_t size = 0, length;
	FILE *out;

	if (!now || (wanted && wanted->kind == CONFIG_REG))
		return strdup(wanted->tail);
	if (now->kind == CONFIG_REG)
		return asprintf(&text, "%.*s 0x%08" PRIx32, (int)strcspn(now->tail, " "),
				now->tail, now->boot) < 0 ? NULL : text;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fprintf(out, "%.*s", wanted ? -1 : (int)(pairs_of(now) - now->tail),
		wanted ? wanted->tail : now->tail);
	for (key = pairs_of(now); *key; key = word_skip(word_skip(key))) {
		length = strcspn(key, " ");
		if (wanted && has_key(pairs_of(wanted), key, length))
			continue;
		fprintf(out, "%s%.*s %s", gap, (int)length, key,
			key_initial(now->kind, key, length, ber));
		gap = " ";
	}
	return fclose(out) ? NULL : text;
}

/*
 * Append a copy of a line with the tail @tail, which the copy owns; NULL: no memory for the tail.
 * Return false without memory.
 */
static bool line_add(struct config *change, const struct config_line *line, char *tail)
{
	struct config_line *added = tail ? torus_array_add(&change->lines, &change->count) : NULL;

	if (!added) {
		free(tail);
		return false;
	}
	*added = *line;
	added->head = strdup(line->head);
	added->place = strdup(line->place);
	added->tail = tail;
	return added->head && added->place;
}

/* ----------------------------------------------------------------- differences */

/* Lines that only one side has, in a sorted array. */
struct only {
	const struct config_line **lines;
	size_t count;
};

/* Check whether lines of this kind set an object, for which an undone line restores defaults. */
static bool kind_changes(enum config_kind kind)
{
	return kind == CONFIG_REG || kind == CONFIG_NODE || kind == CONFIG_DEAD ||
	       kind == CONFIG_LINK;
}

/* Check whether lines of this kind only add an object. */
static bool kind_adds(enum config_kind kind)
{
	return kind == CONFIG_JOB || kind == CONFIG_FAULT;
}

static int object_order(const struct config_line *a, const struct config_line *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static int by_object(const void *left, const void *right)
{
	return object_order(*(const struct config_line *const *)left,
			    *(const struct config_line *const *)right);
}

/* Order lines as in their configuration. */
static int by_place(const void *left, const void *right)
{
	const struct config_line *const *a = left, *const *b = right;

	return *a < *b ? -1 : *a > *b;
}

static bool only_collect(const struct config_side *side, bool (*counts)(enum config_kind kind),
			 int (*order)(const void *left, const void *right), struct only *only)
{
	size_t i;

	only->count = 0;
	only->lines = calloc(side->config.count + 1, sizeof(*only->lines));
	if (!only->lines)
		return false;
	for (i = 0; i < side->config.count; i++)
		if (!side->lines[i].same && counts(side->lines[i].line->kind))
			only->lines[only->count++] = side->lines[i].line;
	qsort(only->lines, only->count, sizeof(*only->lines), order);
	return true;
}

/* Add a line for each object of which the two sides have different lines. */
static bool objects_change(const struct only *now, const struct only *wanted, const char *ber,
			   struct config *change)
{
	const struct config_line *from, *to;
	size_t i = 0, j = 0;
	bool good = true;
	int order;

	while (good && (i < now->count || j < wanted->count)) {
		order = i == now->count ? 1 : j == wanted->count ? -1 :
			object_order(now->lines[i], wanted->lines[j]);
		from = order <= 0 ? now->lines[i++] : NULL;
		to = order >= 0 ? wanted->lines[j++] : NULL;
		good = line_add(change, to ? to : from, tail_make(from, to, ber));
		/* a node becomes alive again before a job is added to it */
		if (good && !to && from->kind == CONFIG_DEAD)
			change->lines[change->count - 1].kind = CONFIG_NODE;
	}
	return good;
}

/* Add the lines of new jobs and faults. */
static bool objects_add(const struct only *added, struct config *change)
{
	bool good = true;
	size_t i;

	for (i = 0; i < added->count && good; i++)
		good = line_add(change, added->lines[i], strdup(added->lines[i]->tail));
	return good;
}

/**
 * config_change_lines - make the lines that change a running fabric to a wanted configuration
 * @now: the fabric as it is
 * @wanted: the wanted fabric, of the same machine and shape, after config_sides_match()
 * @change: [out] the lines, sorted; freed with config_free(), also after a failure
 *
 * The lines `fabric add` and `route load` are not compared here.
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int config_change_lines(struct ctl *ctl, const struct config_side *now,
			const struct config_side *wanted, struct config *change)
{
	const char *ber = torus_nl_fabric_param(&wanted->fabric, "ber");
	struct only from, to = { .lines = NULL }, added = { .lines = NULL };
	bool good;

	*change = (struct config){ .count = 0 };
	good = only_collect(now, kind_changes, by_object, &from) &&
	       only_collect(wanted, kind_changes, by_object, &to) &&
	       only_collect(wanted, kind_adds, by_place, &added) &&
	       objects_change(&from, &to, ber, change) && objects_add(&added, change);
	free(from.lines);
	free(to.lines);
	free(added.lines);
	if (!good) {
		ctl_error(ctl, "fabric %s: out of memory for its changes", now->fabric.name);
		return CTL_FAILED;
	}
	config_sort(change);
	config_join(&wanted->fabric, change);
	return CTL_OK;
}

/* ----------------------------------------------------------------------- lines */

static const struct {
	const char *object;
	const char *command;
	int (*run)(struct ctl *ctl, struct ctl_args *args);
} commands[] = {
	[CONFIG_REG] = { "reg", "write", reg_write },
	[CONFIG_NODE] = { "node", "set", node_set },
	[CONFIG_JOB] = { "job", "add", job_add },
	[CONFIG_DEAD] = { "node", "set", node_set },
	[CONFIG_LINK] = { "link", "set", link_set },
	[CONFIG_FAULT] = { "link", "set", link_set },
};

/* Split a text at blanks. Return an array of words in @text, freed by the caller, or NULL. */
static char **words_of(char *text, int *count)
{
	char **words = NULL, **word, *rest, *at;
	size_t found = 0;

	for (at = strtok_r(text, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
		word = torus_array_add(&words, &found);
		if (!word) {
			free(words);
			return NULL;
		}
		*word = at;
	}
	*count = (int)found;
	return words;
}

/* Run one line as the command that it is. */
static int line_run(struct ctl *ctl, const struct config_line *line)
{
	struct ctl_args args = { .at = FIRST_ARGUMENT };
	char *text = config_text(line);
	struct ctl call = *ctl;
	int status = CTL_FAILED;

	call.object = commands[line->kind].object;
	call.command = commands[line->kind].command;
	call.usage = "";
	args.words = text ? words_of(text, &args.count) : NULL;
	if (args.words)
		status = commands[line->kind].run(&call, &args);
	else
		ctl_error(&call, "out of memory for a line");
	free(args.words);
	free(text);
	return status;
}

/**
 * config_change_run - run the lines of a change
 * @ctl: the call, connected
 * @change: lines from config_change_lines()
 *
 * Return: CTL_OK, or the status of the first line that fails, after an error message.
 */
int config_change_run(struct ctl *ctl, const struct config *change)
{
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < change->count && !status; i++)
		status = line_run(ctl, &change->lines[i]);
	return status;
}
