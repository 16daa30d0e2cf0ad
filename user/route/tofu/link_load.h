/* SPDX-License-Identifier: GPL-2.0 */
/* Exact load of links under uniform traffic. */
#ifndef TORUS_ROUTE_TOFU_LINK_LOAD_H
#define TORUS_ROUTE_TOFU_LINK_LOAD_H

#include "check.h"

int tofu_loads_init(struct tofu_loads *loads, const struct torus_geometry *g);
void tofu_loads_free(struct tofu_loads *loads);
void tofu_loads_run(struct tofu_loads *loads, const struct torus_geometry *g,
		    enum tofu_policy policy);
void tofu_loads_share(const struct tofu_loads *loads, const struct torus_geometry *g, u32 axis,
		      u32 vc, struct tofu_share *share);

#endif
