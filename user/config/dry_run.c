// SPDX-License-Identifier: GPL-2.0
/*
 * Execute a configuration file without a change of the existing fabrics: on fabrics of this
 * process, or of the module in a temporary network namespace.
 *
 * The core validates the lines, except those of a fabric that cannot be created. Each invalid line
 * is reported with the file and its number.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../netlink/fabric.h"
#include "../netlink/namespace.h"
#include "../rehearsal/rehearsal.h"
#include "../parse/script_lines.h"
#include "../parse/parse.h"
#include "ctl.h"
#include "fabric_set.h"
#include "job_add.h"
#include "link_set.h"
#include "lookup.h"
#include "node_set.h"
#include "reg_write.h"
#include "route_load.h"
#include "dry_run.h"
#include "restore.h"
#include "diag.h"

/* Command that the dry run treats as `add`. It is not accepted in a configuration. */
#define REPLACE		"replace"
#define NAME_WORD	2	/* index of the word FABRIC in a line OBJECT COMMAND FABRIC .. */
#define FIRST_PAIR	3	/* index of the first argument after the word FABRIC */
/*
 * Maximum number of words of `fabric add`: all parameters, and arch, shape, mesh, seed and domains.
 */
#define PAIRS_END	(FIRST_PAIR + 2 * (TORUS_NL_PARAMS_MAX + 5))

/*
 * Objects and commands that a configuration may contain. Usage texts are empty because they are not
 * printed for a line of a file.
 */
static const struct ctl_object *const objects[] = {
	&(const struct ctl_object){
		.name = "fabric",
		.commands = (const struct ctl_command[]){
			{ "add", "", fabric_add }, { "set", "", fabric_set },
			{ REPLACE, "", fabric_add }, { },
		},
	},
	&(const struct ctl_object){
		.name = "node",
		.commands = (const struct ctl_command[]){ { "set", "", node_set }, { } },
	},
	&(const struct ctl_object){
		.name = "job",
		.commands = (const struct ctl_command[]){ { "add", "", job_add }, { } },
	},
	&(const struct ctl_object){
		.name = "reg",
		.commands = (const struct ctl_command[]){ { "write", "", reg_write }, { } },
	},
	&(const struct ctl_object){
		.name = "link",
		.commands = (const struct ctl_command[]){ { "set", "", link_set }, { } },
	},
	&(const struct ctl_object){
		.name = "route",
		.commands = (const struct ctl_command[]){ { "load", "", route_load }, { } },
	},
	NULL,
};

static const char *line_fabric(const struct restore_line *line)
{
	return line->words[NAME_WORD];
}

static bool line_replaces(const struct restore_line *line)
{
	return line->command && !strcmp(line->command->name, REPLACE);
}

/* Return a copy of @ctl that names @line in its error messages. */
static struct ctl line_call(const struct ctl *ctl, const struct restore_file *file,
			    const struct restore_line *line)
{
	struct ctl call = *ctl;

	/* a command line that is tested may be a line of a batch */
	call.file = file->name ? file->name : ctl->file;
	call.line = line->number;
	call.object = line->object ? line->object->name : NULL;
	call.command = line->command ? line->command->name : NULL;
	call.usage = line->command ? line->command->usage : "";
	return call;
}

/* Run the command of a line. @words: all words of the line, or some of them. */
static int line_run(struct ctl *call, const struct restore_line *line, char **words, int count)
{
	struct ctl_args args = { .words = words, .count = count, .at = NAME_WORD };

	return line->command->run(call, &args);
}

/**
 * restore_run - run one line of a configuration
 * @ctl: the call, connected
 *
 * Return: CTL_OK, or the status of the failed command.
 */
int restore_run(const struct ctl *ctl, const struct restore_file *file,
		const struct restore_line *line)
{
	struct ctl call = line_call(ctl, file, line);

	return line_run(&call, line, line->words, line->count);
}

/* Delete the fabrics of a dry run. */
void restore_remove(const struct restore_file *file)
{
	size_t i;

	for (i = file->count; i-- > 0;)
		if (file->lines[i].makes && !file->lines[i].failed)
			torus_nl_fabric_del(file->apart, line_fabric(&file->lines[i]));
}

/**
 * restore_free - free a configuration and delete the fabrics of its dry run
 */
void restore_free(struct restore_file *file)
{
	size_t i;
	int w;

	if (file->apart)
		restore_remove(file);
	torus_nl_free(file->apart);
	rehearsal_free(file->rehearsal);
	for (i = 0; i < file->count; i++) {
		for (w = 0; w < file->lines[i].count; w++)
			free(file->lines[i].words[w]);
		free(file->lines[i].words);
	}
	free(file->lines);
	*file = (struct restore_file){ .count = 0 };
}

/* Append a line with a copy of its words. Return NULL without memory. */
static struct restore_line *file_add(struct restore_file *file, unsigned int number,
				     char *const *words, unsigned int count)
{
	struct restore_line *line = reallocarray(file->lines, file->count + 1, sizeof(*line));
	unsigned int w;

	if (!line)
		return NULL;
	file->lines = line;
	line += file->count;
	*line = (struct restore_line){ .number = number };
	line->words = calloc(count + 1, sizeof(*line->words));
	if (!line->words)
		return NULL;
	file->count++;
	for (w = 0; w < count; w++) {
		line->words[w] = strdup(words[w]);
		if (!line->words[w])
			return NULL;
		line->count++;
	}
	return line;
}

static int no_memory(struct ctl *ctl)
{
	ctl_error(ctl, "out of memory for the dry run");
	return CTL_FAILED;
}

/* Return the last earlier line that creates the fabric of @line, or NULL. */
static struct restore_line *file_maker(const struct restore_file *file,
				       struct restore_line *line)
{
	struct restore_line *maker = line;

	while (maker-- > file->lines)
		if (maker->makes && maker->count > NAME_WORD &&
		    !strcmp(line_fabric(maker), line_fabric(line)))
			return maker;
	return NULL;
}

/*
 * Find the object and the command of a line. Reject commands that are not part of a configuration.
 */
static int line_classify(struct ctl *call, struct restore_line *line)
{
	int w;

	for (w = 0; w < line->count; w++)
		if (line->words[w][0] == '-')
			return ctl_reject(call, "%s: options are not allowed in a configuration",
					  line->words[w]);
	line->object = ctl_find_object(call, objects, line->words[0]);
	if (!line->object)
		return CTL_USAGE;
	call->object = line->object->name;
	if (line->count == 1)
		return ctl_reject(call, "a command is missing");
	line->command = ctl_find_command(call, line->object, line->words[1]);
	if (!line->command)
		return CTL_USAGE;
	call->command = line->command->name;
	call->usage = line->command->usage;
	if (line->count == NAME_WORD)
		return ctl_reject(call, "the name of a fabric is missing");
	line->makes = line->command->run == fabric_add;
	return CTL_OK;
}

static bool is_frame(const char *key)
{
	return !strcmp(key, "arch") || !strcmp(key, "shape") || !strcmp(key, "mesh") ||
	       !strcmp(key, "seed") || !strcmp(key, "domains");
}

/*
 * Select some words of `fabric add`: the words without parameters, and the parameter at index @pair
 * if there is one.
 */
static int frame_words(const struct restore_line *line, int pair, char **words)
{
	int count = 0;
	int w;

	for (w = 0; w < line->count; w++) {
		bool frame = w < FIRST_PAIR ||
			     is_frame(line->words[FIRST_PAIR + (w - FIRST_PAIR) / 2 * 2]);

		if (frame || w == pair || w == pair + 1)
			words[count++] = line->words[w];
	}
	return count;
}

/*
 * Find the errors in a line whose fabric cannot be created. Return CTL_USAGE, or CTL_FAILED without
 * memory.
 *
 * The fabric is created without parameters. If this fails, too, @line is marked as failed.
 * Otherwise each parameter is tried alone, so that each error is reported. One of these fabrics
 * remains, so that the following lines can be checked. A line with too many words is only run
 * again.
 */
static int make_bare(struct ctl *call, struct restore_line *line)
{
	char **words = calloc(line->count + 1, sizeof(*words));
	bool reported = false;
	int count;
	int pair;

	if (!words)
		return no_memory(call);
	if (line->count > PAIRS_END) {
		line->failed = line_run(call, line, line->words, line->count);
		free(words);
		return CTL_USAGE;
	}
	count = frame_words(line, line->count, words);
	line->failed = line_run(call, line, words, count);
	for (pair = FIRST_PAIR; !line->failed && pair < line->count; pair += 2) {
		if (is_frame(line->words[pair]))
			continue;
		torus_nl_fabric_del(call->nl, line_fabric(line));
		count = frame_words(line, pair, words);
		if (!line_run(call, line, words, count))
			continue;
		reported = true;
		count = frame_words(line, line->count, words);
		line->failed = line_run(call, line, words, count);
	}
	if (!line->failed && !reported) {
		/* each parameter alone is valid, so report the error of the combination */
		torus_nl_fabric_del(call->nl, line_fabric(line));
		line_run(call, line, line->words, line->count);
		count = frame_words(line, line->count, words);
		line->failed = line_run(call, line, words, count);
	}
	free(words);
	return CTL_USAGE;
}

static int try_make(struct ctl *call, struct restore_line *line, struct torus_nl *here)
{
	struct torus_nl_fabric fabric;
	bool exists = here && !torus_nl_fabric_get(here, line_fabric(line), &fabric);
	int status;

	if (exists)
		ctl_error(call, "fabric %s exists already", line_fabric(line));
	call->muted = true;
	status = line_run(call, line, line->words, line->count);
	call->muted = false;
	if (status)
		return make_bare(call, line);
	return exists ? CTL_FAILED : CTL_OK;
}

/**
 * restore_copy - create a fabric with the keys of an existing one
 * @call: the call, whose session is @to
 * @to: session of the new fabric
 * @from: the existing fabric
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int restore_copy(struct ctl *call, struct torus_nl *to, const struct torus_nl_fabric *from)
{
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	struct torus_nl_fabric_spec spec = {
		.name = from->name, .arch = from->arch, .ndims = from->nshape, .mesh = from->mesh,
		.seed = from->seed, .domains = from->domains, .has_seed = true,
		.has_domains = true, .params = params, .nparams = from->nparams,
	};
	size_t i;

	memcpy(spec.dims, from->shape, sizeof(spec.dims));
	for (i = 0; i < from->nparams; i++) {
		params[i] = from->params[i];
		params[i].is_text = true;
	}
	return torus_nl_fabric_add(to, &spec) ? ctl_failed(call) : CTL_OK;
}

/*
 * Check a line about a fabric that no earlier line creates. With option --check, a fabric of the
 * module is copied; without the module, only the arguments of a command line can be checked.
 */
static int try_other(struct ctl *call, const struct restore_file *file,
		     const struct restore_line *line)
{
	struct torus_nl_fabric fabric, copy;

	if (call->check && file->here &&
	    !torus_nl_fabric_get(file->here, line_fabric(line), &fabric))
		return torus_nl_fabric_get(file->apart, line_fabric(line), &copy) &&
		       restore_copy(call, file->apart, &fabric) ? CTL_FAILED : CTL_OK;
	if (!call->check || file->name || file->here)
		return ctl_reject(call, "fabric %s: must be created by an earlier line",
				  line_fabric(line));
	call->words_only = true;
	return CTL_OK;
}

/*
 * Execute a line on the fabrics of the dry run. If @unique is true, the names of existing fabrics
 * must not be used again.
 */
static int try_line(const struct ctl *ctl, struct restore_file *file, struct restore_line *line,
		    bool unique)
{
	struct ctl call = line_call(ctl, file, line);
	struct restore_line *maker;
	int status;

	status = line_classify(&call, line);
	if (!status && line_replaces(line) && file->name && !call.check)
		status = ctl_reject(&call, "not accepted in a configuration: write fabric add");
	if (status) {
		line->makes = false;
		return status;
	}
	call.nl = file->apart;
	call.dry = true;
	call.apart = !file->rehearsal;
	maker = file_maker(file, line);
	if (line_replaces(line)) {
		torus_nl_fabric_del(file->apart, line_fabric(line));
		return try_make(&call, line, NULL);
	}
	if (line->makes && maker) {
		line->makes = false;
		return ctl_reject(&call, "fabric %s: already created in line %u",
				  line_fabric(line), maker->number);
	}
	if (line->makes)
		return try_make(&call, line, unique ? file->here : NULL);
	/* if the line's fabric could not be created, check only the arguments */
	call.words_only = maker && maker->failed;
	status = maker ? CTL_OK : try_other(&call, file, line);
	if (!status)
		status = line_run(&call, line, line->words, line->count);
	/* If the dry run rejects a line, the file is wrong. */
	return !status || status == CTL_WORDS ? CTL_OK : CTL_USAGE;
}

/* Connect to the module if it is loaded; it is not loaded for a check. */
static struct torus_nl *session_here(struct ctl *ctl)
{
	if (!ctl->nl && !access("/sys/module/torus", F_OK)) {
		bool muted = ctl->muted;

		ctl->muted = true;
		ctl_connect(ctl);
		ctl->muted = muted;
	}
	return ctl->nl;
}

/* Open the session of the dry run: with fabrics of this process, or, for @module, of the module. */
static int session_apart(struct ctl *ctl, bool module, struct restore_file *file)
{
	int status;

	file->apart = torus_nl_new();
	if (!file->apart)
		return no_memory(ctl);
	if (!module) {
		file->here = session_here(ctl);
		file->rehearsal = rehearsal_new();
		if (!file->rehearsal)
			return no_memory(ctl);
		rehearsal_connect(file->rehearsal, file->apart);
		return CTL_OK;
	}
	/* If the module is not loaded, or privileges are missing, report only that error. */
	status = ctl_connect(ctl);
	if (!status && torus_nl_connect_apart(file->apart)) {
		ctl_error(ctl, "%s", torus_nl_error(file->apart));
		status = CTL_FAILED;
	}
	return status;
}

/* Check all lines of a file that is open. */
static int check_lines(struct ctl *ctl, struct parse_lines *lines, bool unique,
		       struct restore_file *file)
{
	struct restore_line *line;
	struct parse_error why;
	int status = CTL_OK;
	struct ctl call;
	int more;
	int one;

	while ((more = parse_lines_next(lines, &why))) {
		line = more > 0 ? file_add(file, lines->line, lines->words, lines->count) : NULL;
		if (line) {
			one = try_line(ctl, file, line, unique);
		} else {
			call = line_call(ctl, file,
					 &(struct restore_line){ .number = lines->line });
			one = ctl_reject(&call, "%s",
					 more < 0 ? why.text : "out of memory for the line");
		}
		/* an invalid line counts more than a fabric that exists */
		if (!status || one == CTL_USAGE)
			status = one;
		if (ferror(lines->file) || (more > 0 && !line))
			break;
	}
	return status;
}

/**
 * restore_check - read a configuration file and execute it in a dry run
 * @name: name of the file; "-" is standard input
 * @how: where the dry run has its fabrics
 * @file: [out] the configuration; freed with restore_free()
 *
 * Return: CTL_OK; CTL_USAGE after an error message if the file cannot be opened; CTL_FAILED after
 * an error message if the module, a privilege or memory is missing; or the status of the first
 * line that is rejected, after an error message for each: CTL_FAILED if only its fabric exists
 * already, otherwise CTL_USAGE.
 */
int restore_check(struct ctl *ctl, const char *name, enum restore_how how,
		  struct restore_file *file)
{
	struct parse_lines lines;
	struct parse_error why;
	int status;

	*file = (struct restore_file){ .count = 0 };
	if (!parse_lines_open(&lines, name, &why))
		return ctl_reject(ctl, "%s", why.text);
	file->name = lines.name;
	status = session_apart(ctl, how == RESTORE_MODULE, file);
	if (!status)
		status = check_lines(ctl, &lines, how == RESTORE_UNIQUE, file);
	parse_lines_close(&lines);
	return status;
}

/**
 * restore_check_file - check a configuration file without the module
 * @name: name of the file; "-" is standard input
 *
 * Return: as restore_check().
 */
int restore_check_file(struct ctl *ctl, const char *name)
{
	struct restore_file file;
	int status = restore_check(ctl, name, RESTORE_ALONE, &file);

	restore_free(&file);
	return status;
}

/**
 * restore_try_words - execute a command line that could be a line of a configuration in a dry run
 * @words: the words of the line
 * @count: number of words, at least 1
 * @file: [out] the line and its fabric; freed with restore_free()
 *
 * Return: as restore_check().
 */
int restore_try_words(struct ctl *ctl, char *const *words, unsigned int count,
		      struct restore_file *file)
{
	struct restore_line *line;
	int status;

	*file = (struct restore_file){ .count = 0 };
	status = session_apart(ctl, false, file);
	if (status)
		return status;
	line = file_add(file, ctl->line, words, count);
	return line ? try_line(ctl, file, line, true) : no_memory(ctl);
}

/**
 * restore_check_words - check a command line that could be a line of a configuration
 * @words: the words of the line
 * @count: number of words, at least 1
 *
 * Return: as restore_check().
 */
int restore_check_words(struct ctl *ctl, char *const *words, unsigned int count)
{
	struct restore_file file;
	int status = restore_try_words(ctl, words, count, &file);

	restore_free(&file);
	return status;
}
