// SPDX-License-Identifier: GPL-2.0
/* Stop conditions: compare events with the condition of the fabric. */
#include "core/state/interrupt.h"
#include "core/state/stop.h"
#include <linux/torus_port.h>

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
	[TORUS_STOP_ACCESS] = "access",
	[TORUS_STOP_NOTICE] = "notice",
};

#define LINE(name)	(TORUS_STOP_LINE_SHIFT + TORUS_PORT_CAUSE_##name)

static const char *const stop_causes[32] = {
	[TORUS_INTERRUPT_INJECT] = "inject",
	[TORUS_INTERRUPT_RECEIVE] = "receive",
	[TORUS_INTERRUPT_NRE] = "nre",
	[TORUS_INTERRUPT_RECEIVER] = "receiver",
	[TORUS_INTERRUPT_ECC] = "ecc",
	[TORUS_INTERRUPT_RETRY] = "retry",
	[TORUS_INTERRUPT_RANDOM] = "random",
	[TORUS_INTERRUPT_BAD_HEADER] = "bad-header",
	[TORUS_INTERRUPT_OVERFLOW] = "overflow",
	[LINE(RECEIVE)] = "line-receive",
	[LINE(INJECT)] = "line-inject",
	[LINE(ENDED)] = "line-ended",
	[LINE(WATERMARK)] = "line-watermark",
	[LINE(ERROR)] = "line-error",
	[LINE(FAULT)] = "line-fault",
};

const char *torus_stop_name(u32 event)
{
	return stop_names[event];
}

/* Find a name in an array, which may have gaps. */
static bool stop_search(const char *const names[], u32 count, const char *name, u32 *at)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (names[i] && !strcmp(names[i], name)) {
			*at = i;
			return true;
		}
	return false;
}

bool torus_stop_find(const char *name, u32 *event)
{
	return stop_search(stop_names, sizeof(stop_names) / sizeof(stop_names[0]), name, event);
}

const char *torus_stop_cause_name(u32 bit)
{
	return bit < 32 && stop_causes[bit] ? stop_causes[bit] : "";
}

bool torus_stop_cause_find(const char *name, u32 *bit)
{
	return stop_search(stop_causes, sizeof(stop_causes) / sizeof(stop_causes[0]), name, bit);
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
