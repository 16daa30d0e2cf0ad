/* SPDX-License-Identifier: GPL-2.0 */
/* Print the results of a barrier as text or as JSON, and check them. */
#ifndef TORUS_BARRIER_REPORT_H
#define TORUS_BARRIER_REPORT_H

#include "run.h"

void barrier_print(const struct barrier_plan *plan, const struct barrier_result *results,
		   bool json);
int barrier_status(const struct barrier_plan *plan, const struct barrier_result *results);

#endif /* TORUS_BARRIER_REPORT_H */
