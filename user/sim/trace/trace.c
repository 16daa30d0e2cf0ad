// SPDX-License-Identifier: GPL-2.0
/*
 * The option --trace: events of packets, recorded by the core's trace hook.
 *
 * The thread of each domain records the domain's events. The file is written after the run. Its
 * events are sorted by their contents, so that the file is the same for any number of domains and
 * threads.
 *
 * A domain that has recorded --trace-limit events also records the rest of the current tick, and no
 * later event. So each domain keeps all of its events that may be among the first --trace-limit
 * events of the file.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../common/array.h"
#include "../../report/json.h"
#include "../../report/report.h"
#include "core/base/geometry.h"
#include "core/state/domain.h"
#include "../base/output_file.h"
#include "../base/message.h"
#include "trace.h"

/* Check whether the filter selects a packet. */
static bool chosen_packet(const struct sim_trace_filter *filter, const struct torus_packet *p)
{
	unsigned int i;

	for (i = 0; i < filter->npackets; i++) {
		const struct sim_trace_packets *c = &filter->packets[i];

		if ((c->src == TORUS_NONE || c->src == p->src) &&
		    (c->dst == TORUS_NONE || c->dst == p->dst) &&
		    p->seq >= c->first && p->seq <= c->last)
			return true;
	}
	return !filter->npackets;
}

/* Check whether an event is about a link that the filter selects. */
static bool chosen_link(const struct sim_trace_filter *filter, const struct torus_geometry *geo,
			u32 what, u32 node, u32 dir)
{
	if (!filter->nlinks)
		return true;
	switch (what) {
	case TORUS_TRACE_ERROR:	/* in these events, @node is the receiver of the link */
		node = torus_geometry_neighbor(geo, node, TORUS_REVERSE(dir));
		break;
	case TORUS_TRACE_STALL:
	case TORUS_TRACE_HOP:
	case TORUS_TRACE_RESEND:
		break;
	default:
		return false;
	}
	return sim_links_have(filter->links, filter->nlinks, node, dir);
}

/*
 * Get the place of the recorder's next event. NULL: this event and all later events of the domain
 * are lost.
 */
static struct packet_event *recorder_place(struct sim_recorder *r, u64 now)
{
	bool full = r->n >= r->trace->filter->limit && r->events[r->n - 1].at != now;
	struct packet_event *event = r->lost || full ? NULL : torus_array_add(&r->events, &r->n);

	if (!event && !r->lost++)
		r->lost_at = now;
	return event;
}

/* Get the place of an event for sim_trace_lines(). NULL: out of memory. */
static struct packet_event *recent_place(struct sim_recorder *r, u64 now)
{
	struct packet_event *event;

	if (!r->trace->keep && r->nrecent && r->recent[0].at != now)
		r->nrecent = 0;
	event = torus_array_add(&r->recent, &r->nrecent);
	r->no_memory |= !event;
	return event;
}

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct sim_recorder *r = (struct sim_recorder *)tracer;
	const struct sim_trace_filter *filter = r->trace->filter;
	struct packet_event event, *place;

	if (what >= TORUS_TRACE_ACCEPT ||
	    d->now < filter->from || d->now > filter->to ||
	    !chosen_packet(filter, p) || !chosen_link(filter, &d->f->cfg.geo, what, node, dir))
		return;
	event = (struct packet_event){
		.at = d->now, .about = tracer->about, .node = node, .src = p->src, .seq = p->seq,
		.dst = p->dst, .hops = p->hops, .what = (u8)what, .dir = (u8)dir, .vc = (u8)vc,
		.flags = p->flags, .chunks = p->chunks,
	};
	if (what == TORUS_TRACE_INJECT)
		event.about = torus_packet_since(d->now, p->born);
	place = filter->file ? recorder_place(r, d->now) : NULL;
	if (place)
		*place = event;
	place = filter->lines ? recent_place(r, d->now) : NULL;
	if (place)
		*place = event;
}

/**
 * sim_trace_start - start to record events of packets
 * @trace: [out] the trace
 * @filter: selects the events; must outlive @trace
 * @fabric: a fabric that has not run yet
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_trace_start(struct sim_trace *trace, const struct sim_trace_filter *filter,
		    struct torus_fabric *fabric)
{
	u32 i;

	*trace = (struct sim_trace){ .filter = filter, .fabric = fabric };
	if (!filter->file && !filter->lines)
		return SIM_OK;
	trace->recorders = calloc(fabric->ndomains, sizeof(*trace->recorders));
	if (!trace->recorders)
		return sim_error("out of memory for the traces of %u domains", fabric->ndomains);
	for (i = 0; i < fabric->ndomains; i++) {
		trace->recorders[i].tracer.event = on_event;
		trace->recorders[i].trace = trace;
		fabric->domain[i].tracer = &trace->recorders[i].tracer;
	}
	return SIM_OK;
}

/* --------------------------------------------------------------------- sorting */

/**
 * sim_trace_lines - print the events of the last tick, or of all ticks since the last call
 * @trace: the trace; its fabric must not be running
 * @out: output stream, which is flushed
 * @json: print JSON
 * @clock: the fabric's clock
 */
void sim_trace_lines(struct sim_trace *trace, FILE *out, bool json, u64 clock)
{
	struct packet_event *all = NULL, *event;
	bool no_memory = false;
	size_t n = 0, i, k;

	if (!json && !trace->headed)
		packet_event_head(out, &trace->fabric->cfg);
	trace->headed = true;
	for (i = 0; i < trace->fabric->ndomains; i++) {
		struct sim_recorder *r = &trace->recorders[i];

		for (k = 0; k < r->nrecent; k++) {
			if (!trace->keep && r->recent[k].at + 1 != clock)
				continue;
			event = torus_array_add(&all, &n);
			no_memory |= !event;
			if (event)
				*event = r->recent[k];
		}
		no_memory |= r->no_memory;
		r->no_memory = false;
		r->nrecent = 0;
	}
	if (n)
		qsort(all, n, sizeof(*all), packet_event_order);
	for (k = 0; k < n; k++)
		(json ? packet_event_json : packet_event_text)(out, &trace->fabric->cfg, &all[k]);
	free(all);
	if (no_memory)
		sim_error("tick %llu: out of memory for some of its events", clock);
	fflush(out);
}

/* Find the event that is next in the file, among the events of all domains. NULL: none is left. */
static const struct packet_event *trace_next(struct sim_trace *trace)
{
	struct sim_recorder *least = NULL;
	u32 i;

	for (i = 0; i < trace->fabric->ndomains; i++) {
		struct sim_recorder *r = &trace->recorders[i];

		if (r->next == r->n)
			continue;
		if (!least || packet_event_order(&r->events[r->next],
						 &least->events[least->next]) < 0)
			least = r;
	}
	return least ? &least->events[least->next++] : NULL;
}

static void trace_lose(struct sim_trace *trace, u64 at, u64 events)
{
	if (!trace->lost || at < trace->lost_at)
		trace->lost_at = at;
	trace->lost += events;
}

static void trace_events(struct sim_trace *trace, FILE *out, bool json)
{
	const struct packet_event *event;
	u32 i;

	for (i = 0; i < trace->fabric->ndomains; i++) {
		struct sim_recorder *r = &trace->recorders[i];

		if (r->n)
			qsort(r->events, r->n, sizeof(*r->events), packet_event_order);
		if (r->lost)
			trace_lose(trace, r->lost_at, r->lost);
	}
	if (!json)
		packet_event_head(out, &trace->fabric->cfg);
	while ((event = trace_next(trace))) {
		/*
		 * the file ends at the limit, or before the first tick in which a domain has lost
		 * events
		 */
		if (trace->written == trace->filter->limit ||
		    (trace->lost && event->at >= trace->lost_at)) {
			trace_lose(trace, event->at, 1);
			continue;
		}
		trace->written++;
		(json ? packet_event_json : packet_event_text)(out, &trace->fabric->cfg,
							       event);
	}
	if (trace->lost)
		packet_event_lost(out, json, trace->lost_at, trace->lost);
}

/**
 * sim_trace_write - write the recorded events to a file
 * @trace: the trace, after the run
 * @path: name of the file
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_trace_write(struct sim_trace *trace, const char *path)
{
	FILE *out = sim_output_open("--trace", path);

	if (!out)
		return SIM_FAILED;
	trace_events(trace, out, packet_event_is_json(path));
	return sim_output_close(out, "--trace", path);
}

/**
 * sim_trace_free - free the recorded events, and remove the trace hooks from the fabric
 * @trace: the trace; its fabric must not be running
 */
void sim_trace_free(struct sim_trace *trace)
{
	u32 i;

	for (i = 0; trace->recorders && i < trace->fabric->ndomains; i++) {
		trace->fabric->domain[i].tracer = NULL;
		free(trace->recorders[i].events);
		free(trace->recorders[i].recent);
	}
	free(trace->recorders);
	trace->recorders = NULL;
}

/**
 * sim_trace_text - print the number of events in one line
 * @trace: the trace, after sim_trace_write()
 * @out: output stream
 */
void sim_trace_text(const struct sim_trace *trace, FILE *out)
{
	if (!trace->filter->file)
		return;
	fprintf(out, "trace      %llu events", (unsigned long long)trace->written);
	if (trace->lost)
		fprintf(out, "; from tick %llu on %llu more are not recorded (--trace-limit %llu)",
			(unsigned long long)trace->lost_at, (unsigned long long)trace->lost,
			(unsigned long long)trace->filter->limit);
	fputc('\n', out);
}

/**
 * sim_trace_json - add the number of events to a document
 * @doc: [in, out] the document
 * @trace: the trace, after sim_trace_write()
 */
void sim_trace_json(struct json_object *doc, const struct sim_trace *trace)
{
	struct json_object *part;

	if (!trace->filter->file)
		return;
	part = json_object_new_object();
	report_add_u64(part, "events", trace->written);
	report_add_u64(part, "lost", trace->lost);
	if (trace->lost)
		report_add_u64(part, "lost_from", trace->lost_at);
	json_object_object_add(doc, "trace", part);
}
