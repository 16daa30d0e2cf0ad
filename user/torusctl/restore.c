// SPDX-License-Identifier: GPL-2.0
/* torusctl restore and diff: a configuration from a file, made, or held against what is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/escape.h"
#include "../netlink/fabric.h"
#include "../report/add.h"
#include "../words/key.h"
#include "../words/words.h"
#include "call.h"
#include "config.h"
#include "ctl.h"
#include "output.h"
#include "rehearse.h"
#include "restore.h"
#include "say.h"

/* ----------------------------------------------------------------- restore */

/* Whole or none.  Lines of fabrics that are left as they are have lost their object. */
static int run_lines(struct ctl *ctl, const struct restore_file *file)
{
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < file->count && !status; i++) {
		if (!file->lines[i].object)
			continue;
		status = restore_run(ctl, file, &file->lines[i]);
		if (status)
			restore_remove(ctl->nl, file, i);
	}
	return status;
}

static int restore(struct ctl *ctl, struct ctl_args *args)
{
	const char *name = ctl_next(args);
	struct restore_file file;
	int status;

	if (!name)
		return ctl_usage(ctl, "the name of a file is missing (- is standard input)");
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = restore_check(ctl, name, true, &file);
	/* What was made to try it goes before it is made for good: both may not fit. */
	if (!status) {
		restore_remove(file.apart, &file, file.count);
		status = run_lines(ctl, &file);
	}
	restore_free(&file);
	return status;
}

/* Lines of fabrics that are there are not run: they lose the object that they are about. */
static void skip_there(struct ctl *ctl, struct restore_file *file,
		       void (*tell)(const char *fabric, const char *format, ...))
{
	struct torus_nl_fabric fabric;
	size_t i, k;

	for (i = 0; i < file->count; i++) {
		struct restore_line *maker = &file->lines[i];

		if (!maker->makes || torus_nl_fabric_get(ctl->nl, maker->words[2], &fabric))
			continue;
		tell(maker->words[2], "is there: left as it is");
		for (k = i + 1; k < file->count; k++)
			if (!strcmp(file->lines[k].words[2], maker->words[2]))
				file->lines[k].object = NULL;
		maker->object = NULL;
	}
}

/**
 * restore_apply - make the fabrics of a file that are not there, whole or none
 * @ctl: the call
 * @name: of the file
 * @tell: is told which are made, and which are there already
 *
 * Return: CTL_OK, or what the first line that makes no sense has failed with, after telling
 * of all of them.
 */
int restore_apply(struct ctl *ctl, const char *name,
		  void (*tell)(const char *fabric, const char *format, ...))
{
	struct restore_file file;
	int status = restore_check(ctl, name, false, &file);
	size_t i;

	if (!status) {
		restore_remove(file.apart, &file, file.count);
		skip_there(ctl, &file, tell);
		status = run_lines(ctl, &file);
	}
	for (i = 0; i < file.count && !status; i++)
		if (file.lines[i].makes && file.lines[i].object)
			tell(file.lines[i].words[2], "made");
	restore_free(&file);
	return status;
}

static const struct ctl_command restore_commands[] = {
	{ "", "FILE", restore },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_restore = {
	.name = "restore",
	.help = "fabrics from the lines of a file, whole or none",
	.details = "FILE = lines that configure: fabric add, fabric set, node set, job add, reg "
		   "write, link set, route load; - is standard input\n"
		   "All errors of a file are told, and then nothing is changed; a fabric that is "
		   "there is not touched\n",
	.commands = restore_commands,
};

/* -------------------------------------------------------------------- diff */

/* One side of a comparison: the lines, and their texts in order of the alphabet. */
struct side {
	struct torus_nl_fabric fabric;
	bool there;
	struct config config;
	struct side_line {
		char *text;
		struct config_line *line;
		bool same;
	} *lines;
};

static int by_text(const void *left, const void *right)
{
	const struct side_line *a = left;
	const struct side_line *b = right;

	return strcmp(a->text, b->text);
}

/* The lines of fabric @name as the session @nl has it; none where it is not there. */
static int side_read(struct ctl *ctl, struct torus_nl *nl, const char *name, struct side *side)
{
	struct ctl call = *ctl;
	size_t i;
	int status;

	*side = (struct side){ .there = !torus_nl_fabric_get(nl, name, &side->fabric) };
	call.nl = nl;
	if (!side->there)
		return CTL_OK;
	side->there = !torus_nl_fabric_get(nl, name, &side->fabric);
	status = config_read(&call, name, &side->config);
	if (status)
		return status;
	side->lines = calloc(side->config.count + 1, sizeof(*side->lines));
	for (i = 0; side->lines && i < side->config.count; i++) {
		side->lines[i].line = &side->config.lines[i];
		side->lines[i].text = config_text(side->lines[i].line);
		if (!side->lines[i].text)
			break;
	}
	if (!side->lines || i < side->config.count) {
		ctl_tell(ctl, "fabric %s: no memory for its lines", name);
		return CTL_FAILED;
	}
	qsort(side->lines, side->config.count, sizeof(*side->lines), by_text);
	return CTL_OK;
}

static void side_free(struct side *side)
{
	size_t i;

	for (i = 0; side->lines && i < side->config.count; i++)
		free(side->lines[i].text);
	free(side->lines);
	config_free(&side->config);
}

static void sides_match(struct side *a, struct side *b)
{
	size_t i = 0;
	size_t j = 0;
	int order;

	while (i < a->config.count && j < b->config.count) {
		order = strcmp(a->lines[i].text, b->lines[j].text);
		if (!order) {
			a->lines[i].same = true;
			b->lines[j].same = true;
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static int by_place(const void *left, const void *right)
{
	const struct side_line *a = left;
	const struct side_line *b = right;

	return a->line < b->line ? -1 : a->line > b->line;
}

/* The lines that only one side has.  Return: how many. */
static size_t side_print(const struct ctl *ctl, struct side *side, char sign,
			 struct json_object *list)
{
	struct config rest = { .lines = calloc(side->config.count + 1, sizeof(*rest.lines)) };
	size_t count = side->config.count;
	char *text;
	size_t i;

	if (!rest.lines || !side->lines)
		count = 0;
	if (count)
		qsort(side->lines, count, sizeof(*side->lines), by_place);
	for (i = 0; i < count; i++) {
		const struct config_line *line = side->lines[i].line;

		if (side->lines[i].same)
			continue;
		rest.lines[rest.count] = *line;
		rest.lines[rest.count].head = strdup(line->head);
		rest.lines[rest.count].place = strdup(line->place);
		rest.lines[rest.count].tail = strdup(line->tail);
		rest.count++;
	}
	count = rest.count;
	config_join(&side->fabric, &rest);
	for (i = 0; i < rest.count; i++) {
		text = config_text(&rest.lines[i]);
		if (list)
			json_object_array_add(list, json_object_new_string(text ? text : ""));
		else if (text)
			torus_escape_message(stdout, "%c%s\n", sign, text);
		free(text);
	}
	config_free(&rest);
	(void)ctl;
	return count;
}

static int diff_fabric(struct ctl *ctl, const struct restore_file *file, const char *name,
		       struct json_object *here, struct json_object *there, size_t *differ)
{
	struct side now = { .there = false };
	struct side then = { .there = false };
	int status;

	status = side_read(ctl, ctl->nl, name, &now);
	if (!status)
		status = side_read(ctl, file->apart, name, &then);
	if (!status) {
		sides_match(&now, &then);
		*differ += side_print(ctl, &now, '-', here);
		*differ += side_print(ctl, &then, '+', there);
	}
	side_free(&now);
	side_free(&then);
	return status;
}

static bool file_has(const struct restore_file *file, const char *name)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (file->lines[i].makes && !strcmp(file->lines[i].words[2], name))
			return true;
	return false;
}

/* The fabrics of the file, then those that are there alone. */
static int diff_fabrics(struct ctl *ctl, const struct restore_file *file, const char *only,
			struct json_object *here, struct json_object *there, size_t *differ)
{
	struct torus_nl_fabric *fabrics;
	int status = CTL_OK;
	size_t count;
	size_t i;

	for (i = 0; i < file->count && !status; i++)
		if (file->lines[i].makes && (!only || !strcmp(only, file->lines[i].words[2])))
			status = diff_fabric(ctl, file, file->lines[i].words[2], here, there,
					     differ);
	if (status)
		return status;
	if (torus_nl_fabric_dump(ctl->nl, &fabrics, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !status; i++)
		if (!file_has(file, fabrics[i].name) && (!only || !strcmp(only, fabrics[i].name)))
			status = diff_fabric(ctl, file, fabrics[i].name, here, there, differ);
	free(fabrics);
	return status;
}

static int diff(struct ctl *ctl, struct ctl_args *args)
{
	const char *name = ctl_next(args);
	const char *only = ctl_next(args);
	struct json_object *here = NULL, *there = NULL, *doc;
	struct restore_file file;
	struct word_why why;
	size_t differ = 0;

	if (!name)
		return ctl_usage(ctl, "the name of a file is missing (- is standard input)");
	if (only && !word_name(only, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (ctl_end(ctl, args))
		return CTL_USAGE;
	if (restore_check(ctl, name, false, &file)) {
		restore_free(&file);
		return CTL_USAGE;
	}
	if (ctl->json) {
		here = json_object_new_array();
		there = json_object_new_array();
	}
	if (diff_fabrics(ctl, &file, only, here, there, &differ)) {
		json_object_put(here);
		json_object_put(there);
		restore_free(&file);
		return CTL_USAGE;
	}
	if (ctl->json) {
		doc = json_object_new_object();
		report_add_bool(doc, "equal", !differ);
		json_object_object_add(doc, "here", here);
		json_object_object_add(doc, "file", there);
		output_json(ctl, doc);
	}
	restore_free(&file);
	return differ ? CTL_FAILED : CTL_OK;
}

static const struct ctl_command diff_commands[] = {
	{ "", "FILE [FABRIC]", diff },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_diff = {
	.name = "diff",
	.help = "what differs between the lines of a file and what is there",
	.details = "- what is there and not in the file, + what the file has; ends with 1 if there "
		   "is any, 2 if it cannot be told\n",
	.commands = diff_commands,
};
