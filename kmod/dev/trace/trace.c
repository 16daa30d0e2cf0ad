// SPDX-License-Identifier: GPL-2.0
/* Tracepoints: pass packet events of the core to them, if they are on. */
#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/trace_enable.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * Pass an event of the core (struct torus_tracer) to its tracepoint, with node numbers for indices.
 */
static void torus_trace_report(struct torus_engine *e, const struct torus_domain *d, u32 what,
			       u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p)
{
	struct torus_trace_fields t = {
		.fabric = e->name, .tick = d->now, .node = torus_node_number(&e->geo, node),
		.dir = dir, .vc = vc, .src = torus_node_number(&e->geo, p->src),
		.dst = torus_node_number(&e->geo, p->dst), .seq = p->seq, .hops = p->hops,
	};

	switch (what) {
	case TORUS_TRACE_INJECT:
		trace_torus_inject(&t);
		break;
	case TORUS_TRACE_STALL:
		t.reason = about;
		trace_torus_stall(&t);
		break;
	case TORUS_TRACE_HOP:
		trace_torus_hop(&t);
		break;
	case TORUS_TRACE_ERROR:
		trace_torus_error(&t);
		break;
	case TORUS_TRACE_RESEND:
		trace_torus_resend(&t);
		break;
	case TORUS_TRACE_DELIVER:
		trace_torus_deliver(&t);
		break;
	case TORUS_TRACE_DROP:
		t.reason = about;
		trace_torus_drop(&t);
		break;
	}
}

/* Start receiving packet events: called when a tracepoint is switched on. */
int torus_trace_begin(void)
{
	torus_trace_point_on(torus_trace_report);
	return 0;
}

/* Stop receiving packet events: called when a tracepoint is switched off. */
void torus_trace_end(void)
{
	torus_trace_point_off();
}
