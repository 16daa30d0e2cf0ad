// SPDX-License-Identifier: GPL-2.0
/*
 * Print maps of a machine: as text, with a letter for each node, or as an SVG picture.
 *
 * The first dimension runs to the right, the second downwards. There is one plane for each position
 * in the other dimensions. Planes are printed side by side, in several lines if necessary.
 */
#include <math.h>
#include <string.h>

#include "../parse/shape.h"
#include "../parse/parse.h"
#include "heatmap.h"

#define LABEL_MAX	64	/* maximum bytes of a plane's label */
#define WIDTH		96	/* width of a line of planes in columns, by default */
/* width of a line of planes in points; a wider plane gets a line of its own */
#define PICTURE_WIDTH	1100
#define CELL_MAX	14
#define CELL_MIN	3
#define GAP		12	/* distance between planes */
#define LABEL		16	/* height of the label above a plane, in points */
#define LEGEND		50	/* height of the legend below all planes, in points */
#define STEPS		50	/* number of colours in the bar of the legend */

/*
 * Write the position of a plane, like "z=1 a=0", into @text. The third dimension counts fastest. If
 * there are at most two dimensions, the label is "".
 */
static const char *label(const struct report_heat *heat, uint32_t plane, char text[LABEL_MAX])
{
	char name[PARSE_DIM_MAX];
	size_t used = 0;
	unsigned int dim;

	text[0] = '\0';
	for (dim = 2; dim < heat->ndims && used < LABEL_MAX; dim++) {
		used += (size_t)snprintf(text + used, LABEL_MAX - used, "%s%s=%u",
					 dim > 2 ? " " : "", parse_dim_name(dim, name,
									    sizeof(name)),
					 plane % heat->dims[dim]);
		plane /= heat->dims[dim];
	}
	return text;
}

static uint32_t plane_height(const struct report_heat *heat)
{
	return heat->ndims > 1 ? heat->dims[1] : 1;
}

static uint32_t plane_count(const struct report_heat *heat)
{
	uint32_t all = 1;
	unsigned int dim;

	for (dim = 2; dim < heat->ndims; dim++)
		all *= heat->dims[dim];
	return all;
}

/* Count the maps of links, including the maps of dimensions without links. */
static unsigned int link_maps(const struct report_heat *heat)
{
	return heat->directions ? 2 * heat->ndims : heat->ndims;
}

/* Write the name of a map of links.  Return: NULL if its dimension has no links. */
static const char *link_name(const struct report_heat *heat, unsigned int map,
			     char text[PARSE_DIR_MAX])
{
	if (heat->dims[heat->directions ? map / 2 : map] < 2)
		return NULL;
	return heat->directions ? parse_dir_name(map, text, PARSE_DIR_MAX) :
				  parse_dim_name(map, text, PARSE_DIR_MAX);
}

/* ----------------------------------------------------------------------- text */

/*
 * Convert a value to its letter. The letter is the number of tenths; '.' for values below 0.01; '-'
 * if there is no value.
 */
static char letter(double value)
{
	if (isnan(value))
		return '-';
	if (value < 0.01)
		return '.';
	return value < 1 ? (char)('0' + (int)(10 * value)) : '9';
}

/* Print @n planes side by side, beginning with plane @first. Each plane has @width columns. */
static void planes(FILE *out, const struct report_heat *heat, unsigned int map, uint32_t first,
		   uint32_t n, uint32_t width, bool labels)
{
	uint32_t wide = heat->dims[0], high = plane_height(heat), i, x, y;
	char text[LABEL_MAX];

	for (i = first; i < first + n && labels; i++)
		fprintf(out, "  %-*s", (int)width, label(heat, i, text));
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
 * report_heat_map - print one map
 * @out: the file
 * @heat: the values
 * @map: number of the map
 */
void report_heat_map(FILE *out, const struct report_heat *heat, unsigned int map)
{
	uint32_t all = plane_count(heat), width, line, i;
	char text[LABEL_MAX];

	width = (uint32_t)strlen(label(heat, all - 1, text));
	width = width > heat->dims[0] ? width : heat->dims[0];
	line = (heat->columns ? heat->columns : WIDTH) / (width + 2);
	line = line ? line : 1;
	for (i = 0; i < all; i += line)
		planes(out, heat, map, i, all - i < line ? all - i : line, width, all > 1);
}

/**
 * report_heat_links - print a value of links, one map for each dimension or direction that has
 * links
 * @out: the file
 * @heat: the values
 * @what: title, which ends with the unit of the digits, like "VC balance, in tenths"
 */
void report_heat_links(FILE *out, const struct report_heat *heat, const char *what)
{
	char text[PARSE_DIR_MAX];
	const char *name;
	unsigned int map;

	fprintf(out, "%s: 0 below 10 %%, 9 from\n90 %% on, . below 1 %%, - %s; x to the right, "
		"y downwards\n", what, heat->none);
	for (map = 0; map < link_maps(heat); map++) {
		name = link_name(heat, map, text);
		if (!name)
			continue;
		fprintf(out, "%s links\n", name);
		report_heat_map(out, heat, map);
	}
}

/* -------------------------------------------------------------------- picture */

/* Write the colour of a value: 0 is white, 0.5 orange, 1 dark red. */
static void write_colour(FILE *out, double value)
{
	double low, high;

	value = value < 1 ? value : 1;
	low = value < 0.5 ? 2 * value : 1;
	high = value < 0.5 ? 0 : 2 * value - 1;
	fprintf(out, "fill='#%02x%02x%02x'", (int)(255 - 135 * high),
		(int)(255 - 110 * low - 145 * high), (int)(255 - 215 * low - 20 * high));
}

static void draw_cell(FILE *out, const struct report_heat *heat, unsigned int map, uint32_t node,
		      uint32_t left, uint32_t top, uint32_t cell)
{
	double value = heat->value(heat, node, map);
	unsigned int dim;

	fprintf(out, "<rect x='%u' y='%u' width='%u' height='%u' ", left, top, cell, cell);
	if (isnan(value))
		fputs("fill='#cccccc'", out);
	else
		write_colour(out, value);
	fputs("><title>", out);
	for (dim = 0; dim < heat->ndims; node /= heat->dims[dim++])
		fprintf(out, dim ? ",%u" : "%u", node % heat->dims[dim]);
	if (isnan(value))
		fprintf(out, ": %s", heat->none);
	else
		fprintf(out, ": %.2f %%", 100 * value);
	fputs("</title></rect>\n", out);
}

static void draw_legend(FILE *out, const struct report_heat *heat, const char *scale, uint32_t top)
{
	uint32_t i;

	for (i = 0; i < STEPS; i++) {
		fprintf(out, "<rect x='%u' y='%u' width='4' height='10' ", GAP + 4 * i, top);
		write_colour(out, (i + 0.5) / STEPS);
		fputs("/>\n", out);
	}
	fprintf(out, "<rect x='%u' y='%u' width='%u' height='10' fill='none' stroke='#888888'/>\n",
		GAP, top, 4 * STEPS);
	for (i = 0; i <= 2; i++)
		fprintf(out, "<text x='%u' y='%u' text-anchor='middle'>%u</text>\n",
			GAP + 2 * STEPS * i, top + 24, 50 * i);
	fprintf(out, "<text x='%u' y='%u'>%% %s</text>\n", GAP + 4 * STEPS + 20, top + 10, scale);
	fprintf(out, "<text x='%u' y='%u'>x to the right, y downwards; grey: %s</text>\n",
		GAP + 4 * STEPS + 20, top + 24, heat->none);
}

/*
 * Draw the planes of a map, with @line planes side by side. @top: vertical position of the map;
 * @width: width of a plane in points.
 */
static void draw_map(FILE *out, const struct report_heat *heat, unsigned int map, uint32_t top,
		     uint32_t cell, uint32_t line, uint32_t width)
{
	uint32_t wide = heat->dims[0], high = plane_height(heat), plane, x, y;
	char text[LABEL_MAX];

	for (plane = 0; plane < plane_count(heat); plane++) {
		uint32_t left = GAP + plane % line * width;
		uint32_t at = top + 2 * LABEL + plane / line * (high * cell + LABEL + GAP);

		fprintf(out, "<text x='%u' y='%u'>%s</text>\n", left, at - 3,
			label(heat, plane, text));
		fprintf(out, "<rect x='%u' y='%u' width='%u' height='%u' fill='none' "
			"stroke='#888888'/>\n", left - 1, at - 1, wide * cell + 2,
			high * cell + 2);
		for (y = 0; y < high; y++)
			for (x = 0; x < wide; x++)
				draw_cell(out, heat, map, (plane * high + y) * wide + x,
					  left + x * cell, at + y * cell, cell);
	}
}

/**
 * report_heat_picture - draw the maps of report_heat_links() as an SVG picture
 * @out: the file
 * @heat: the values
 * @title: first line of the picture
 * @scale: quantity of which the colours show the percentage
 */
void report_heat_picture(FILE *out, const struct report_heat *heat, const char *title,
			 const char *scale)
{
	uint32_t wide = heat->dims[0], planes = plane_count(heat), cell = PICTURE_WIDTH / wide;
	uint32_t width, line, block, top = 24;
	char text[LABEL_MAX], place[PARSE_DIR_MAX];
	unsigned int map, maps = 0;
	const char *name;

	cell = cell < CELL_MAX ? cell : CELL_MAX;
	cell = cell > CELL_MIN ? cell : CELL_MIN;
	/* a letter takes 7 points */
	width = 7 * (uint32_t)strlen(label(heat, planes - 1, text));
	width = (width > wide * cell ? width : wide * cell) + GAP;
	line = PICTURE_WIDTH / width ? PICTURE_WIDTH / width : 1;
	line = line < planes ? line : planes;
	block = 2 * LABEL + (planes + line - 1) / line * (plane_height(heat) * cell + LABEL + GAP);
	for (map = 0; map < link_maps(heat); map++)
		maps += !!link_name(heat, map, place);
	fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%u' height='%u' "
		"font-family='sans-serif' font-size='12'>\n"
		"<rect width='100%%' height='100%%' fill='white'/>\n"
		"<text x='%u' y='16'>%s</text>\n",
		GAP + (line * width > 660 ? line * width : 660), top + maps * block + LEGEND, GAP,
		title);
	for (map = 0; map < link_maps(heat); map++) {
		name = link_name(heat, map, place);
		if (!name)
			continue;
		fprintf(out, "<text x='%u' y='%u' font-weight='bold'>%s links</text>\n", GAP,
			top + 12, name);
		draw_map(out, heat, map, top, cell, line, width);
		top += block;
	}
	draw_legend(out, heat, scale, top + GAP);
	fputs("</svg>\n", out);
}
