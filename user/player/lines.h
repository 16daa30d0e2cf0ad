/* SPDX-License-Identifier: GPL-2.0 */
/* Read a trace from a file. */
#ifndef TORUS_PLAYER_LINES_H
#define TORUS_PLAYER_LINES_H

#include "record.h"

bool player_read(struct player_record *record, const char *path, struct parse_error *why);

#endif /* TORUS_PLAYER_LINES_H */
