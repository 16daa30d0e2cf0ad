/* SPDX-License-Identifier: GPL-2.0 */
/* Counters as text in the format OpenMetrics, for monitoring systems. */
#ifndef TORUS_TORUSCTL_OPENMETRICS_H
#define TORUS_TORUSCTL_OPENMETRICS_H

#include "../config/ctl.h"
#include "../config/target.h"

int openmetrics_show(struct ctl *ctl, struct target *target);

#endif
