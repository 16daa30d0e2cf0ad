/* SPDX-License-Identifier: GPL-2.0 */
/* Shapes of a view: boxes of groups. Each axis of the view uses a pair of axes of the machine. */
#ifndef TORUS_ROUTE_TOFU_VIEW_SHAPES_H
#define TORUS_ROUTE_TOFU_VIEW_SHAPES_H

#include "view.h"

u32 tofu_shapes_find(const u32 *view, struct tofu_shape *shapes, char *why);
bool tofu_shape_fits(const struct torus_geometry *g, const struct tofu_shape *shape);
u32 tofu_shape_origins(const struct torus_geometry *g, const struct tofu_shape *shape, u32 axis);

#endif
