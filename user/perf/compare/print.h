/* SPDX-License-Identifier: GPL-2.0 */
/* Print the medians of the measurements, as text and as JSON. */
#ifndef TORUS_PERF_COMPARE_PRINT_H
#define TORUS_PERF_COMPARE_PRINT_H

#include "perf.h"

void table_print(const struct call *call, struct perf_shared *shared,
		 const struct torus_fabric_info *info);

#endif
