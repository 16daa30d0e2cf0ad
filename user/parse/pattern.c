// SPDX-License-Identifier: GPL-2.0
/* Names of the core's workloads, as in `torus-sim run --pattern`. */
#include <stdio.h>
#include <string.h>

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
 * parse_pattern_file - the file that a pattern's name names
 * @name: "file:NAME", or another pattern
 *
 * Return: NAME, or NULL for another pattern and where NAME is empty.
 */
const char *parse_pattern_file(const char *name)
{
	size_t length = strlen(PARSE_FILE);

	return !strncmp(name, PARSE_FILE, length) && name[length] ? name + length : NULL;
}

/**
 * parse_pattern - a pattern by its name
 * @name: "uniform", ... or "file:" with the name of a file behind it
 * @pattern: gets enum torus_pattern
 * @why: gets the reason
 *
 * Return: whether there is one of that name.
 */
bool parse_pattern(const char *name, __u32 *pattern, struct parse_error *why)
{
	char list[256];
	__u32 i;

	if (parse_pattern_file(name)) {
		*pattern = TORUS_PATTERN_TABLE;
		return true;
	}
	for (i = 0; i < TORUS_PATTERN_MAX; i++) {
		if (strcmp(name, names[i]))
			continue;
		*pattern = i;
		return true;
	}
	parse_pattern_list(list, sizeof(list));
	return parse_fail(why, "pattern %s: there is none of that name (there are: %s)", name,
			  list);
}

/**
 * parse_pattern_name - the name of a pattern
 * @pattern: enum torus_pattern
 *
 * Return: its name, "unknown" for a number that is none.
 */
const char *parse_pattern_name(__u32 pattern)
{
	return pattern < TORUS_PATTERN_MAX ? names[pattern] : "unknown";
}

/**
 * parse_pattern_each - what the number of packets of a closed loop counts
 * @pattern: enum torus_pattern
 *
 * Return: the words behind that number.
 */
const char *parse_pattern_each(__u32 pattern)
{
	switch (pattern) {
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
 * parse_pattern_list - all names in a line, for messages
 * @text: gets them
 * @size: bytes of @text
 *
 * Return: bytes written, without the NUL.
 */
size_t parse_pattern_list(char *text, size_t size)
{
	size_t used = 0;
	__u32 i;

	for (i = 0; i < TORUS_PATTERN_MAX && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s", i ? " " : "", names[i]);
	return used < size ? used : size - 1;
}
