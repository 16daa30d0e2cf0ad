/* SPDX-License-Identifier: GPL-2.0 */
/* A call of torusctl: its options and arguments, and the objects and commands that it can name. */
#ifndef TORUSCTL_CTL_H
#define TORUSCTL_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../netlink/session.h"

/* exit status; the table in torusctl(8) has the statuses of all programs */
#define CTL_OK		0
#define CTL_FAILED	1	/* the request was rejected, or a check found something */
#define CTL_USAGE	2	/* the command line or a file is wrong */
#define CTL_DEADLOCK	3	/* the workload is deadlocked */
/*
 * status of a call that checks its arguments only, never an exit status: the arguments are valid,
 * and the module was not called
 */
#define CTL_WORDS	(-1)

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct ctl - one call of torusctl, or one line of a file of calls
 * @json: print the result as one JSON document
 * @pretty: indent the JSON document
 * @statistics: include the counters of each link
 * @details: include more, such as settings that have their default value
 * @brief: print one short line per object
 * @oneline: join lines of one record; a backslash replaces each line break
 * @timestamp: print the time of day with each event
 * @quiet: print only the tick at which a step or a run has stopped
 * @muted: print no error messages and no notes
 * @words_only: check the arguments only, without a call of the module
 * @dry: the fabrics are those of a dry run
 * @apart: they are in a temporary network namespace, where nodes cannot be devices
 * @check: check a line of a configuration without a change
 * @force: continue with the next line of a file after an error
 * @object: full name of the object
 * @command: full name of the command; NULL if the object is its own command
 * @usage: arguments of the command, for messages
 * @file: name of the file that contains the call as a line, or NULL
 * @line: number of the line in @file
 * @nl: session with the module; NULL before ctl_connect()
 */
struct ctl {
	bool json;
	bool pretty;
	bool statistics;
	bool details;
	bool brief;
	bool oneline;
	bool timestamp;
	bool dry;
	bool apart;
	bool check;
	bool force;
	bool quiet;
	bool muted;
	bool words_only;
	const char *object;
	const char *command;
	const char *usage;
	const char *file;
	unsigned int line;
	struct torus_nl *nl;
};

/**
 * struct ctl_args - the arguments after the command
 * @words: the arguments
 * @count: number of arguments
 * @at: index of the next argument
 */
struct ctl_args {
	char **words;
	int count;
	int at;
};

/**
 * struct ctl_command - a command of an object
 * @name: name of the command
 * @usage: arguments of the command, for `help`; ARCH stands for the names of all machines
 * @run: function that executes the command. It returns CTL_OK, CTL_FAILED, CTL_USAGE or
 *    CTL_DEADLOCK, or CTL_WORDS if @words_only of the call is set
 */
struct ctl_command {
	const char *name;
	const char *usage;
	int (*run)(struct ctl *ctl, struct ctl_args *args);
};

/**
 * struct ctl_object - a kind of object, such as `fabric` or `link`
 * @name: name of the object
 * @help: description of the object in one line
 * @details: more lines for `help`, or NULL
 * @commands: commands of the object; an entry without a name ends the array. A command named ""
 *    makes the object its own command.
 * @fallback: name of the command that is used if the call names no command, or NULL
 */
struct ctl_object {
	const char *name;
	const char *help;
	const char *details;
	const struct ctl_command *commands;
	const char *fallback;
};

#endif /* TORUSCTL_CTL_H */
