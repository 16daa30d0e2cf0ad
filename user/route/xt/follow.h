/* SPDX-License-Identifier: GPL-2.0 */
/* What the check of tables and that of a swap share: a packet followed, state by state. */
#ifndef TORUS_USER_ROUTE_XT_FOLLOW_H
#define TORUS_USER_ROUTE_XT_FOLLOW_H

#include "check.h"

#define XT_STATE(node, in, vc)	(((node) * XT_PORTS + (in)) * XT_VCS + (vc))
#define XT_CHANNEL(node, in, vc)	(((node) * XT_DIRS + (in)) * XT_VCS + (vc))
#define XT_ON_THE_WAY		XT_ENDS		/* of the packet that is followed */

/**
 * struct xt_check_state - work of a check
 * @seen: by state: of which destination, and what becomes of packets there
 * @next: by state: the next one
 * @count: by state: packets
 * @order: states in the order of discovery, source by source
 * @starts: where each source's states begin there
 * @waits: by channel: what its packets wait for, see xt_cycle_find()
 * @work: for xt_cycle_find()
 */
struct xt_check_state {
	struct {
		uint32_t dest;
		uint8_t end;
		uint8_t out;		/* 2 * output + VC */
	} *seen;
	uint32_t *next;
	uint32_t *count;
	uint32_t *order;
	uint32_t *starts;
	uint16_t *waits;
	uint32_t *work;
};

#endif /* TORUS_USER_ROUTE_XT_FOLLOW_H */
