/* SPDX-License-Identifier: GPL-2.0 */
/* Times on the wall clock as values of options; the option --rank-timeout. */
#ifndef TORUS_SIM_TIMEOUT_H
#define TORUS_SIM_TIMEOUT_H

#include "core/env.h"

int sim_time_here(const char *what, const char *word, const char *example, u64 *fs);
int sim_timeout_take(const char *word);

#endif /* TORUS_SIM_TIMEOUT_H */
