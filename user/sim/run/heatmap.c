// SPDX-License-Identifier: GPL-2.0
/* The option --heatmap: utilization of each node's links, one map per dimension. */
#include <string.h>

#include "../../report/heatmap.h"
#include "../../parse/parse.h"
#include "core/base/geometry.h"
#include "heatmap.h"
#include "../base/output_file.h"
#include "../base/message.h"
#include "link_usage.h"

static double value(const struct report_heat *heat, u32 node, unsigned int dim)
{
	return sim_link_usage_of(heat->arg, node, dim);
}

static void write_picture(FILE *out, const struct report_heat *heat)
{
	const struct sim_link_usage *use = heat->arg;
	char shape[PARSE_SHAPE_MAX], title[PARSE_SHAPE_MAX + 80];

	snprintf(title, sizeof(title), "%s %s, ticks %llu to %llu", use->fabric->arch->name,
		 torus_geometry_shape(&use->fabric->cfg.geo, shape, sizeof(shape)), use->started,
		 torus_fabric_clock(use->fabric));
	report_heat_picture(out, heat, title,
			    "of the window's ticks in which links were busy, mean of a node's two");
}

/**
 * sim_heatmap_write - write a map of the utilization of links
 * @use: counters of the links, after the run
 * @path: the file: "-" is standard output; .svg selects a picture, else text
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_heatmap_write(const struct sim_link_usage *use, const char *path)
{
	FILE *out = sim_output_open("--heatmap", path);
	const struct torus_geometry *geo = &use->fabric->cfg.geo;
	const char *end = strrchr(path, '.');
	const struct report_heat heat = {
		.ndims = geo->ndims, .dims = geo->dims, .value = value, .arg = use,
		.none = "no link",
	};

	if (!out)
		return SIM_FAILED;
	if (end && !strcmp(end, ".svg"))
		write_picture(out, &heat);
	else
		report_heat_links(out, &heat, "links busy, in tenths of the window's ticks (mean "
				  "of a node's two links)");
	return sim_output_close(out, "--heatmap", path);
}
