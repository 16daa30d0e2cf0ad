/* SPDX-License-Identifier: GPL-2.0 */
/* Split lines of a file of torusctl's commands into words. */
#ifndef TORUS_WORDS_LINES_H
#define TORUS_WORDS_LINES_H

#include "words.h"

ssize_t word_line_read(FILE *file, char **line, size_t *room);
bool word_lines_open(struct word_lines *lines, const char *name, struct word_why *why);
int word_lines_next(struct word_lines *lines, struct word_why *why);
void word_lines_close(struct word_lines *lines);

#endif
