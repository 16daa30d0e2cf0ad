// SPDX-License-Identifier: GPL-2.0
/*
 * --heatmap: how busy the links of each node were, a map for each dimension.
 *
 * The first dimension runs to the right, the second downwards; planes of the others stand side
 * by side, in as many lines as the width asks for.
 */
#include <math.h>
#include <string.h>

#include "../report/heat.h"
#include "../words/words.h"
#include "core/base/geometry.h"
#include "out.h"
#include "sim.h"
#include "use.h"

#define PICTURE_WIDTH	1100	/* of a line of planes, in points, unless one plane is wider */
#define CELL_MAX	14
#define CELL_MIN	3
#define GAP		12	/* between planes */
#define LABEL		16	/* above them */
#define LEGEND		50	/* below all */
#define STEPS		50	/* of the legend's bar */

/**
 * struct heat - a map
 * @use: what it is of
 * @geo: the machine
 * @wide: nodes of a plane, to the right
 * @high: downwards
 * @planes: how many
 */
struct heat {
	const struct sim_use *use;
	const struct torus_geometry *geo;
	u32 wide;
	u32 high;
	u32 planes;
};

static u32 heat_node(const struct heat *heat, u32 plane, u32 x, u32 y)
{
	/* the first dimension is counted fastest */
	return (plane * heat->high + y) * heat->wide + x;
}

/* Has any node a link of a dimension? */
static bool heat_has(const struct heat *heat, u32 dim)
{
	return heat->geo->dims[dim] > 1;
}

/* ----------------------------------------------------------------------- text */

static double text_value(const struct report_heat *text, uint32_t node, unsigned int dim)
{
	const struct heat *heat = text->arg;

	return sim_use_of(heat->use, node, dim);
}

static void write_text(FILE *out, const struct heat *heat)
{
	const struct report_heat text = {
		.ndims = heat->geo->ndims, .dims = heat->geo->dims, .value = text_value,
		.arg = heat,
	};

	report_heat_links(out, &text, "window's ticks");
}

/* -------------------------------------------------------------------- picture */

/* From white, idle, over orange to dark red, always busy. */
static void write_colour(FILE *out, double use)
{
	double low, high;

	use = use < 1 ? use : 1;
	low = use < 0.5 ? 2 * use : 1;
	high = use < 0.5 ? 0 : 2 * use - 1;
	fprintf(out, "fill='#%02x%02x%02x'", (int)(255 - 135 * high),
		(int)(255 - 110 * low - 145 * high), (int)(255 - 215 * low - 20 * high));
}

static void draw_cell(FILE *out, const struct heat *heat, u32 dim, u32 node, u32 left, u32 top,
		      u32 cell)
{
	double use = sim_use_of(heat->use, node, dim);
	char text[WORD_COORDS_MAX];

	torus_geometry_text(heat->geo, node, text, sizeof(text));
	fprintf(out, "<rect x='%u' y='%u' width='%u' height='%u' ", left, top, cell, cell);
	if (isnan(use)) {
		fprintf(out, "fill='#cccccc'><title>%s: no link</title></rect>\n", text);
		return;
	}
	write_colour(out, use);
	fprintf(out, "><title>%s: %.2f %%</title></rect>\n", text, 100 * use);
}

static void draw_legend(FILE *out, u32 top)
{
	u32 i;

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
	fprintf(out, "<text x='%u' y='%u'>%% of the window's ticks in which links were busy, mean "
		"of a node's two</text>\n", GAP + 4 * STEPS + 20, top + 10);
	fprintf(out, "<text x='%u' y='%u'>x to the right, y downwards; grey: no link</text>\n",
		GAP + 4 * STEPS + 20, top + 24);
}

static void draw_dimension(FILE *out, const struct heat *heat, u32 dim, u32 top, u32 cell,
			   u32 line, u32 width)
{
	char label[REPORT_HEAT_LABEL_MAX], name[WORD_DIM_MAX];
	u32 plane, x, y;

	fprintf(out, "<text x='%u' y='%u' font-weight='bold'>%s links</text>\n", GAP, top + 12,
		word_dim_name(dim, name, sizeof(name)));
	for (plane = 0; plane < heat->planes; plane++) {
		u32 left = GAP + plane % line * width;
		u32 at = top + 2 * LABEL + plane / line * (heat->high * cell + LABEL + GAP);

		fprintf(out, "<text x='%u' y='%u'>%s</text>\n", left, at - 3,
			report_heat_label(heat->geo->ndims, heat->geo->dims, plane, label));
		fprintf(out, "<rect x='%u' y='%u' width='%u' height='%u' fill='none' "
			"stroke='#888888'/>\n", left - 1, at - 1, heat->wide * cell + 2,
			heat->high * cell + 2);
		for (y = 0; y < heat->high; y++)
			for (x = 0; x < heat->wide; x++)
				draw_cell(out, heat, dim, heat_node(heat, plane, x, y),
					  left + x * cell, at + y * cell, cell);
	}
}

static void write_picture(FILE *out, const struct heat *heat)
{
	const struct torus_fabric *f = heat->use->fabric;
	char shape[WORD_SHAPE_MAX], label[REPORT_HEAT_LABEL_MAX];
	u32 cell = PICTURE_WIDTH / heat->wide, width, line, block, dims = 0, dim, top;

	cell = cell < CELL_MAX ? cell : CELL_MAX;
	cell = cell > CELL_MIN ? cell : CELL_MIN;
	/* a letter takes 7 points */
	width = 7 * (u32)strlen(report_heat_label(heat->geo->ndims, heat->geo->dims,
						heat->planes - 1, label));
	width = (width > heat->wide * cell ? width : heat->wide * cell) + GAP;
	line = PICTURE_WIDTH / width ? PICTURE_WIDTH / width : 1;
	line = line < heat->planes ? line : heat->planes;
	block = 2 * LABEL + (heat->planes + line - 1) / line * (heat->high * cell + LABEL + GAP);
	for (dim = 0; dim < heat->geo->ndims; dim++)
		dims += heat_has(heat, dim);
	fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%u' height='%u' "
		"font-family='sans-serif' font-size='12'>\n"
		"<rect width='100%%' height='100%%' fill='white'/>\n"
		"<text x='%u' y='16'>%s %s, ticks %llu to %llu</text>\n",
		GAP + (line * width > 660 ? line * width : 660), 24 + dims * block + LEGEND, GAP,
		f->arch->name, torus_geometry_shape(heat->geo, shape, sizeof(shape)),
		heat->use->started, torus_fabric_clock(heat->use->fabric));
	for (dim = 0, top = 24; dim < heat->geo->ndims; dim++) {
		if (!heat_has(heat, dim))
			continue;
		draw_dimension(out, heat, dim, top, cell, line, width);
		top += block;
	}
	draw_legend(out, top + GAP);
	fputs("</svg>\n", out);
}

/**
 * sim_heat_write - write how busy links were, as a map
 * @use: what they did, after the run
 * @path: the file: "-" is standard output; a picture if it ends in .svg, else text
 *
 * Return: SIM_OK, or SIM_FAILED after telling why.
 */
int sim_heat_write(const struct sim_use *use, const char *path)
{
	FILE *out = sim_out_open("--heatmap", path);
	const struct torus_geometry *geo = &use->fabric->cfg.geo;
	const char *end = strrchr(path, '.');
	struct heat heat = {
		.use = use, .geo = geo, .wide = geo->dims[0],
		.high = geo->ndims > 1 ? geo->dims[1] : 1,
	};

	if (!out)
		return SIM_FAILED;
	heat.planes = geo->nodes / (heat.wide * heat.high);
	(end && !strcmp(end, ".svg") ? write_picture : write_text)(out, &heat);
	return sim_out_close(out, "--heatmap", path);
}
