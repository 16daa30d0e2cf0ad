/* SPDX-License-Identifier: GPL-2.0 */
/* The option --trace: write the events of chosen packets and links to a file. */
#ifndef TORUS_SIM_TRACE_H
#define TORUS_SIM_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/run/fabric.h"
#include "core/state/watch.h"
#include "../base/selector.h"

struct json_object;
struct sim_cmdline;

#define SIM_TRACE_MAX	64	/* choices of packets */

/**
 * struct sim_trace_packets - packets of which the trace tells
 * @src: the node that sends them, TORUS_NONE: any
 * @dst: where they go, likewise
 * @first: the first of the source's, from 0
 * @last: the last
 */
struct sim_trace_packets {
	u32 src;
	u32 dst;
	u32 first;
	u32 last;
};

/**
 * struct sim_trace_filter - the events that a trace has
 * @file: name of the output file; NULL: no trace
 * @packets: packets, any of these
 * @npackets: how many; 0: all packets
 * @links: links, any of these
 * @nlinks: how many; 0: events that are about no link, too
 * @from: first tick
 * @to: last tick
 * @limit: events at most
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
};

/**
 * struct sim_event - what happened to a packet
 * @at: tick
 * @about: as the watcher had it; of an injection: ticks since the packet was generated
 * @node: where
 * @src: the packet's source
 * @seq: its number there, from 0
 * @dst: its destination
 * @hops: links that it has been granted
 * @what: enum torus_watch
 * @dir: direction of the link that it is about
 * @vc: VC there
 * @flags: TORUS_PACKET_*
 * @chunks: the packet's length
 */
struct sim_event {
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

struct sim_trace;

/**
 * struct sim_recorder - the watcher of a domain
 * @watcher: what the core calls
 * @filter: what to keep
 * @events: what was kept
 * @n: how many
 * @next: of those, the first that has not been written
 * @lost: events that were to be kept and were not
 * @lost_at: tick of the first of them
 */
struct sim_recorder {
	struct torus_watcher watcher;
	const struct sim_trace_filter *filter;
	struct sim_event *events;
	size_t n;
	size_t next;
	u64 lost;
	u64 lost_at;
};

/**
 * struct sim_trace - a trace
 * @filter: what it tells of
 * @fabric: whose packets
 * @recorders: one a domain
 * @written: events that stand in the file
 * @lost: events that were to stand there, and do not
 * @lost_at: tick of the first of them; those before are all there
 */
struct sim_trace {
	const struct sim_trace_filter *filter;
	struct torus_fabric *fabric;
	struct sim_recorder *recorders;
	u64 written;
	u64 lost;
	u64 lost_at;
};

int sim_trace_start(struct sim_trace *trace, const struct sim_trace_filter *filter,
		    struct torus_fabric *fabric);
int sim_trace_write(struct sim_trace *trace, const char *path);
void sim_trace_free(struct sim_trace *trace);
void sim_trace_text(const struct sim_trace *trace, FILE *out);
void sim_trace_json(struct json_object *doc, const struct sim_trace *trace);

#endif /* TORUS_SIM_TRACE_H */
