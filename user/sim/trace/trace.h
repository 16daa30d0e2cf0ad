/* SPDX-License-Identifier: GPL-2.0 */
/* The option --trace: write the events of selected packets and links to a file. */
#ifndef TORUS_SIM_TRACE_H
#define TORUS_SIM_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/run/fabric.h"
#include "core/state/trace.h"
#include "../../report/packet_event.h"
#include "../base/selector.h"

struct json_object;
struct sim_cmdline;

#define SIM_TRACE_MAX	64	/* maximum number of packet selectors */

/**
 * struct sim_trace_packets - selector of packets
 * @src: source node; TORUS_NONE for any
 * @dst: destination node; TORUS_NONE for any
 * @first: lowest sequence number that is selected; each source counts from 0
 * @last: highest sequence number that is selected
 */
struct sim_trace_packets {
	u32 src;
	u32 dst;
	u32 first;
	u32 last;
};

/**
 * struct sim_trace_filter - selects the events of a trace
 * @file: name of the output file; NULL: none
 * @packets: selectors of packets; one of them must match
 * @npackets: number of selectors; 0: all packets
 * @links: selectors of links; one of them must match
 * @nlinks: number of selectors; 0: all links, and events without a link
 * @from: first tick
 * @to: last tick
 * @limit: maximum number of events in the file
 * @lines: sim_trace_lines() prints events during the run
 */
struct sim_trace_filter {
	const char *file;
	struct sim_trace_packets packets[SIM_TRACE_MAX];
	unsigned int npackets;
	struct sim_links links[SIM_LINKS_MAX];
	unsigned int nlinks;
	u64 from;
	u64 to;
	u64 limit;
	bool lines;
};

struct sim_trace;

/**
 * struct sim_recorder - recorder of a domain's events
 * @tracer: trace hook that the core calls
 * @trace: trace to which the recorder belongs
 * @events: array of recorded events
 * @n: number of events
 * @next: index of the first event that has not been written
 * @lost: number of selected events that were not recorded
 * @lost_at: tick of the first lost event
 * @recent: array of events for sim_trace_lines()
 * @nrecent: number of these events
 * @no_memory: an event could not be added to @recent
 */
struct sim_recorder {
	struct torus_tracer tracer;
	const struct sim_trace *trace;
	struct packet_event *events;
	size_t n;
	size_t next;
	u64 lost;
	u64 lost_at;
	struct packet_event *recent;
	size_t nrecent;
	bool no_memory;
};

/**
 * struct sim_trace - a trace
 * @filter: selects the events
 * @fabric: the fabric
 * @recorders: one recorder per domain
 * @written: number of events in the file
 * @lost: number of selected events that are not in the file
 * @lost_at: tick of the first lost event; all earlier events are in the file
 * @keep: sim_trace_lines() prints all ticks since the last call, not only the last tick; set
 *        between two runs of the fabric
 * @headed: sim_trace_lines() has printed the header
 */
struct sim_trace {
	const struct sim_trace_filter *filter;
	struct torus_fabric *fabric;
	struct sim_recorder *recorders;
	u64 written;
	u64 lost;
	u64 lost_at;
	bool keep;
	bool headed;
};

int sim_trace_start(struct sim_trace *trace, const struct sim_trace_filter *filter,
		    struct torus_fabric *fabric);
void sim_trace_lines(struct sim_trace *trace, FILE *out, bool json, u64 clock);
int sim_trace_write(struct sim_trace *trace, const char *path);
void sim_trace_free(struct sim_trace *trace);
void sim_trace_text(const struct sim_trace *trace, FILE *out);
void sim_trace_json(struct json_object *doc, const struct sim_trace *trace);

#endif /* TORUS_SIM_TRACE_H */
