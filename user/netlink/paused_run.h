/* SPDX-License-Identifier: GPL-2.0 */
/* Run a paused fabric to a tick, or to an event. */
#ifndef TORUS_NL_PAUSED_RUN_H
#define TORUS_NL_PAUSED_RUN_H

#include "session.h"

#define TORUS_NL_RUN_NODES_MAX	2048	/* maximum number of nodes of a request */

/**
 * struct torus_nl_run - a run; exactly one of @ticks, @has_tick and @event is set
 * @ticks: number of ticks
 * @has_tick: true if the run ends at @tick
 * @tick: tick at which the run ends
 * @event: name of the event after whose tick the run ends, or NULL
 * @cause: name of the cause, if @event is an interrupt; NULL: each cause
 * @reg: name of the register, if @event is an access; NULL: each register
 * @has_value: only accesses to @reg that read or write @value count
 * @value: this value
 * @nodes: numbers of the nodes whose events count
 * @nnodes: number of nodes, at most TORUS_NL_RUN_NODES_MAX; 0: the events of all nodes count
 * @record: record the events of packets
 */
struct torus_nl_run {
	uint64_t ticks;
	bool has_tick;
	uint64_t tick;
	const char *event;
	const char *cause;
	const char *reg;
	bool has_value;
	uint32_t value;
	const uint32_t *nodes;
	size_t nnodes;
	bool record;
};

/**
 * struct torus_nl_piece - a piece of a run
 * @clock: tick that the fabric has reached
 * @events: recorded events
 * @count: number of events in @events
 * @left: number of recorded events that are left; no further event has a tick before @clock if it
 *    is 0
 * @lost: number of events that were not recorded, for want of memory
 * @done: the run has ended; the following members are valid
 * @early: the run has ended before its tick or its event
 * @why: reason why the run has ended
 * @event: name of the event that has ended the run; "" if none has
 * @node: number of the event's node
 * @cause: name of the cause if the event is an interrupt, else ""
 * @reg: name of the register if the event is an access, else ""
 * @value: value that was read or written there
 */
struct torus_nl_piece {
	uint64_t clock;
	struct torus_packet_event events[TORUS_RECORDS_PART];
	size_t count;
	uint64_t left;
	uint64_t lost;
	bool done;
	bool early;
	char why[128];
	char event[16];
	uint32_t node;
	char cause[16];
	char reg[TORUS_NAME_MAX];
	uint32_t value;
};

int torus_nl_run_begin(struct torus_nl *nl, const char *fabric, const struct torus_nl_run *run);
int torus_nl_run_next(struct torus_nl *nl, const char *fabric, struct torus_nl_piece *piece);

#endif /* TORUS_NL_PAUSED_RUN_H */
