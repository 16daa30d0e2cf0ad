// SPDX-License-Identifier: GPL-2.0
/*
 * Maps of a machine as text, a letter a node.
 *
 * The first dimension runs to the right, the second downwards; planes of the others stand side
 * by side, in as many lines as the width asks for.
 */
#include <math.h>
#include <string.h>

#include "../words/words.h"
#include "heat.h"

#define WIDTH	96	/* columns of a line of planes by default */

/**
 * report_heat_label - where a plane is
 * @ndims: dimensions
 * @dims: their lengths
 * @plane: number of the plane, the third dimension fastest
 * @text: gets it
 *
 * Return: @text, "z=1 a=0"; of the only one nothing.
 */
const char *report_heat_label(unsigned int ndims, const uint32_t *dims, uint32_t plane,
			      char text[REPORT_HEAT_LABEL_MAX])
{
	char name[WORD_DIM_MAX];
	size_t used = 0;
	unsigned int dim;

	text[0] = '\0';
	for (dim = 2; dim < ndims && used < REPORT_HEAT_LABEL_MAX; dim++) {
		used += (size_t)snprintf(text + used, REPORT_HEAT_LABEL_MAX - used, "%s%s=%u",
					 dim > 2 ? " " : "", word_dim_name(dim, name, sizeof(name)),
					 plane % dims[dim]);
		plane /= dims[dim];
	}
	return text;
}

/* Tenths; . where there was hardly anything, - where there is nothing. */
static char letter(double value)
{
	if (isnan(value))
		return '-';
	if (value < 0.01)
		return '.';
	return value < 1 ? (char)('0' + (int)(10 * value)) : '9';
}

/* Planes side by side, from @first on, each @width wide. */
static void planes(FILE *out, const struct report_heat *heat, unsigned int map, uint32_t first,
		   uint32_t n, uint32_t width, bool labels)
{
	uint32_t wide = heat->dims[0], high = heat->ndims > 1 ? heat->dims[1] : 1, i, x, y;
	char label[REPORT_HEAT_LABEL_MAX];

	for (i = first; i < first + n && labels; i++)
		fprintf(out, "  %-*s", (int)width,
			report_heat_label(heat->ndims, heat->dims, i, label));
	fputs(labels ? "\n" : "", out);
	for (y = 0; y < high; y++) {
		for (i = first; i < first + n; i++) {
			fputs("  ", out);
			for (x = 0; x < wide; x++)
				fputc(letter(heat->value(heat, (i * high + y) * wide + x, map)),
				      out);
			fprintf(out, "%*s", (int)(width - wide), "");
		}
		fputc('\n', out);
	}
}

/**
 * report_heat_map - a map
 * @out: where
 * @heat: of what
 * @map: which
 */
void report_heat_map(FILE *out, const struct report_heat *heat, unsigned int map)
{
	char label[REPORT_HEAT_LABEL_MAX];
	uint32_t all = 1, width, line, i;
	unsigned int dim;

	for (dim = 2; dim < heat->ndims; dim++)
		all *= heat->dims[dim];
	width = (uint32_t)strlen(report_heat_label(heat->ndims, heat->dims, all - 1, label));
	width = width > heat->dims[0] ? width : heat->dims[0];
	line = (heat->columns ? heat->columns : WIDTH) / (width + 2);
	line = line ? line : 1;
	for (i = 0; i < all; i += line)
		planes(out, heat, map, i, all - i < line ? all - i : line, width, all > 1);
}

/**
 * report_heat_links - how busy links are, a map for each dimension that has any
 * @out: where
 * @heat: the mean of a node's two links of a dimension
 * @of: of what, as in "tenths of the window's ticks"
 */
void report_heat_links(FILE *out, const struct report_heat *heat, const char *of)
{
	char name[WORD_DIM_MAX];
	unsigned int dim;

	fprintf(out, "links busy, in tenths of the %s (mean of a node's two links): 0 below 10 %%, "
		"9 from\n90 %% on, . below 1 %%, - no link; x to the right, y downwards\n", of);
	for (dim = 0; dim < heat->ndims; dim++) {
		if (heat->dims[dim] < 2)
			continue;
		fprintf(out, "%s links\n", word_dim_name(dim, name, sizeof(name)));
		report_heat_map(out, heat, dim);
	}
}
