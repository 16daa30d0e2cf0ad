/* SPDX-License-Identifier: GPL-2.0 */
/* Places and view of a job that torusctl has placed. */
#ifndef TORUS_RUN_JOB_H
#define TORUS_RUN_JOB_H

#include "mapping.h"

bool run_job_read(struct run_places *places, const struct run_fabric_info *machine,
		  const char *name,
		  uint32_t group);

#endif
