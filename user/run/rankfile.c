// SPDX-License-Identifier: GPL-2.0
/*
 * Read a file with the place of each rank. Each line that is not empty or a comment has the
 * coordinates of one rank, and may have its FIFO group.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rankfile.h"
#include "mapping.h"
#include "../parse/script_lines.h"
#include "../parse/integer.h"
#include "../parse/shape.h"

/*
 * Parse the numbers of a line, which are separated by blanks. Return how many numbers there are, or
 * -1 if a word is not a 32-bit number or if there are more than @most words.
 */
static int line_numbers(char *line, uint32_t *numbers, int most)
{
	char *word, *rest = line;
	int count = 0;
	__u64 value;

	line[strcspn(line, "#\n")] = '\0';
	while ((word = strsep(&rest, " \t\r"))) {
		if (!*word)
			continue;
		if (count == most || !parse_part(word, word + strlen(word), &value) || value > ~0u)
			return -1;
		numbers[count++] = value;
	}
	return count;
}

static bool line_place(struct run_places *places, const struct run_fabric_info *machine, char *line,
		       uint32_t group, struct parse_error *why)
{
	const struct torus_ioc_fabric *fabric = &machine->fabric;
	uint32_t numbers[TORUS_DIMS_MAX + 1];
	int ndims = fabric->ndims;
	int count = line_numbers(line, numbers, ndims + 1);
	char dim[PARSE_DIM_MAX];
	uint32_t node;
	int d;

	if (!count)
		return true;
	if (count < ndims)
		return parse_fail(why, "must be %d coordinates, or coordinates and a group", ndims);
	for (d = 0; d < ndims; d++)
		if (numbers[d] >= fabric->dims[d])
			return parse_fail(why, "%s is %u, must be in fabric %s from 0 to %u",
					  parse_dim_name(d, dim, sizeof(dim)), numbers[d],
					  fabric->name, fabric->dims[d] - 1);
	if (count > ndims)
		group = numbers[ndims];
	if (group >= machine->fabric.groups)
		return parse_fail(why, "group %u: a node of fabric %s has %u groups", group,
				  fabric->name, machine->fabric.groups);
	if (!query_number(&machine->fabric, numbers, &node))
		return parse_fail(why, "fabric %s has no node with these coordinates",
				  fabric->name);
	if (!run_places_add(places, node, group))
		return parse_fail(why, "out of memory for %zu places", places->count);
	return true;
}

/**
 * run_rankfile_read - read the places of a file
 * @places: [out] the places
 * @machine: the fabric
 * @name: name of the file
 * @group: FIFO group for lines without a group; RUN_GROUP_NONE and RUN_GROUP_ALL mean 0
 * @why: [out] error message
 *
 * Return: true, or false with @why.
 */
bool run_rankfile_read(struct run_places *places, const struct run_fabric_info *machine,
		       const char *name, uint32_t group, struct parse_error *why)
{
	struct parse_error reason;
	unsigned int number = 0;
	FILE *file = fopen(name, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	bool good = true;

	places->exact = true;
	if (group == RUN_GROUP_ALL || group == RUN_GROUP_NONE)
		group = 0;
	if (!file)
		return parse_fail(why, "map %s: must be an order of all dimensions and t, like "
				  "xyzt, or a file: %s", name, strerror(errno));
	while (good && (length = parse_line_read(file, &line, &size))) {
		number++;
		if (length == -2)
			good = parse_fail(&reason, "out of memory for the line");
		else if (length < 0)
			good = parse_fail(&reason, "the line must have at most %u bytes",
					  PARSE_LINE_MAX);
		else
			good = line_place(places, machine, line, group, &reason);
	}
	if (!good)
		parse_fail(why, "%s:%u: %.300s", name, number, reason.text);
	else if (ferror(file))
		good = parse_fail(why, "map %s: %s", name, strerror(errno));
	else if (!feof(file))
		good = parse_fail(why, "map %s:%u: out of memory for a line", name, number + 1);
	else if (!places->count)
		good = parse_fail(why, "map %s: must contain at least one place", name);
	free(line);
	fclose(file);
	return good;
}
