/* SPDX-License-Identifier: GPL-2.0 */
/* What a run will take, from what small machines took. */
#ifndef TORUS_SIM_PLAN_MODEL_H
#define TORUS_SIM_PLAN_MODEL_H

#include "box.h"
#include "link.h"
#include "probe.h"

#define PLAN_GROWTHS	3

/**
 * struct plan_growth - what a machine's size does to the time of a hop
 * @bytes: a core's
 * @times: what a hop takes, beside that of the second of these
 */
struct plan_growth {
	double bytes;
	double times;
};

/**
 * struct plan_constants - what has been measured
 * @small: of two steady machines the smaller one
 * @middle: the larger one
 * @large: one that is in no cache, at the rate at which packets enter the machine that was asked
 *         for, from its first tick on; of a machine that is small itself, @twin
 * @twin: the middle one at the same rate and for as long
 * @growth: of three sizes, rising
 * @link: of threads and processes
 */
struct plan_constants {
	struct plan_probe small;
	struct plan_probe middle;
	struct plan_probe large;
	struct plan_probe twin;
	struct plan_growth growth[PLAN_GROWTHS];
	struct plan_link link;
};

/**
 * struct plan_load - what a machine does, node by node
 * @rate: hops a node and tick when it is steady
 * @distance: hops of a packet
 * @first: of these, those that it makes as it enters
 * @enters: packets a node and tick when it is steady
 * @offered: likewise, of those that would enter
 * @slow: ticks from a packet's hop to its next, when it is steady
 * @fast: the same before others are in its way
 * @busy: part of the time in which its links are, at most 1
 */
struct plan_load {
	double rate;
	double distance;
	double first;
	double enters;
	double offered;
	double slow;
	double fast;
	double busy;
};

/**
 * struct plan_course - a run from its first tick on, a node of it
 * @hops: all
 * @weighed: all, each by how near the network was to its steady state
 * @packets: that entered
 * @held: most packets in the network at a tick
 * @last: hops a tick in the end
 */
struct plan_course {
	double hops;
	double weighed;
	double packets;
	double held;
	double last;
};

/**
 * struct plan_memory - bytes
 * @rest: of a rank, before its first tick
 * @run: of a rank, in the run
 * @all: of all ranks, in the run
 */
struct plan_memory {
	double rest;
	double run;
	double all;
};

/**
 * struct plan_time - seconds
 * @cpu: of processors, in the run
 * @wall: of the run
 * @setup: before it, of one processor
 * @window: on the wall, of a window of a steady network
 * @ms: likewise, of a simulated millisecond
 * @compute: of a window, simulating
 * @imbalance: of a window, waiting for those that have more to do
 * @latency: of a window, until the others have heard of its end
 * @bandwidth: of a window, until mail has passed
 * @message: bytes of a window between the two ranks that tell each other most
 */
struct plan_time {
	double cpu;
	double wall;
	double setup;
	double window;
	double ms;
	double compute;
	double imbalance;
	double latency;
	double bandwidth;
	double message;
};

/**
 * struct plan_parallel - who simulates
 * @nodes: of the machine
 * @looks: times that all counts are taken
 * @parts: threads of all ranks
 * @ranks: processes
 * @cores: that there are for them
 * @core_bytes: that one has to do with
 * @part_nodes: of the part that has most
 * @part_links: links between parts, of all @links
 * @links: of the machine
 * @own_links: between the rank that has most of them and others
 * @pair_links: between the two ranks that have most of them
 * @neighbors: ranks that one has mail for
 */
struct plan_parallel {
	double nodes;
	double looks;
	double parts;
	double ranks;
	double cores;
	double core_bytes;
	double part_nodes;
	double part_links;
	double links;
	double own_links;
	double pair_links;
	double neighbors;
};

void plan_load(struct plan_load *load, const struct plan_constants *c,
	       const struct torus_geometry *geo, u32 pattern);
double plan_wait(const struct plan_load *load, double rate);
void plan_course(struct plan_course *course, const struct plan_load *load, double ticks);
void plan_grow(struct plan_constants *c);
double plan_growth(const struct plan_constants *c, double bytes);
double plan_hop_s(const struct plan_constants *c, double bytes, double steady);
double plan_packet_s(const struct plan_constants *c, double bytes);
void plan_memory(struct plan_memory *memory, const struct plan_constants *c,
		 const struct torus_config *config, const struct plan_load *load,
		 const struct plan_course *course, const struct plan_boxes *boxes, double ticks);
void plan_time(struct plan_time *time, const struct plan_constants *c,
	       const struct plan_load *load, const struct plan_course *course,
	       const struct plan_parallel *p, double ticks, double tick_fs);

#endif /* TORUS_SIM_PLAN_MODEL_H */
