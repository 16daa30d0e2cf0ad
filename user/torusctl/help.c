// SPDX-License-Identifier: GPL-2.0
/* Print the list of objects, and help for an object or a command. */
#include <stdio.h>
#include <string.h>

#include "../config/args.h"
#include "../config/ctl.h"
#include "help.h"
#include "../config/lookup.h"
#include "objects.h"
#include "route/route.h"
#include "../config/diag.h"

const struct ctl_object *const ctl_objects[] = {
	&ctl_fabric, &ctl_node, &ctl_unit, &ctl_job, &ctl_reg, &ctl_link, &ctl_traffic,
	&ctl_counter, &ctl_health, &ctl_monitor, &ctl_capture, &ctl_record, &ctl_explain, &ctl_top,
	&ctl_route, &ctl_save, &ctl_restore, &ctl_diff, NULL,
};

/**
 * ctl_help_object - print the commands of an object of torusctl
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
 * ctl_help_all - print all objects and options
 */
void ctl_help_all(FILE *out)
{
	const struct ctl_object *const *object;

	fputs("torusctl [OPTION]... OBJECT COMMAND\n"
	      "torusctl [-force|--force] -b FILE    execute the lines of a file; - is standard "
	      "input\n"
	      "torusctl -check|--check OBJECT COMMAND | -check -b FILE    check without a change\n"
	      "torusctl -V|--version\n"
	      "\n", out);
	for (object = ctl_objects; *object; object++)
		fprintf(out, "  %-8s %s\n", (*object)->name, (*object)->help);
	fputs("\n"
	      "OPTION = -j|--json -p|--pretty -s|--statistics -d|--details -br|--brief\n"
	      "         -o|--oneline -t|--timestamp -q|--quiet -check|--check\n"
	      "torusctl help OBJECT prints more. Objects and commands may be abbreviated.\n", out);
}

/**
 * ctl_help - print help for an object, for a command, or for torusctl
 * @args: the arguments after help
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
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
	object = ctl_find_object(ctl, ctl_objects, word);
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
