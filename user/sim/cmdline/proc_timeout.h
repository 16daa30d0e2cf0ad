/* SPDX-License-Identifier: GPL-2.0 */
/* Wall times in options, and --rank-timeout. */
#ifndef TORUS_SIM_CMDLINE_PROC_TIMEOUT_H
#define TORUS_SIM_CMDLINE_PROC_TIMEOUT_H

#include "core/platform.h"

int sim_parse_wall_time(const char *what, const char *word, const char *example, u64 *fs);
int sim_proc_timeout_parse(const char *word);

#endif /* TORUS_SIM_CMDLINE_PROC_TIMEOUT_H */
