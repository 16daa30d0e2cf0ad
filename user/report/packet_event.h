/* SPDX-License-Identifier: GPL-2.0 */
/* Events of packets, and their format as lines of text or of JSON. */
#ifndef TORUS_REPORT_PACKET_EVENT_H
#define TORUS_REPORT_PACKET_EVENT_H

#include <stdio.h>

#include "core/state/config.h"
#include "core/state/trace.h"

/**
 * struct packet_event - an event of a packet
 * @at: tick
 * @about: detail from the trace hook, see enum torus_trace_event; for an injection: ticks since the
 *         packet was generated
 * @node: node of the event
 * @src: source of the packet
 * @seq: sequence number at the source, from 0
 * @dst: destination of the packet
 * @hops: number of links that routers have granted to the packet so far
 * @what: enum torus_trace_event
 * @dir: direction of the link
 * @vc: VC of the link
 * @flags: TORUS_PACKET_*
 * @chunks: length of the packet in chunks
 */
struct packet_event {
	u64 at;
	u64 about;
	u32 node;
	u32 src;
	u32 seq;
	u32 dst;
	u16 hops;
	u8 what;
	u8 dir;
	u8 vc;
	u8 flags;
	u8 chunks;
};

int packet_event_order(const void *a, const void *b);
void packet_event_head(FILE *out, const struct torus_config *config);
void packet_event_text(FILE *out, const struct torus_config *config,
		       const struct packet_event *event);
void packet_event_json(FILE *out, const struct torus_config *config,
		       const struct packet_event *event);
void packet_event_lost(FILE *out, bool json, u64 tick, u64 events);
bool packet_event_is_json(const char *path);

#endif
