/* SPDX-License-Identifier: GPL-2.0 */
/* Convert between node numbers and coordinates without asking the kernel. */
#ifndef TORUS_LIB_NODE_NUMBER_H
#define TORUS_LIB_NODE_NUMBER_H

#include <stdint.h>

#include "context.h"

bool torus_numbering_place(const struct torus_numbering *numbering, uint32_t ndims,
			   const uint32_t *dims, uint32_t node, uint32_t *coords);
uint32_t torus_numbering_number(const struct torus_numbering *numbering, uint32_t ndims,
				const uint32_t *dims, const uint32_t *coords);
int torus_number_coords(const struct torus_context *context, uint32_t node, uint32_t *coords);

#endif /* TORUS_LIB_NODE_NUMBER_H */
