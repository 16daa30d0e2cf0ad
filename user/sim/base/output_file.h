/* SPDX-License-Identifier: GPL-2.0 */
/* Files that torus-sim writes in addition to its results on standard output. */
#ifndef TORUS_SIM_BASE_OUTPUT_FILE_H
#define TORUS_SIM_BASE_OUTPUT_FILE_H

#include <stdio.h>

struct torus_procs;

int sim_extension(const char *option, const char *path, const char *writes);
int sim_writable(const char *option, const char *path);
FILE *sim_output_open(const char *option, const char *path);
int sim_output_share(FILE *out, struct torus_procs *ranks);
int sim_output_close(FILE *out, const char *option, const char *path);

#endif /* TORUS_SIM_BASE_OUTPUT_FILE_H */
