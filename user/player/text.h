/* SPDX-License-Identifier: GPL-2.0 */
/* Read a line of text of a trace. */
#ifndef TORUS_PLAYER_TEXT_H
#define TORUS_PLAYER_TEXT_H

#include "record.h"

bool player_text_line(struct player_record *record, char *line, struct parse_error *why);

#endif /* TORUS_PLAYER_TEXT_H */
