/* SPDX-License-Identifier: GPL-2.0 */
/* List the views that jobs request: all that are compact and fit into the machine. */
#ifndef TORUS_JOBS_VIEWS_H
#define TORUS_JOBS_VIEWS_H

#include "jobs.h"

int jobs_kinds_make(struct jobs_kinds *kinds, const struct torus_geometry *g, u32 large);
void jobs_kinds_free(struct jobs_kinds *kinds);
u32 jobs_kind_of(const struct jobs_kinds *kinds, double nodes);
const char *jobs_shapes_name(enum jobs_shapes shapes);
const char *jobs_order_name(enum jobs_order order);

#endif
