/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of a machine: a value of each node or link, as text or as an SVG picture. */
#ifndef TORUS_REPORT_HEATMAP_H
#define TORUS_REPORT_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct report_heat - values of one or several maps
 * @dims: lengths of the dimensions
 * @value: function that returns the value of a node in map number @map: from 0 to 1, or NaN if the
 *    node has no value. @node is an index in which the first dimension counts fastest. There is one
 *    map of links per dimension or per direction
 * @arg: argument of @value
 * @columns: columns of a line of text; 0: the default
 * @directions: true if there is one map of links per direction, not per dimension
 * @none: reason why a node has no value, like "no link"
 */
struct report_heat {
	unsigned int ndims;
	const uint32_t *dims;
	double (*value)(const struct report_heat *heat, uint32_t node, unsigned int map);
	const void *arg;
	unsigned int columns;
	bool directions;
	const char *none;
};

void report_heat_map(FILE *out, const struct report_heat *heat, unsigned int map);
void report_heat_links(FILE *out, const struct report_heat *heat, const char *what);
void report_heat_picture(FILE *out, const struct report_heat *heat, const char *title,
			 const char *scale);

#endif /* TORUS_REPORT_HEATMAP_H */
