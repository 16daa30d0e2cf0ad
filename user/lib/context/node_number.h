/* SPDX-License-Identifier: GPL-2.0 */
/* Convert between node numbers and coordinates without asking the kernel. */
#ifndef TORUS_LIB_NODE_NUMBER_H
#define TORUS_LIB_NODE_NUMBER_H

#include "context.h"

bool torus_numbering_place(const struct torus_numbering *numbering, __u32 ndims,
			   const __u32 *dims, __u32 node, __u32 *coords);
__u32 torus_numbering_number(const struct torus_numbering *numbering, __u32 ndims,
			     const __u32 *dims, const __u32 *coords);
int torus_number_coords(const struct torus_context *context, __u32 node, __u32 *coords);

#endif /* TORUS_LIB_NODE_NUMBER_H */
