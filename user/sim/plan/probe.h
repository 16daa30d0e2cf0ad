/* SPDX-License-Identifier: GPL-2.0 */
/* A small machine that is like a large one, and what simulating it costs. */
#ifndef TORUS_SIM_PLAN_PROBE_H
#define TORUS_SIM_PLAN_PROBE_H

#include "../options.h"

/**
 * struct plan_cost - what was done between two ticks
 * @ticks: between them
 * @cpu_s: seconds of a processor
 * @hops: packets sent over links
 * @packets: packets that entered the network
 */
struct plan_cost {
	double ticks;
	double cpu_s;
	double hops;
	double packets;
};

/**
 * struct plan_probe - a small machine that was simulated
 * @config: what it was made from
 * @setup_s: seconds of a processor that it took to make it and to give it its workload
 * @look_s: to take all counts once
 * @moment_s: to take those of each link, too, as at the begin and the end of a window
 * @ticks: that were simulated
 * @first: what the first half of the packets cost, by number
 * @last: what the rest did, of a steady one when it was steady
 * @packets: in the network in the end, the mean of its last quarter
 * @middle_packets: half-way between begin and end of @last
 * @early_rate: hops of all nodes a tick when it had begun
 * @early_packets: in the network then
 * @busy: part of the time in which links were, of a steady one
 * @offered: packets a node and tick that would enter
 * @accepted: part of the offered packets that entered, likewise
 * @window_ticks: the longest window
 * @unbounded: its queues have no end
 * @bytes: all, in the end
 * @start_bytes: beyond those of rest, when its workload began
 * @events: that were waiting in the end
 * @wheel_bytes: of blocks of events that were in use
 * @packet_bytes: of a packet in memory
 * @later_bytes: allocated while it ran, beside packets and events
 * @later_at: the tick by which they were there
 */
struct plan_probe {
	struct torus_config config;
	double setup_s;
	double look_s;
	double moment_s;
	u64 ticks;
	struct plan_cost first;
	struct plan_cost last;
	double packets;
	double middle_packets;
	double early_rate;
	double early_packets;
	double busy;
	double offered;
	double accepted;
	u64 window_ticks;
	bool unbounded;
	double bytes;
	double start_bytes;
	double events;
	double wheel_bytes;
	double packet_bytes;
	double later_bytes;
	u64 later_at;
};

/**
 * struct plan_task - how far a probe is to go
 * @load: a fraction of the load that was asked for
 * @work: hops and packets after which it ends
 * @ticks: it ends no later; 0: whenever that comes
 * @settle: it goes on to so many times its packets' way; 0: it need not be steady
 * @run: ticks of the run that is planned, after which it need not be quite steady
 * @tries: times that it is simulated; the least that each step takes counts
 */
struct plan_task {
	double load;
	double work;
	u64 ticks;
	double settle;
	u64 run;
	u32 tries;
};

double plan_distance(const struct torus_geometry *geo, u32 pattern, double *spread);
bool plan_scale(struct torus_config *config, const struct torus_config *like, double nodes);
int plan_probe(struct plan_probe *probe, const struct sim_options *options,
	       const struct torus_config *config, const struct plan_task *task);

#endif /* TORUS_SIM_PLAN_PROBE_H */
