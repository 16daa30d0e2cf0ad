// SPDX-License-Identifier: GPL-2.0
/* Stop conditions: compare events with the condition of the fabric. */
#include "core/state/interrupt.h"
#include "core/state/stop.h"

static const char *const stop_names[] = {
	[TORUS_TRACE_INJECT] = "inject",
	[TORUS_TRACE_ROUTE] = "route",
	[TORUS_TRACE_STALL] = "stall",
	[TORUS_TRACE_HOP] = "hop",
	[TORUS_TRACE_ERROR] = "error",
	[TORUS_TRACE_RESEND] = "resend",
	[TORUS_TRACE_DELIVER] = "deliver",
	[TORUS_TRACE_DROP] = "drop",
	/* events without a line in a trace, at which a run can stop */
	[TORUS_TRACE_ACK] = "ack",
	[TORUS_STOP_INTERRUPT] = "interrupt",
};

const char *torus_stop_name(u32 event)
{
	return stop_names[event];
}

bool torus_stop_find(const char *name, u32 *event)
{
	u32 i;

	for (i = 0; i < sizeof(stop_names) / sizeof(stop_names[0]); i++)
		if (stop_names[i] && !strcmp(stop_names[i], name)) {
			*event = i;
			return true;
		}
	return false;
}

/*
 * An event is stored as a number, in the order of nodes, events and details. So the lowest event of
 * a tick does not depend on the division into domains.
 */
#define STOP_NODE_SHIFT		32
#define STOP_EVENT_SHIFT	24
#define STOP_DETAIL_MASK	((1u << STOP_EVENT_SHIFT) - 1)

void torus_stop_set(struct torus_fabric *f, const struct torus_stop *stop)
{
	u32 i;

	f->stop = stop;
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].met = TORUS_NOT_MET;
}

bool torus_stop_met(const struct torus_fabric *f, struct torus_stopped *stopped)
{
	u64 first = TORUS_NOT_MET;
	u32 i, event, detail;

	if (!f->stop)
		return false;
	for (i = 0; i < f->ndomains; i++)
		if (f->domain[i].met < first)
			first = f->domain[i].met;
	if (first == TORUS_NOT_MET)
		return false;
	event = (u32)(first >> STOP_EVENT_SHIFT) & 0xff;
	detail = (u32)first & STOP_DETAIL_MASK;
	if (stopped)
		*stopped = (struct torus_stopped){
			.event = event, .node = (u32)(first >> STOP_NODE_SHIFT),
			.dir = event == TORUS_STOP_INTERRUPT ? 0 : detail,
			.cause = event == TORUS_STOP_INTERRUPT ? detail : 0,
		};
	return true;
}

void torus_stop_note(struct torus_domain *d, u32 event, u32 node, u32 detail)
{
	const struct torus_stop *stop = d->f->stop;
	u64 at = (u64)node << STOP_NODE_SHIFT | event << STOP_EVENT_SHIFT | detail;

	if (!(stop->events >> event & 1))
		return;
	if (stop->nodes && !(stop->nodes[node / 64] >> node % 64 & 1))
		return;
	if (event == TORUS_STOP_INTERRUPT && !(stop->causes >> TORUS_CAUSE_KIND(detail) & 1))
		return;
	if (at < d->met)
		d->met = at;
}
