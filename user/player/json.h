/* SPDX-License-Identifier: GPL-2.0 */
/* Read a line of JSON of a trace. */
#ifndef TORUS_PLAYER_JSON_H
#define TORUS_PLAYER_JSON_H

#include "record.h"

bool player_json_line(struct player_record *record, const char *line, struct parse_error *why);

#endif /* TORUS_PLAYER_JSON_H */
