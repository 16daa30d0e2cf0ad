/* SPDX-License-Identifier: GPL-2.0 */
/* Options that select the packets, links and ticks of a trace. */
#ifndef TORUS_SIM_CMDLINE_TRACE_FILTER_H
#define TORUS_SIM_CMDLINE_TRACE_FILTER_H

#include "../trace/trace.h"

bool sim_trace_filter_parse(struct sim_trace_filter *filter, const struct torus_config *config,
			    const struct sim_cmdline *typed);

#endif
