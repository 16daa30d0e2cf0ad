/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_REPORT_HEAT_H
#define TORUS_REPORT_HEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct report_heat - something of each node, as a map
 * @ndims: dimensions
 * @dims: their lengths
 * @value: from 0 to 1, of the node with this index (first dimension fastest), of map @map; NaN
 *         where there is nothing.  Of links a map is a dimension
 * @arg: whatever @value needs
 * @columns: columns of a line of text; 0: the default
 * @directions: of links a map is a direction instead
 * @none: says why a link has no value: "no link"
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

#endif /* TORUS_REPORT_HEAT_H */
