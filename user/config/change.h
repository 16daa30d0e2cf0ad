/* SPDX-License-Identifier: GPL-2.0 */
/* Change the nodes, registers, jobs and links of a running fabric to those of a configuration. */
#ifndef TORUS_CONFIG_CHANGE_H
#define TORUS_CONFIG_CHANGE_H

#include "config.h"
#include "ctl.h"
#include "side.h"

int config_change_lines(struct ctl *ctl, const struct config_side *now,
			const struct config_side *wanted, struct config *change);
int config_change_run(struct ctl *ctl, const struct config *change);

#endif /* TORUS_CONFIG_CHANGE_H */
