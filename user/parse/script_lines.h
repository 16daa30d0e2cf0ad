/* SPDX-License-Identifier: GPL-2.0 */
/* Split the lines of a file of torusctl commands into words. */
#ifndef TORUS_PARSE_SCRIPT_LINES_H
#define TORUS_PARSE_SCRIPT_LINES_H

#include "parse.h"

ssize_t parse_line_read(FILE *file, char **line, size_t *room);
bool parse_lines_open(struct parse_lines *lines, const char *name, struct parse_error *why);
int parse_lines_next(struct parse_lines *lines, struct parse_error *why);
void parse_lines_close(struct parse_lines *lines);

#endif
