/* SPDX-License-Identifier: GPL-2.0 */
/* The packets, links and ticks that a trace shows. */
#ifndef TORUS_SIM_CHOICE_H
#define TORUS_SIM_CHOICE_H

#include "../trace/trace.h"

bool sim_trace_choose(struct sim_trace_choice *choice, const struct torus_config *config,
		      const struct sim_typed *typed);

#endif
