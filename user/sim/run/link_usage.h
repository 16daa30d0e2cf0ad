/* SPDX-License-Identifier: GPL-2.0 */
/* Busy ticks and packets of links, in each part of the measured window. */
#ifndef TORUS_SIM_RUN_LINK_USAGE_H
#define TORUS_SIM_RUN_LINK_USAGE_H

#include <stdio.h>

#include "core/run/fabric.h"

struct json_object;
struct sim_run_config;
struct torus_snapshot;

/**
 * struct sim_link_usage - utilization of links in the measured window, and in each of its parts
 * @options: the options; NULL: do not count
 * @fabric: the fabric
 * @stride: number of values per link: busy ticks, then with --series packets and chunks by VC
 * @points: number of boundaries of parts that have passed
 * @begin: values of all links at the start of the window
 * @last: values at the last boundary
 * @now: values at the current boundary
 * @end: values of all links at the end of the run, for --heatmap
 * @parts: sums over links, per part and direction: busy ticks, then packets by VC
 * @started: tick at which the window began
 * @out: file for each link's counters in each part, or NULL
 */
struct sim_link_usage {
	const struct sim_run_config *options;
	struct torus_fabric *fabric;
	u32 stride;
	u32 points;
	u64 *begin;
	u64 *last;
	u64 *now;
	u64 *parts;
	u64 *end;
	u64 started;
	FILE *out;
};

int sim_link_usage_begin(struct sim_link_usage *use, struct torus_fabric *fabric,
			 const struct sim_run_config *options);
void sim_link_usage_sample(struct sim_link_usage *use);
void sim_link_usage_snapshot(struct torus_snapshot *snap, struct sim_link_usage *use);
int sim_link_usage_end(struct sim_link_usage *use);
void sim_link_usage_free(struct sim_link_usage *use);
void sim_link_usage_table(const struct sim_link_usage *use, FILE *out);
void sim_link_usage_json(struct json_object *part, const struct sim_link_usage *use, u32 i);
double sim_link_usage_of(const struct sim_link_usage *use, u32 node, u32 dim);

#endif /* TORUS_SIM_RUN_LINK_USAGE_H */
