/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of the tracepoints. A separate file: trace.h is read several times, so it cannot define a
 * struct.
 */
#ifndef TORUS_DEV_TRACE_TRACE_FIELDS_H
#define TORUS_DEV_TRACE_TRACE_FIELDS_H

#include <linux/types.h>

/**
 * struct torus_trace_fields - fields of a tracepoint
 * @fabric: name of the fabric
 * @tick: tick of the event
 * @node: number of the node
 * @dir: direction of the link: 0 = x+, 1 = x-, ..
 * @vc: virtual channel
 * @src: number of the packet's source node
 * @dst: number of the packet's destination node
 * @seq: sequence number of the packet at its source, from 0
 * @hops: number of links that the packet was granted
 * @reason: enum torus_stall for a stall, enum torus_drop for a drop, otherwise 0
 */
struct torus_trace_fields {
	const char *fabric;
	u64 tick;
	u32 node;
	u32 dir;
	u32 vc;
	u32 src;
	u32 dst;
	u32 seq;
	u32 hops;
	u32 reason;
};

#endif
