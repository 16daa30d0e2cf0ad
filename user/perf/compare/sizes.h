/* SPDX-License-Identifier: GPL-2.0 */
/* Message lengths as values of options. */
#ifndef TORUS_PERF_COMPARE_SIZES_H
#define TORUS_PERF_COMPARE_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "../../common/option.h"

/**
 * struct sizes - lengths of messages, in the order of their measurement
 * @bytes: array of lengths, in bytes
 * @count: number of entries in @bytes
 */
struct sizes {
	uint32_t *bytes;
	unsigned int count;
};

bool sizes_add(struct sizes *sizes, uint32_t bytes);
bool size_option(void *into, const struct option_row *row, const char *word,
		 struct parse_error *why);
bool sizes_option(void *into, const struct option_row *row, const char *word,
		  struct parse_error *why);

#endif /* TORUS_PERF_COMPARE_SIZES_H */
