/* SPDX-License-Identifier: GPL-2.0 */
/* Parse dimensions, directions, shapes and coordinates. */
#ifndef TORUS_PARSE_SHAPE_H
#define TORUS_PARSE_SHAPE_H

#include <stdint.h>

#include "parse.h"

const char *parse_dim_name(unsigned int dim, char *text, size_t size);
const char *parse_dir_name(unsigned int dir, char *text, size_t size);
const char *parse_shape_text(unsigned int ndims, const uint32_t *dims, char *text, size_t size);
bool parse_shape(const char *what, const char *word, struct parse_list *shape,
		 struct parse_error *why);
bool parse_shape_nodes(const char *what, const char *word, const struct parse_list *shape,
		       struct parse_error *why);
bool parse_coords(const char *what, const char *word, struct parse_list *coords,
		  struct parse_error *why);
bool parse_mesh(const char *word, uint32_t *mesh, struct parse_error *why);
bool parse_dir(const char *word, uint32_t *dir, struct parse_error *why);

#endif
