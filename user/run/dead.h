/* SPDX-License-Identifier: GPL-2.0 */
/*
 * List the links that are dead when a job starts, for TORUS_DEAD in the environment of its ranks.
 */
#ifndef TORUS_RUN_DEAD_H
#define TORUS_RUN_DEAD_H

#include "fabric_info.h"

char *run_dead_read(const struct run_fabric_info *machine);

#endif /* TORUS_RUN_DEAD_H */
