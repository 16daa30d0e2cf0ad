/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scratch memory to follow packets state by state. The check of tables, the check of a table
 * replacement and drain_tables.c use it.
 */
#ifndef TORUS_ROUTE_XT_TRACE_PACKET_H
#define TORUS_ROUTE_XT_TRACE_PACKET_H

#include "check.h"

#define XT_STATE(node, in, vc)	(((node) * XT_PORTS + (in)) * XT_VCS + (vc))
#define XT_CHANNEL(node, in, vc)	(((node) * XT_DIRS + (in)) * XT_VCS + (vc))
/* value for a packet that is still followed, in place of its end */
#define XT_ON_THE_WAY		XT_ENDS

/**
 * struct xt_check_state - scratch memory of a check
 * @seen: by state: destination for which the state was last followed, and how packets from this
 *    state end
 * @next: by state: the next state
 * @count: by state: number of packets
 * @order: states in the order in which they were found, source by source
 * @starts: by source: index of its first state in @order
 * @waits: by channel: outputs for which its packets wait, see xt_cycle_find()
 * @work: scratch of xt_cycle_find()
 */
struct xt_check_state {
	struct {
		uint32_t dest;
		uint8_t end;
		uint8_t out;		/* the output and its VC: 2 * output + VC */
	} *seen;
	uint32_t *next;
	uint32_t *count;
	uint32_t *order;
	uint32_t *starts;
	uint16_t *waits;
	uint32_t *work;
};

#endif /* TORUS_ROUTE_XT_TRACE_PACKET_H */
