/* SPDX-License-Identifier: GPL-2.0 */
/* Convert cycles of waiting channels, found by a check of routes, to a record. */
#ifndef TORUS_TORUSCTL_ROUTE_CYCLE_H
#define TORUS_TORUSCTL_ROUTE_CYCLE_H

#include "../../route/deadlock/cdg.h"
#include "../../config/ctl.h"
#include "core/base/geometry.h"

struct json_object;

/* Function that converts a node to a record. */
typedef struct json_object *route_node_json(const struct torus_geometry *g, u32 node);

void route_cycle_json(const struct ctl *ctl, struct json_object *doc, const struct cdg *cdg,
		      const struct torus_geometry *g, route_node_json *node_json);
u32 route_cycle_more(const struct ctl *ctl, struct json_object *doc, u32 found, u32 most);

/* Formats of cycles as text, see report_print(). */
#define ROUTE_CIRCLE_MORE_FORM	"{?more}and {?at_least}at least {/}{more} more\n{/}"
#define ROUTE_CIRCLE_FORM \
	"{!cycles}no channels can wait for each other in a cycle\n{/}" \
	"{#cycle_paths}a cycle of {.%n} channels that can wait for each other:\n" \
	"{#.}    {coords} {dir} vc {vc}\n{/}{/}" ROUTE_CIRCLE_MORE_FORM

#endif /* TORUS_TORUSCTL_ROUTE_CYCLE_H */
