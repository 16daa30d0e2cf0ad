/* SPDX-License-Identifier: GPL-2.0 */
/* Convert tables to the kernel's image (struct torus_xt_routes), and back. */
#ifndef TORUS_ROUTE_SPEC_KERNEL_IMAGE_H
#define TORUS_ROUTE_SPEC_KERNEL_IMAGE_H

#include "spec.h"

void *xt_image_make(const struct xt_tables *tables, size_t *bytes, struct parse_error *why);
bool xt_image_read(const void *image, size_t bytes, const struct xt_map *map,
		   struct xt_tables **tables, struct parse_error *why);

#endif
