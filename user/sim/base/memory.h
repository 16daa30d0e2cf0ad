/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that is available to this process, and its peak use. */
#ifndef TORUS_SIM_BASE_MEMORY_CHECK_H
#define TORUS_SIM_BASE_MEMORY_CHECK_H

#include "core/platform.h"

u64 sim_memory_available(void);
u64 sim_memory_peak(void);

#endif /* TORUS_SIM_BASE_MEMORY_CHECK_H */
