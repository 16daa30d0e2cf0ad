/* SPDX-License-Identifier: GPL-2.0 */
/* A call of torusctl: its options and words, and the objects and commands that it may name. */
#ifndef TORUSCTL_CTL_H
#define TORUSCTL_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../netlink/session.h"

#define CTL_OK		0
#define CTL_FAILED	1	/* the request was refused, or a check found something */
#define CTL_USAGE	2	/* what was typed makes no sense */
#define CTL_WORDS	3	/* the words make sense; the module was not to be asked */

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct ctl - one call of torusctl, or one line of a file of them
 * @json: answer as one JSON document
 * @pretty: with line breaks
 * @statistics: with the counters of each link
 * @details: with what is as it always is
 * @brief: one short line each
 * @oneline: what takes several lines in one, a backslash where each would end
 * @timestamp: events with the time of day
 * @muted: nothing is told
 * @words_only: the module is not asked
 * @force: a file goes on behind a line that failed
 * @object: what the call is about, in full
 * @command: what shall be done, in full; NULL for an object that is its own command
 * @usage: of the command
 * @file: the file that the line stands in, or NULL
 * @line: its number there
 * @nl: the session, once there is one
 */
struct ctl {
	bool json;
	bool pretty;
	bool statistics;
	bool details;
	bool brief;
	bool oneline;
	bool timestamp;
	bool force;
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
 * struct ctl_args - the words after the command
 * @words: the words
 * @count: number of words
 * @at: the next one
 */
struct ctl_args {
	char **words;
	int count;
	int at;
};

/**
 * struct ctl_command - something that can be done with an object
 * @name: its name
 * @usage: its words, for `help`; ARCH stands for the names of all machines
 * @run: do it; CTL_OK, CTL_FAILED or CTL_USAGE
 */
struct ctl_command {
	const char *name;
	const char *usage;
	int (*run)(struct ctl *ctl, struct ctl_args *args);
};

/**
 * struct ctl_object - a kind of thing
 * @name: its name
 * @help: what it is, one line
 * @details: more lines for `help`, or NULL
 * @commands: what can be done with it, ended by one without a name.  One whose
 *            name is "" stands for an object that is its own command.
 * @fallback: the command when none is given, or NULL
 */
struct ctl_object {
	const char *name;
	const char *help;
	const char *details;
	const struct ctl_command *commands;
	const char *fallback;
};

#endif /* TORUSCTL_CTL_H */
