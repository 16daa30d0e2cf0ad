// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl: fabrics, nodes, registers, links, workloads, counters, events.
 *
 * Words are checked before the module is asked, so that a mistake in typing is
 * told even where no module is loaded.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../machine/machine.h"
#include "ctl.h"

#define VERSION	"torusctl 0.1, ABI %d\n"

static const struct ctl_object *const objects[] = {
	&ctl_fabric, &ctl_node, &ctl_reg, &ctl_link, &ctl_traffic, &ctl_counter, &ctl_monitor,
	&ctl_route,
};

/**
 * ctl_tell - say something beside the answer
 * @ctl: the call
 * @format: the words
 */
void ctl_tell(const struct ctl *ctl, const char *format, ...)
{
	va_list args;

	/* The answer so far, so that the two stand in order on a terminal. */
	fflush(stdout);
	fputs("torusctl: ", stderr);
	if (ctl->object)
		fprintf(stderr, "%s%s%s: ", ctl->object, ctl->command ? " " : "",
			ctl->command ? ctl->command : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/**
 * ctl_bad - refuse a word
 * @ctl: the call
 * @format: the value and the reason
 *
 * Return: CTL_USAGE.
 */
int ctl_bad(struct ctl *ctl, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ctl_tell(ctl, "%s", text);
	return CTL_USAGE;
}

/* What a command's words are, in a line; ARCH becomes the machines of the table. */
static void usage_print(FILE *out, const char *object, const char *command, const char *usage)
{
	const struct torus_machine *const *machine;
	const char *arch = strstr(usage, "ARCH");

	fprintf(out, "torusctl %s%s%s%s", object, *command ? " " : "", command,
		*usage ? " " : "");
	fprintf(out, "%.*s", arch ? (int)(arch - usage) : (int)strlen(usage), usage);
	for (machine = torus_machines; arch && *machine; machine++)
		fprintf(out, "%s%s", machine == torus_machines ? "" : "|", (*machine)->name);
	fprintf(out, "%s\n", arch ? arch + strlen("ARCH") : "");
}

/**
 * ctl_usage - refuse the form of a call, and show the right one
 * @ctl: the call
 * @format: what is wrong
 *
 * Return: CTL_USAGE.
 */
int ctl_usage(struct ctl *ctl, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ctl_tell(ctl, "%s", text);
	fputs("usage: ", stderr);
	usage_print(stderr, ctl->object, ctl->command ? ctl->command : "", ctl->usage);
	return CTL_USAGE;
}

/**
 * ctl_connect - begin to talk to the module
 * @ctl: the call
 *
 * Return: CTL_OK, or CTL_FAILED after telling why.
 */
int ctl_connect(struct ctl *ctl)
{
	ctl->nl = torus_nl_new();
	if (!ctl->nl) {
		ctl_tell(ctl, "no memory");
		return CTL_FAILED;
	}
	return torus_nl_connect(ctl->nl) ? ctl_failed(ctl) : CTL_OK;
}

/**
 * ctl_failed - tell why the module refused
 * @ctl: the call
 *
 * Return: CTL_FAILED.
 */
int ctl_failed(struct ctl *ctl)
{
	ctl_tell(ctl, "%s", torus_nl_error(ctl->nl));
	return CTL_FAILED;
}

/**
 * ctl_done - after a request that succeeded: tell what the module noted
 * @ctl: the call
 *
 * Return: CTL_OK.
 */
int ctl_done(struct ctl *ctl)
{
	if (*torus_nl_note(ctl->nl))
		ctl_tell(ctl, "note: %s", torus_nl_note(ctl->nl));
	return CTL_OK;
}

/**
 * ctl_next - take the next word
 * @args: the words
 *
 * Return: it, or NULL after the last.
 */
const char *ctl_next(struct ctl_args *args)
{
	return args->at < args->count ? args->words[args->at++] : NULL;
}

/**
 * ctl_end - see that every word was taken
 * @ctl: the call
 * @args: the words
 *
 * Return: CTL_OK, or CTL_USAGE after telling of the first left over.
 */
int ctl_end(struct ctl *ctl, struct ctl_args *args)
{
	if (args->at < args->count)
		return ctl_usage(ctl, "%s: one word too many", args->words[args->at]);
	return CTL_OK;
}

static void help_object(FILE *out, const struct ctl_object *object)
{
	const struct ctl_command *command;

	for (command = object->commands; command->name; command++)
		usage_print(out, object->name, command->name, command->usage);
	if (object->details)
		fputs(object->details, out);
}

static void help_all(FILE *out)
{
	size_t i;

	fputs("torusctl [-j|--json] [-p|--pretty] [-s|--statistics] OBJECT COMMAND\n"
	      "torusctl -V|--version\n\n", out);
	for (i = 0; i < ARRAY_SIZE(objects); i++)
		fprintf(out, "  %-8s %s\n", objects[i]->name, objects[i]->help);
	fputs("\ntorusctl OBJECT help tells more. Objects and commands may be abbreviated.\n", out);
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

static const struct ctl_object *find_object(struct ctl *ctl, const char *word)
{
	const struct ctl_object *found = NULL;
	char all[256] = "";
	char many[256] = "";
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		add_name(all, sizeof(all), objects[i]->name);
		if (!strcmp(word, objects[i]->name))
			return objects[i];
		if (!abbreviates(word, objects[i]->name))
			continue;
		found = objects[i];
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

static const struct ctl_command *find_command(struct ctl *ctl, const struct ctl_object *object,
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
	if (count)
		ctl_bad(ctl, "command \"%s\" may be any of: %s", word, many);
	else
		ctl_bad(ctl, "unknown command \"%s\" (there are: %s)", word, all);
	return NULL;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "help") || !strcmp(word, "-h") || !strcmp(word, "--help");
}

static int run_object(struct ctl *ctl, const struct ctl_object *object, struct ctl_args *args)
{
	const struct ctl_command *command = object->commands;
	const char *word = args->at < args->count ? args->words[args->at] : NULL;
	bool alone = !*command->name;

	ctl->object = object->name;
	ctl->usage = command->usage;
	if (word && is_help(word)) {
		help_object(stdout, object);
		return CTL_OK;
	}
	if (!alone) {
		word = word ? ctl_next(args) : object->fallback;
		if (!word) {
			ctl_bad(ctl, "a command is missing");
			help_object(stderr, object);
			return CTL_USAGE;
		}
		command = find_command(ctl, object, word);
		if (!command)
			return CTL_USAGE;
		ctl->command = command->name;
		ctl->usage = command->usage;
		if (args->at < args->count && is_help(args->words[args->at])) {
			usage_print(stdout, object->name, command->name, command->usage);
			return CTL_OK;
		}
	}
	return command->run(ctl, args);
}

static bool take_letters(struct ctl *ctl, const char *letters)
{
	if (!*letters || letters[strspn(letters, "jps")])
		return false;
	ctl->json = ctl->json || strchr(letters, 'j');
	ctl->pretty = ctl->pretty || strchr(letters, 'p');
	ctl->statistics = ctl->statistics || strchr(letters, 's');
	return true;
}

static bool take_option(struct ctl *ctl, const char *word)
{
	if (!strcmp(word, "--json"))
		ctl->json = true;
	else if (!strcmp(word, "--pretty"))
		ctl->pretty = true;
	else if (!strcmp(word, "--statistics"))
		ctl->statistics = true;
	else
		return word[0] == '-' && take_letters(ctl, word + 1);
	return true;
}

/* Options of the whole call may stand anywhere: they are taken out of the words. */
static void take_options(struct ctl *ctl, struct ctl_args *args)
{
	int kept = 0;
	int i;

	for (i = 0; i < args->count; i++)
		if (!take_option(ctl, args->words[i]))
			args->words[kept++] = args->words[i];
	args->count = kept;
}

static int run(struct ctl *ctl, struct ctl_args *args)
{
	const struct ctl_object *object;
	const char *word;

	take_options(ctl, args);
	word = ctl_next(args);
	if (!word) {
		help_all(stderr);
		return CTL_USAGE;
	}
	if (!strcmp(word, "-V") || !strcmp(word, "--version")) {
		printf(VERSION, TORUS_ABI_VERSION);
		return CTL_OK;
	}
	if (is_help(word)) {
		help_all(stdout);
		return CTL_OK;
	}
	if (*word == '-')
		return ctl_bad(ctl, "unknown option %s (there are: -j -p -s -V -h)", word);
	object = find_object(ctl, word);
	return object ? run_object(ctl, object, args) : CTL_USAGE;
}

int main(int argc, char **argv)
{
	struct ctl_args args = { .words = argv + 1, .count = argc > 0 ? argc - 1 : 0 };
	struct ctl ctl = { .json = false };
	int status;

	status = run(&ctl, &args);
	torus_nl_free(ctl.nl);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "torusctl: cannot write the answer: %s\n", strerror(errno));
		status = status ? status : CTL_FAILED;
	}
	return status;
}
