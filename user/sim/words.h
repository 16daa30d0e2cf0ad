/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_WORDS_H
#define TORUS_SIM_WORDS_H

#include <stdbool.h>

#include "core/env.h"

/*
 * Words into values.  Each function answers whether the word makes sense, and
 * tells the word and the reason if not.
 */

/**
 * struct sim_list - the numbers of a shape or of coordinates
 * @count: how many
 * @numbers: they
 */
struct sim_list {
	u32 count;
	u32 numbers[TORUS_DIMS_MAX];
};

bool word_number(const char *what, const char *word, u64 min, u64 max, u64 *value);
bool word_fraction(const char *what, const char *word, u32 max, u64 *value);
bool word_sizes(const char *word, u32 *min, u32 *max);
bool word_shape(const char *what, const char *word, struct sim_list *shape);
bool word_coords(const char *what, const char *word, struct sim_list *coords);
bool word_mesh(const char *word, u32 *mesh);

#endif /* TORUS_SIM_WORDS_H */
