/* SPDX-License-Identifier: GPL-2.0 */
/* How ranks are found: by what a launcher says. */
#ifndef TORUS_SIM_LAUNCH_H
#define TORUS_SIM_LAUNCH_H

#include "core/env.h"
#include "wire.h"

struct sim_wire *sim_launch(char *why, size_t size);
u64 sim_launch_program(void);

#endif /* TORUS_SIM_LAUNCH_H */
