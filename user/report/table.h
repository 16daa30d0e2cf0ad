/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_REPORT_TABLE_H
#define TORUS_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/torus.h>

#define PATTERN_WHY_MAX	512	/* bytes of a reason */

/**
 * struct pattern_table - a pattern from a file
 * @pairs: who sends to whom
 * @count: how many
 */
struct pattern_table {
	struct torus_pair *pairs;
	uint32_t count;
};

/**
 * struct pattern_shape - what a node's number and coordinates are read against
 * @ndims: dimensions
 * @dims: their lengths
 * @order: order in which numbers run through the dimensions, fastest first; NULL: as
 *         they stand
 * @nodes: numbers are below this
 */
struct pattern_shape {
	unsigned int ndims;
	const uint32_t *dims;
	const unsigned int *order;
	uint32_t nodes;
};

bool pattern_table_read(struct pattern_table *table, const char *name,
			const struct pattern_shape *shape, char *why);
void pattern_table_free(struct pattern_table *table);

#endif /* TORUS_REPORT_TABLE_H */
