/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compute the number of packets on each link for a heat map: from routing tables, a fabric's
 * counters, or a run's output.
 */
#ifndef TORUS_TORUSCTL_ROUTEHEATLOAD_H
#define TORUS_TORUSCTL_ROUTEHEATLOAD_H

#include "heat.h"

int heat_by_tables(struct ctl *ctl, const struct xt_tables *tables, struct heat *heat);
int heat_by_counters(struct ctl *ctl, const char *fabric, struct heat *heat);
int heat_by_links(struct ctl *ctl, const char *path, struct heat *heat);

#endif
