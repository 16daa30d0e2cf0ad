/* SPDX-License-Identifier: GPL-2.0 */
/* Totals of all processes, during the run and at its end. */
#ifndef TORUS_DEMO_REPORT_H
#define TORUS_DEMO_REPORT_H

#include <stdint.h>

#include "demo.h"

void totals_expect(const struct torus_fabric_info *fabric, struct totals *totals);
void report_progress(uint32_t count, const struct totals *expected, __u64 start_ns, bool last);
int report_end(const struct torus_fabric_info *fabric, const struct totals *expected, int status);

#endif
