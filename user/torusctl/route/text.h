/* SPDX-License-Identifier: GPL-2.0 */
/* Convert routes around dead nodes and links to text and to records. */
#ifndef TORUSCTL_ROUTETEXT_H
#define TORUSCTL_ROUTETEXT_H

#include <stdint.h>

#include <json-c/json.h>

#include "../../route/path.h"

#define ROUTE_TEXT_MAX	64	/* buffer size for the text of a node or of hint bits */

const char *route_fate_name(enum route_fate fate);
const char *route_node_text(const struct torus_route_map *map, uint32_t node, char *text,
			    size_t size);
const char *route_hints_text(uint8_t hints, char *text, size_t size);
struct json_object *route_node_json(const struct torus_route_map *map, uint32_t node);
struct json_object *route_hints_json(uint8_t hints);
struct json_object *route_fault_json(const struct torus_route_map *map,
				     const struct torus_route_fault *fault);
struct json_object *route_choice_json(const struct torus_route_map *map, uint32_t from, uint32_t to,
				      const struct torus_route_choice *choice);

/* Format of a route as text, see report_print(). */
extern const char route_choice_form[];

/* Format of a dead node or link as text, see report_print(). */
#define ROUTE_FAULT_FORM	"{?dir}link {coords} {dir}{:}node {coords}{/}"

#endif /* TORUSCTL_ROUTETEXT_H */
