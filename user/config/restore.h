/* SPDX-License-Identifier: GPL-2.0 */
/* Read a configuration file, test it in a dry run, and execute it. */
#ifndef TORUSCTL_RESTORE_H
#define TORUSCTL_RESTORE_H

#include "ctl.h"

struct config_report;

/**
 * struct restore_line - a line of a configuration file
 * @number: line number in the file
 * @words: words of the line
 * @count: number of entries in @words
 * @object: object of the line's command; NULL if the line is invalid
 * @command: command of the line
 * @makes: true if the line creates a fabric
 * @failed: true if the line should create a fabric, but could not
 * @skip: true if the fabric of the line exists already
 */
struct restore_line {
	unsigned int number;
	char **words;
	int count;
	const struct ctl_object *object;
	const struct ctl_command *command;
	bool makes;
	bool failed;
	bool skip;
};

/**
 * struct restore_file - a configuration file after its dry run
 * @name: name of the file, for messages
 * @lines: array of lines of the file
 * @count: number of entries in @lines
 * @apart: session with the fabrics of the dry run
 * @rehearsal: fabrics of the dry run in this process; NULL: they are in the module, in a temporary
 *    network namespace
 * @here: session with the module, for a dry run in this process; NULL if there is none
 */
struct restore_file {
	const char *name;
	struct restore_line *lines;
	size_t count;
	struct torus_nl *apart;
	struct rehearsal *rehearsal;
	struct torus_nl *here;
};

int restore_new(struct ctl *ctl, const char *name);
int restore_apply(struct ctl *ctl, const char *name,
		  void (*report)(const char *fabric, const char *format, ...),
		  const struct config_report *lines, bool *differ);
int restore_replace(struct ctl *ctl, const char *name,
		    void (*report)(const char *fabric, const char *format, ...),
		    const struct config_report *lines);

#endif /* TORUSCTL_RESTORE_H */
