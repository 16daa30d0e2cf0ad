/* SPDX-License-Identifier: GPL-2.0 */
/* The option --stop-at: a tick, or an event at some or all nodes. */
#ifndef TORUS_SIM_CMDLINE_STOP_AT_H
#define TORUS_SIM_CMDLINE_STOP_AT_H

#include <stdbool.h>

#include "core/run/fabric.h"
#include "core/state/stop.h"

/**
 * struct sim_stop_at - where a run stops
 * @word: word of --stop-at; NULL: the run does not stop
 * @event: the run stops at an event; otherwise at @tick
 * @tick: tick at which the run stops
 * @when: the event, for the core; @nodes are the bits of its nodes
 * @nodes: allocated array, or NULL; sim_stop_at_free() frees it
 */
struct sim_stop_at {
	const char *word;
	bool event;
	u64 tick;
	struct torus_stop when;
	u64 *nodes;
};

bool sim_stop_at_parse(struct sim_stop_at *stop, const struct torus_config *config,
		       const char *word);
void sim_stop_at_free(struct sim_stop_at *stop);

#endif /* TORUS_SIM_CMDLINE_STOP_AT_H */
