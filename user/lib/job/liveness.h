/* SPDX-License-Identifier: GPL-2.0 */
/* Ask which ranks answer, for the text of a time-out. */
#ifndef TORUS_LIB_LIVENESS_H
#define TORUS_LIB_LIVENESS_H

#include "job.h"

int torus_liveness_explain(struct torus_job *job, int error, const char *format, ...)
	__attribute((format(printf, 3, 4)));

#endif /* TORUS_LIB_LIVENESS_H */
