// SPDX-License-Identifier: GPL-2.0
/* What there is: objects and commands by name, in full or abbreviated, and their help. */
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "ctl.h"
#include "help.h"
#include "say.h"

const struct ctl_object *const ctl_objects[] = {
	&ctl_fabric, &ctl_node, &ctl_unit, &ctl_job, &ctl_reg, &ctl_link, &ctl_traffic,
	&ctl_counter, &ctl_monitor, &ctl_capture, &ctl_explain, &ctl_top, &ctl_route,
	&ctl_save, &ctl_restore, &ctl_diff, NULL,
};

/* Other names of commands, where an object has none of that name itself. */
static const struct {
	const char *word;
	const char *name;
} aliases[] = {
	{ "list", "show" }, { "ls", "show" }, { "lst", "show" }, { "create", "add" },
	{ "new", "add" }, { "delete", "del" }, { "remove", "del" },
};

/**
 * ctl_help_object - say what can be done with an object
 * @out: where
 * @object: the object
 */
void ctl_help_object(FILE *out, const struct ctl_object *object)
{
	const struct ctl_command *command;

	for (command = object->commands; command->name; command++)
		ctl_print_usage(out, object->name, command->name, command->usage);
	if (object->details)
		fputs(object->details, out);
}

/**
 * ctl_help_all - say what torusctl can do
 * @out: where
 */
void ctl_help_all(FILE *out)
{
	const struct ctl_object *const *object;

	fputs("torusctl [OPTION]... OBJECT COMMAND\n"
	      "torusctl [-force|--force] -b FILE    the lines of a file; - is standard input\n"
	      "torusctl -V|--version\n\n", out);
	for (object = ctl_objects; *object; object++)
		fprintf(out, "  %-8s %s\n", (*object)->name, (*object)->help);
	fputs("\nOPTION = -j|--json -p|--pretty -s|--statistics -d|--details -br|--brief\n"
	      "         -o|--oneline -t|--timestamp\n"
	      "torusctl help OBJECT tells more. Objects and commands may be abbreviated.\n", out);
}

static bool abbreviates(const char *word, const char *name)
{
	return *word && !strncmp(word, name, strlen(word));
}

/* The words that begin like @word, for a message. */
static void add_name(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);

	snprintf(list + used, size - used, "%s%s", used ? " " : "", name);
}

/**
 * ctl_find_object - an object by name
 * @ctl: the call
 * @word: its name, or the beginning of it
 *
 * Return: the object, or NULL after telling what there is.
 */
const struct ctl_object *ctl_find_object(struct ctl *ctl, const char *word)
{
	const struct ctl_object *const *object;
	const struct ctl_object *found = NULL;
	char all[256] = "";
	char many[256] = "";
	unsigned int count = 0;

	for (object = ctl_objects; *object; object++) {
		add_name(all, sizeof(all), (*object)->name);
		if (!strcmp(word, (*object)->name))
			return *object;
		if (!abbreviates(word, (*object)->name))
			continue;
		found = *object;
		add_name(many, sizeof(many), found->name);
		count++;
	}
	if (count == 1)
		return found;
	if (count)
		ctl_bad(ctl, "object \"%s\" may be any of: %s", word, many);
	else
		ctl_bad(ctl, "unknown object \"%s\" (there are: %s)", word, all);
	return NULL;
}

static const struct ctl_command *find_alias(const struct ctl_object *object, const char *word)
{
	const struct ctl_command *command;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (strcmp(word, aliases[i].word))
			continue;
		for (command = object->commands; command->name; command++)
			if (!strcmp(command->name, aliases[i].name))
				return command;
	}
	return NULL;
}

/**
 * ctl_find_command - a command of an object by name
 * @ctl: the call
 * @object: the object
 * @word: the command's name, the beginning of it, or another name that ip(8) knows
 *
 * Return: the command, or NULL after telling what there is.
 */
const struct ctl_command *ctl_find_command(struct ctl *ctl, const struct ctl_object *object,
					   const char *word)
{
	const struct ctl_command *command;
	const struct ctl_command *found = NULL;
	char all[256] = "";
	char many[256] = "";
	unsigned int count = 0;

	for (command = object->commands; command->name; command++) {
		add_name(all, sizeof(all), command->name);
		if (!strcmp(word, command->name))
			return command;
		if (!abbreviates(word, command->name))
			continue;
		found = command;
		add_name(many, sizeof(many), command->name);
		count++;
	}
	if (count == 1)
		return found;
	if (!count)
		found = find_alias(object, word);
	if (found && !count)
		return found;
	if (count)
		ctl_bad(ctl, "command \"%s\" may be any of: %s", word, many);
	else
		ctl_bad(ctl, "unknown command \"%s\" (there are: %s)", word, all);
	return NULL;
}

/**
 * ctl_help - help [OBJECT [COMMAND]]
 * @ctl: the call
 * @args: the words behind help
 *
 * Return: CTL_OK, or CTL_USAGE after telling of a word that names nothing.
 */
int ctl_help(struct ctl *ctl, struct ctl_args *args)
{
	const struct ctl_object *object;
	const struct ctl_command *command;
	const char *word = ctl_next(args);

	if (!word) {
		ctl_help_all(stdout);
		return CTL_OK;
	}
	object = ctl_find_object(ctl, word);
	if (!object)
		return CTL_USAGE;
	ctl->object = object->name;
	ctl->usage = object->commands->usage;
	word = ctl_next(args);
	if (!word) {
		ctl_help_object(stdout, object);
		return CTL_OK;
	}
	command = ctl_find_command(ctl, object, word);
	if (!command)
		return CTL_USAGE;
	ctl_print_usage(stdout, object->name, command->name, command->usage);
	return ctl_end(ctl, args);
}
