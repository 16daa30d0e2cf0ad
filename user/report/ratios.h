/* SPDX-License-Identifier: GPL-2.0 */
/* Compute the ratios of a result. */
#ifndef TORUS_REPORT_RATIOS_H
#define TORUS_REPORT_RATIOS_H

#include "report.h"

void report_figures(const struct report_context *context, const struct torus_result *result,
		    struct report_figures *figures);

#endif
