// SPDX-License-Identifier: GPL-2.0
/* Find objects and commands by name, in full or abbreviated. */
#include <stdio.h>
#include <string.h>

#include "lookup.h"
#include "diag.h"

/* Aliases of commands. An alias is used only if no command of the object begins with it. */
static const struct {
	const char *word;
	const char *name;
} aliases[] = {
	{ "list", "show" }, { "ls", "show" }, { "lst", "show" }, { "create", "add" },
	{ "new", "add" }, { "delete", "del" }, { "remove", "del" },
};

static bool abbreviates(const char *word, const char *name)
{
	return *word && !strncmp(word, name, strlen(word));
}

/* Append a name to the list of candidates that an error message names. */
static void add_name(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);

	snprintf(list + used, size - used, "%s%s", used ? " " : "", name);
}

/**
 * ctl_find_object - find an object by name
 * @objects: array of all objects, ended by NULL
 * @word: name of the object, or an unambiguous prefix
 *
 * Return: the object, or NULL after an error message that lists the valid names.
 */
const struct ctl_object *ctl_find_object(struct ctl *ctl, const struct ctl_object *const *objects,
					 const char *word)
{
	const struct ctl_object *const *object;
	const struct ctl_object *found = NULL;
	char all[256] = "";
	char many[256] = "";
	unsigned int count = 0;

	for (object = objects; *object; object++) {
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
		ctl_reject(ctl, "object \"%s\": ambiguous, may be any of: %s", word, many);
	else
		ctl_reject(ctl, "unknown object \"%s\" (there are: %s)", word, all);
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
 * ctl_find_command - find a command of an object by name
 * @word: name of the command, an unambiguous prefix, or an alias
 *
 * Return: the command, or NULL after an error message that lists the valid names.
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
		ctl_reject(ctl, "command \"%s\": ambiguous, may be any of: %s", word, many);
	else
		ctl_reject(ctl, "unknown command \"%s\" (there are: %s)", word, all);
	return NULL;
}
