/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the arguments of a workload, for `traffic` and for a saved fabric. */
#ifndef TORUS_TORUSCTL_SNAPSHOT_TRAFFIC_ARGS_H
#define TORUS_TORUSCTL_SNAPSHOT_TRAFFIC_ARGS_H

#include "../../netlink/fabric.h"
#include "../../parse/time.h"
#include "../../parse/parse.h"
#include "../../config/ctl.h"
#include "../../config/target.h"

/**
 * struct traffic_args - the arguments of a workload
 * @target: the fabric
 * @load: the workload's parameters
 * @pairs: pairs of nodes, for a pattern from a file
 * @params: parameters of the fabric
 * @nparams: number of entries in @params
 * @cycles: duration of the measured window
 * @warmup: time before the measured window
 * @seed: seed of all random streams
 * @has_load: true if --load was given; each other has_ member stands for another option
 * @progress: true to print the progress
 * @follow: true to wait for the workload that is already running
 */
struct traffic_args {
	struct target target;
	struct parse_workload load;
	struct parse_pairs pairs;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t nparams;
	struct parse_time cycles;
	struct parse_time warmup;
	__u64 seed;
	bool has_load;
	bool has_packets;
	bool has_cycles;
	bool has_warmup;
	bool has_seed;
	bool progress;
	bool follow;
};

int traffic_args_option(struct ctl *ctl, struct traffic_args *wanted, const char *option,
			const char *word);
int traffic_args_check(struct ctl *ctl, const struct traffic_args *wanted);
int traffic_args_finish(struct ctl *ctl, struct traffic_args *wanted);

#endif /* TORUS_TORUSCTL_SNAPSHOT_TRAFFIC_ARGS_H */
