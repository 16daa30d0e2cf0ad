/* SPDX-License-Identifier: GPL-2.0 */
/* The trace hook: a function that is called for each event of a packet. */
#ifndef TORUS_CORE_STATE_TRACE_H
#define TORUS_CORE_STATE_TRACE_H

#include "core/state/domain.h"

/**
 * struct torus_tracer - hook for packet events
 * @event: callback for an event (@what, enum torus_trace_event) in the domain's thread
 * @about: detail of the event, see enum torus_trace_event, or 0
 * @image: TORUS_TRACE_WIRE, valid during the callback: received bytes if errors changed them; NULL
 *   if they equal torus_link_wire_image()
 */
struct torus_tracer {
	void (*event)(struct torus_tracer *w, struct torus_domain *d, u32 what, u32 node,
		      u32 dir, u32 vc, const struct torus_packet *p);
	u64 about;
	const u8 *image;
};

/**
 * enum torus_trace_event - events of a packet
 * @TORUS_TRACE_INJECT: the packet enters an injection FIFO of its source
 * @TORUS_TRACE_ROUTE: the packet is routed as the head of a queue; @about: mask of its
 *   alternatives, bit dir * VCs + vc; 0 at its destination
 * @TORUS_TRACE_STALL: arbitration grants the packet nothing, as counted by the link; dir and vc:
 *   the request; @about: enum torus_stall
 * @TORUS_TRACE_HOP: a link is granted to the packet; @about: ticks until the transmission begins,
 *   known if link queues are unbounded
 * @TORUS_TRACE_ERROR: the receiver finds a wrong CRC; dir: direction of travel
 * @TORUS_TRACE_RESEND: the sender retransmits the packet
 * @TORUS_TRACE_DELIVER: the last byte of the packet has been received
 * @TORUS_TRACE_DROP: the packet is dropped, or a broadcast cannot leave its copy at the node;
 *   @about: enum torus_drop
 * @TORUS_TRACE_ACCEPT: the receiver of a live link accepts the packet; dir: direction of travel
 * @TORUS_TRACE_WIRE: a copy of the packet is sent on a live link; @about: TORUS_WIRE_*, the copy's
 *   fate on the link. The receiver may still discard the copy because of earlier packets
 * @TORUS_TRACE_ACK: the sender of a live link learns that the packet has arrived; dir: direction of
 *   travel
 * @TORUS_TRACE_MAX: number of events
 */
enum torus_trace_event {
	TORUS_TRACE_INJECT,
	TORUS_TRACE_ROUTE,
	TORUS_TRACE_STALL,
	TORUS_TRACE_HOP,
	TORUS_TRACE_ERROR,
	TORUS_TRACE_RESEND,
	TORUS_TRACE_DELIVER,
	TORUS_TRACE_DROP,
	TORUS_TRACE_ACCEPT,
	TORUS_TRACE_WIRE,
	TORUS_TRACE_ACK,
	TORUS_TRACE_MAX,
};

void torus_trace_emit(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc, u64 about,
		      const struct torus_packet *p) torus_cold;

/*
 * Check whether a domain has a tracer. Always false in the build that measures the cost of the
 * hook.
 */
torus_inline bool torus_traced(const struct torus_domain *d)
{
#ifdef TORUS_WITHOUT_TRACE
	return false;
#else
	return torus_unlikely(d->tracer);
#endif
}

torus_inline void torus_trace_detail(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
				     u64 about, const struct torus_packet *p)
{
	if (torus_traced(d))
		torus_trace_emit(d, what, node, dir, vc, about, p);
}

torus_inline void torus_trace(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			      const struct torus_packet *p)
{
	torus_trace_detail(d, what, node, dir, vc, 0, p);
}

#endif /* TORUS_CORE_STATE_TRACE_H */
