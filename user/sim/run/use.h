/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of all links in the measured window and in each of its parts. */
#ifndef TORUS_SIM_USE_H
#define TORUS_SIM_USE_H

#include <stdio.h>

#include "core/run/fabric.h"

struct json_object;
struct sim_run_config;
struct torus_carrier;

/**
 * struct sim_use - what links did in the measured window, and in each of its parts
 * @options: what was asked for; NULL: nothing of this
 * @fabric: whose links
 * @stride: numbers of a link: busy ticks, then packets and chunks by VC
 * @points: boundaries of parts that have come
 * @begin: numbers of all links at the start of the window
 * @last: at the last boundary
 * @now: at this one
 * @end: counters of all links when the run has ended (of a map)
 * @parts: of each part and direction: busy ticks, then packets by VC
 * @started: tick at which the window began
 * @out: file for what each link did in each part, or NULL
 */
struct sim_use {
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

int sim_use_begin(struct sim_use *use, struct torus_fabric *fabric,
		  const struct sim_run_config *options);
void sim_use_look(struct sim_use *use);
void sim_use_carry(struct torus_carrier *c, struct sim_use *use);
int sim_use_end(struct sim_use *use);
void sim_use_free(struct sim_use *use);
void sim_use_table(const struct sim_use *use, FILE *out);
void sim_use_json(struct json_object *part, const struct sim_use *use, u32 i);
double sim_use_of(const struct sim_use *use, u32 node, u32 dim);

#endif /* TORUS_SIM_USE_H */
