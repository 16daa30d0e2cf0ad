// SPDX-License-Identifier: GPL-2.0
/* torusctl save, restore and diff: the configuration of fabrics as command lines in a file. */
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "../common/escape.h"
#include "../report/json.h"
#include "../parse/name.h"
#include "../parse/parse.h"
#include "../config/args.h"
#include "../config/compare.h"
#include "objects.h"
#include "print/output.h"
#include "../config/restore.h"
#include "../config/save.h"
#include "../config/diag.h"

/* -------------------------------------------------------------------- save */

static int save(struct ctl *ctl, struct ctl_args *args)
{
	const char *name = ctl_next(args), *word = name;
	struct save save = { .out = stdout };
	struct parse_error why;
	int status;

	if (name && !strcmp(name, "tables"))
		name = NULL;
	else
		word = ctl_next(args);
	if (name && !parse_name(name, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (word && strcmp(word, "tables"))
		return ctl_usage(ctl, "unexpected argument: %s", word);
	if (word)
		save.dir = ctl_next(args);
	if (word && !save.dir)
		return ctl_usage(ctl, "tables: the name of a directory is missing");
	status = ctl_end(ctl, args);
	if (status)
		return status;
	if (ctl->json)
		save.list = json_object_new_array();
	status = save_fabrics(ctl, name, &save);
	if (save.list && !status)
		output_json(ctl, save.list);
	else
		json_object_put(save.list);
	return status;
}

static const struct ctl_command save_commands[] = {
	{ "", "[FABRIC] [tables DIR]", save },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_save = {
	.name = "save",
	.help = "print fabrics as lines that restore reads",
	.details = "The lines contain parameters that differ from their defaults, changed "
		   "registers, jobs, owners,\n"
		   "partitions, dead nodes, and faults of links, also scheduled ones. Registers "
		   "that are cleared by\n"
		   "reading are not read. Changed routing tables are written to DIR, and a line "
		   "names their file.\n",
	.commands = save_commands,
};

/* ----------------------------------------------------------------- restore */

static int restore(struct ctl *ctl, struct ctl_args *args)
{
	const char *name = ctl_next(args);
	int status;

	if (!name)
		return ctl_usage(ctl, "the name of a file is missing (- is standard input)");
	status = ctl_end(ctl, args);
	return status ? status : restore_new(ctl, name);
}

static const struct ctl_command restore_commands[] = {
	{ "", "FILE", restore },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_restore = {
	.name = "restore",
	.help = "create the fabrics of a file; if one fails, none is created",
	.details = "FILE has the lines fabric add, fabric set, node set, job add, reg write, link "
		   "set, route load;\n"
		   "- is standard input. If lines are wrong, each of them is printed and nothing "
		   "is changed.\n"
		   "A fabric that exists is not changed.\n",
	.commands = restore_commands,
};

/* -------------------------------------------------------------------- diff */

/*
 * Lists of the differences: lines that only the fabrics have, and lines that only the file has.
 * NULL: print the lines as text.
 */
struct diff_lists {
	struct json_object *here;
	struct json_object *file;
};

static void diff_line(void *arg, bool in_file, const char *text)
{
	const struct diff_lists *lists = arg;

	if (lists->here)
		json_object_array_add(in_file ? lists->file : lists->here,
				      json_object_new_string(text));
	else
		torus_escape_message(stdout, "%c%s\n", in_file ? '+' : '-', text);
}

static int diff(struct ctl *ctl, struct ctl_args *args)
{
	const char *name = ctl_next(args);
	const char *only = ctl_next(args);
	struct diff_lists lists = { .here = NULL };
	struct json_object *doc;
	struct parse_error why;
	int status;

	if (!name)
		return ctl_usage(ctl, "the name of a file is missing (- is standard input)");
	if (only && !parse_name(only, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (ctl_end(ctl, args))
		return CTL_USAGE;
	if (ctl->json) {
		lists.here = json_object_new_array();
		lists.file = json_object_new_array();
	}
	status = config_compare(ctl, name, only, &(struct config_report){ diff_line, &lists });
	/* after an error, no difference was reported */
	if (!ctl->json || (status && !json_object_array_length(lists.here) &&
			   !json_object_array_length(lists.file))) {
		json_object_put(lists.here);
		json_object_put(lists.file);
		return status;
	}
	doc = json_object_new_object();
	report_add_bool(doc, "equal", status == CTL_OK);
	json_object_object_add(doc, "here", lists.here);
	json_object_object_add(doc, "file", lists.file);
	output_json(ctl, doc);
	return status;
}

static const struct ctl_command diff_commands[] = {
	{ "", "FILE [FABRIC]", diff },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_diff = {
	.name = "diff",
	.help = "print the differences between a file and the fabrics",
	.details = "- marks a line of the fabrics that the file does not have, + a line that only "
		   "the file has.\n"
		   "The exit status is 0 without differences, 1 with differences, 2 if the file "
		   "has errors.\n",
	.commands = diff_commands,
};
