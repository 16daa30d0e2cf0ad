/* SPDX-License-Identifier: GPL-2.0 */
/* Output files of programs: a file is replaced when the new one is complete. */
#ifndef TORUS_COMMON_OUTPUT_FILE_H
#define TORUS_COMMON_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

bool torus_output_writable(const char *path);
int torus_output_begin(const char *path);
bool torus_output_end(int fd, const char *path);
void torus_output_drop(int fd, const char *path);
FILE *torus_output_open(const char *path);
bool torus_output_close(FILE *out, const char *path);
void torus_output_discard(FILE *out, const char *path);

#endif /* TORUS_COMMON_OUTPUT_FILE_H */
