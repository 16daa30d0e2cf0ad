/* SPDX-License-Identifier: GPL-2.0 */
/* Start a student's program with limits. */
#ifndef TORUS_LAB_SANDBOX_H
#define TORUS_LAB_SANDBOX_H

#include <sys/types.h>

#define LAB_SECONDS	5	/* processor time, and time that passes, of a program */

pid_t lab_start(const char *program, int device);

#endif /* TORUS_LAB_SANDBOX_H */
