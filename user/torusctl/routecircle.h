/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_ROUTECIRCLE_H
#define TORUSCTL_ROUTECIRCLE_H

#include "../route/proof/proof.h"
#include "core/base/geometry.h"

struct json_object;

#define ROUTE_CIRCLES_SHOWN	8	/* that are printed as text */

/* Names a node in words, or as JSON with its keys. */
typedef const char *route_node_text(const struct torus_geometry *g, u32 node, char *text,
				    size_t size);
typedef struct json_object *route_node_json(const struct torus_geometry *g, u32 node);

void route_circle_json(struct json_object *doc, const struct proof *proof,
		       const struct torus_geometry *g, route_node_json *node_json);
void route_circle_text(const struct proof *proof, const struct torus_geometry *g,
		       route_node_text *node_text);
void route_circle_more(u32 shown, u32 found, u32 most);

#endif /* TORUSCTL_ROUTECIRCLE_H */
