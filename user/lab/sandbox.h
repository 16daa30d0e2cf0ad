/* SPDX-License-Identifier: GPL-2.0 */
/* Start a student's program with limits. */
#ifndef TORUS_LAB_SANDBOX_H
#define TORUS_LAB_SANDBOX_H

#include <sys/types.h>

/* limit in seconds of a program's processor time, and of each wait for a request or for its end */
#define LAB_SECONDS	5

pid_t lab_start(const char *program, int device);

#endif /* TORUS_LAB_SANDBOX_H */
