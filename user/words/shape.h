/* SPDX-License-Identifier: GPL-2.0 */
/* Parse dimensions, directions, shapes and coordinates. */
#ifndef TORUS_WORDS_SHAPE_H
#define TORUS_WORDS_SHAPE_H

#include "words.h"

const char *word_dim_name(unsigned int dim, char *text, size_t size);
const char *word_dir_name(unsigned int dir, char *text, size_t size);
const char *word_shape_text(unsigned int ndims, const __u32 *dims, char *text, size_t size);
bool word_shape(const char *what, const char *word, struct word_list *shape,
		struct word_why *why);
bool word_shape_nodes(const char *what, const char *word, const struct word_list *shape,
		      struct word_why *why);
bool word_coords(const char *what, const char *word, struct word_list *coords,
		 struct word_why *why);
bool word_mesh(const char *word, __u32 *mesh, struct word_why *why);
bool word_dir(const char *word, __u32 *dir, struct word_why *why);

#endif
