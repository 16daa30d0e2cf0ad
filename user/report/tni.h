/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of network interfaces as JSON. */
#ifndef TORUS_REPORT_TNI_H
#define TORUS_REPORT_TNI_H

#include "report.h"

struct json_object *report_tnis_json(const struct torus_tni_counters *tnis, unsigned int count);

#endif
