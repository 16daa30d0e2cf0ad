/* SPDX-License-Identifier: GPL-2.0 */
/* A configuration from a file: lines that are read, tried, and then run. */
#ifndef TORUSCTL_RESTORE_H
#define TORUSCTL_RESTORE_H

#include "ctl.h"

/**
 * struct restore_line - a line of a configuration that was read from a file
 * @number: of the line in the file
 * @words: its words
 * @count: number of words
 * @object: what it is about
 * @command: what it does
 * @makes: it makes a fabric
 * @failed: the fabric that it should make cannot be made
 */
struct restore_line {
	unsigned int number;
	char **words;
	int count;
	const struct ctl_object *object;
	const struct ctl_command *command;
	bool makes;
	bool failed;
};

/**
 * struct restore_file - a configuration that was read from a file, and tried
 * @name: of the file, for messages
 * @lines: its lines
 * @count: number of lines
 * @apart: the session with a network namespace of its own, in which it was tried
 */
struct restore_file {
	const char *name;
	struct restore_line *lines;
	size_t count;
	struct torus_nl *apart;
};

int restore_new(struct ctl *ctl, const char *name);
int restore_apply(struct ctl *ctl, const char *name,
		  void (*tell)(const char *fabric, const char *format, ...));

#endif /* TORUSCTL_RESTORE_H */
