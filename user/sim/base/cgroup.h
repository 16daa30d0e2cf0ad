/* SPDX-License-Identifier: GPL-2.0 */
/* Memory limits of the control groups that this process belongs to. */
#ifndef TORUS_SIM_CGROUP_H
#define TORUS_SIM_CGROUP_H

#include "core/platform.h"

u64 sim_cgroup_available(const char *root);

#endif
