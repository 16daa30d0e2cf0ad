/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_REPORT_HEAT_H
#define TORUS_REPORT_HEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define REPORT_HEAT_LABEL_MAX	64	/* bytes that hold any plane's label */

/**
 * struct report_heat - something of each node, as a map
 * @ndims: dimensions
 * @dims: their lengths
 * @value: from 0 to 1, of the node with this index (first dimension fastest), of map @map; NaN
 *         where there is nothing.  Of links a map is a dimension
 * @arg: whatever @value needs
 * @columns: columns of a line; 0: the default
 */
struct report_heat {
	unsigned int ndims;
	const uint32_t *dims;
	double (*value)(const struct report_heat *heat, uint32_t node, unsigned int map);
	const void *arg;
	unsigned int columns;
};

const char *report_heat_label(unsigned int ndims, const uint32_t *dims, uint32_t plane,
			      char text[REPORT_HEAT_LABEL_MAX]);
void report_heat_map(FILE *out, const struct report_heat *heat, unsigned int map);
void report_heat_links(FILE *out, const struct report_heat *heat, const char *of);

#endif /* TORUS_REPORT_HEAT_H */
