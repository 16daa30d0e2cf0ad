/* SPDX-License-Identifier: GPL-2.0 */
/* The trace hook: a function that is called for each event of a packet. */
#ifndef TORUS_CORE_STATE_TRACE_H
#define TORUS_CORE_STATE_TRACE_H

#include "core/state/domain.h"

/**
 * struct torus_tracer - hook for packet events
 * @event: called with the event (@what, enum torus_trace_event) in the domain's thread
 * @about: detail of the event, see enum torus_trace_event; else 0
 * @image: TORUS_TRACE_WIRE, during the call: the bytes that arrive if errors have changed them;
 *         NULL if they are as torus_link_wire_image() makes them
 */
struct torus_tracer {
	void (*event)(struct torus_tracer *w, struct torus_domain *d, u32 what, u32 node,
		      u32 dir, u32 vc, const struct torus_packet *p);
	u64 about;
	const u8 *image;
};

/**
 * enum torus_trace_event - events of a packet
 * @TORUS_TRACE_INJECT: it enters an injection FIFO of its source
 * @TORUS_TRACE_ROUTE: it is routed, as the head of a queue; @about: its alternatives, bit
 *                     dir * VCs + vc of each, none at its destination
 * @TORUS_TRACE_STALL: arbitration grants it nothing, as the link's counters have it; dir and vc:
 *                     its request; @about: enum torus_stall
 * @TORUS_TRACE_HOP: a link is granted to it; @about: ticks until the link begins, where queues
 *                   of links are unbounded and so it is known
 * @TORUS_TRACE_ERROR: the receiver finds its CRC wrong; dir: in which it travelled
 * @TORUS_TRACE_RESEND: its sender sends it again
 * @TORUS_TRACE_DELIVER: its last byte has been received
 * @TORUS_TRACE_DROP: it goes no further; @about: enum torus_drop
 * @TORUS_TRACE_ACCEPT: the receiver of a live link takes it; dir: in which it travelled
 * @TORUS_TRACE_WIRE: a copy of it goes out on a live link; @about: TORUS_WIRE_*, what becomes of
 *                    it on the way; the receiver may discard it for what came before it
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
};

void torus_trace_emit(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc, u64 about,
		      const struct torus_packet *p) torus_cold;

/* Does a domain have a tracer?  Always false in the build that measures the cost of the hook. */
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
