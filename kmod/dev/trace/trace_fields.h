/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of the tracepoints. trace.h is read several times, and cannot define them. */
#ifndef TORUS_DEV_TRACE_TRACE_FIELDS_H
#define TORUS_DEV_TRACE_TRACE_FIELDS_H

#include <linux/types.h>

/**
 * struct torus_trace_fields - what a tracepoint tells
 * @fabric: name of the fabric
 * @tick: when
 * @node: number of the node
 * @dir: direction of the link, 0 = x+, 1 = x- ..
 * @vc: the VC
 * @src: number of the packet's source
 * @dst: of its destination
 * @seq: its number at its source, from 0
 * @hops: links that it has been granted
 * @reason: of a stall enum torus_stall, of a drop enum torus_drop; else 0
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
