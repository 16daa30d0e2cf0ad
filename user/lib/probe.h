/* SPDX-License-Identifier: GPL-2.0 */
/* Asking which ranks answer, and names of ranks for error texts. */
#ifndef TORUS_LIB_PROBE_H
#define TORUS_LIB_PROBE_H

#include "job.h"

char *torus_job_place(const struct torus_job *job, __u32 rank, char text[TORUS_PLACE_MAX]);
void torus_probe_hear(struct torus_job *job, __u32 rank, __u32 to, __u32 session);
void torus_probe_lost(struct torus_job *job, __u32 rank, __u32 reason);
int torus_probe_explain(struct torus_job *job, int error, const char *format, ...)
	__attribute((format(printf, 3, 4)));

#endif /* TORUS_LIB_PROBE_H */
