/* SPDX-License-Identifier: GPL-2.0 */
/* Describe a fabric as JSON. */
#ifndef TORUS_INFO_JSON_H
#define TORUS_INFO_JSON_H

#include "group_count.h"

struct json_object *info_document(const struct info_census *census, bool nodes);

#endif
