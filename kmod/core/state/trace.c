// SPDX-License-Identifier: GPL-2.0
/* The part of the trace hook that runs only with a tracer. */
#include "core/state/stop.h"
#include "core/state/trace.h"

/**
 * torus_trace_emit() - call a domain's tracer
 * @d: a domain with a tracer
 * @what: enum torus_trace_event
 * @node: node of the event
 * @dir: direction of the link, for events of links
 * @vc: VC, for events of VCs
 * @about: detail, see enum torus_trace_event
 * @p: the packet
 */
void torus_trace_emit(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc, u64 about,
		      const struct torus_packet *p)
{
	if (torus_unlikely(d->f->stop))
		torus_stop_note(d, what, node, dir);
	d->tracer->about = about;
	d->tracer->event(d->tracer, d, what, node, dir, vc, p);
}
