/* SPDX-License-Identifier: GPL-2.0 */
/* Check that no path of the job's packets uses a dead link. */
#ifndef TORUS_RUN_PATHS_H
#define TORUS_RUN_PATHS_H

#include "env.h"

bool run_paths_clean(const struct run_env *env);

#endif /* TORUS_RUN_PATHS_H */
