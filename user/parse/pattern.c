// SPDX-License-Identifier: GPL-2.0
/* Names of the traffic patterns of the core, as in `torus-sim run --pattern`. */
#include <stdio.h>
#include <string.h>

#include "core/workload/timed.h"
#include "pattern.h"
#include "parse.h"

static const char *const names[TORUS_PATTERN_MAX] = {
	[TORUS_PATTERN_UNIFORM] = "uniform",
	[TORUS_PATTERN_ALLTOALL] = "alltoall",
	[TORUS_PATTERN_ALLTOALL_LINE] = "alltoall-line",
	[TORUS_PATTERN_ALLTOALL_PLANE] = "alltoall-plane",
	[TORUS_PATTERN_HOTREGION] = "hotregion",
	[TORUS_PATTERN_NEIGHBOR] = "neighbor",
	[TORUS_PATTERN_TRANSPOSE] = "transpose",
	[TORUS_PATTERN_BITCOMP] = "bitcomp",
	[TORUS_PATTERN_TORNADO] = "tornado",
	[TORUS_PATTERN_LINEFILL] = "linefill",
	[TORUS_PATTERN_PLANEFILL] = "planefill",
	[TORUS_PATTERN_TABLE] = PARSE_FILE "NAME",
	[TORUS_PATTERN_BITREV] = "bitrev",
	[TORUS_PATTERN_SHUFFLE] = "shuffle",
	[TORUS_PATTERN_PERMUTATION] = "permutation",
	[TORUS_PATTERN_STENCIL] = "stencil",
	[TORUS_PATTERN_HOTSPOT] = "hotspot",
};

/**
 * parse_pattern_file - get the file name in a pattern's name
 * @name: "file:NAME", or another pattern
 *
 * Return: NAME; NULL if @name is another pattern, or if NAME is empty.
 */
const char *parse_pattern_file(const char *name)
{
	size_t length = strlen(PARSE_FILE);

	return !strncmp(name, PARSE_FILE, length) && name[length] ? name + length : NULL;
}

/**
 * parse_pattern_timed - get the file name in the pattern of packets at given ticks
 * @name: "timed:NAME", or another pattern
 *
 * Return: NAME; NULL if @name is another pattern, or if NAME is empty.
 */
const char *parse_pattern_timed(const char *name)
{
	size_t length = strlen(PARSE_TIMED);

	return !strncmp(name, PARSE_TIMED, length) && name[length] ? name + length : NULL;
}

/**
 * parse_pattern - parse the name of a pattern
 * @name: "uniform" or another name, or "file:NAME"; "timed:NAME" is rejected
 * @pattern: [out] enum torus_pattern
 * @why: [out] reason for a rejection
 *
 * Return: false if there is no pattern with that name.
 */
bool parse_pattern(const char *name, uint32_t *pattern, struct parse_error *why)
{
	char list[256];
	uint32_t i;

	if (parse_pattern_file(name)) {
		*pattern = TORUS_PATTERN_TABLE;
		return true;
	}
	if (parse_pattern_timed(name))
		return parse_fail(why, "pattern %s: only `torus-sim run` accepts " PARSE_TIMED
				  "NAME, without --replicate", name);
	for (i = 0; i < TORUS_PATTERN_MAX; i++) {
		if (strcmp(name, names[i]))
			continue;
		*pattern = i;
		return true;
	}
	parse_pattern_list(list, sizeof(list));
	return parse_fail(why, "pattern %s: unknown name (there are: %s)", name,
			  list);
}

/**
 * parse_pattern_name - get the name of a pattern
 * @pattern: enum torus_pattern
 *
 * Return: its name, or "unknown" for an invalid number.
 */
const char *parse_pattern_name(uint32_t pattern)
{
	return pattern < TORUS_PATTERN_MAX ? names[pattern] : "unknown";
}

/**
 * parse_pattern_each - get the unit of a closed loop's packet count
 * @pattern: enum torus_pattern; TORUS_PATTERN_TIMED for timed:NAME
 *
 * Return: text that follows the number, such as "a pair".
 */
const char *parse_pattern_each(uint32_t pattern)
{
	switch (pattern) {
	case TORUS_PATTERN_TIMED:
		return "in total";
	case TORUS_PATTERN_ALLTOALL:
	case TORUS_PATTERN_ALLTOALL_LINE:
	case TORUS_PATTERN_ALLTOALL_PLANE:
	case TORUS_PATTERN_HOTREGION:
	case TORUS_PATTERN_TABLE:
		return "a pair";
	case TORUS_PATTERN_LINEFILL:
	case TORUS_PATTERN_PLANEFILL:
		return "a root";
	}
	return "a node";
}

/**
 * parse_pattern_list - list all pattern names, for messages
 * @text: [out] names, separated by blanks
 * @size: size of @text in bytes
 *
 * Return: length of @text without the NUL.
 */
size_t parse_pattern_list(char *text, size_t size)
{
	size_t used = 0;
	uint32_t i;

	for (i = 0; i < TORUS_PATTERN_MAX && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s", i ? " " : "", names[i]);
	return used < size ? used : size - 1;
}
