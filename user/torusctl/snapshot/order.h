/* SPDX-License-Identifier: GPL-2.0 */
/* The workload of a `traffic` call: its options, checked. */
#ifndef TORUSCTL_ORDER_H
#define TORUSCTL_ORDER_H

#include "../../netlink/fabric.h"
#include "../../words/time.h"
#include "../../words/words.h"
#include "../../config/ctl.h"
#include "../../config/target.h"

/**
 * struct order - what was asked for
 * @target: the fabric
 * @load: the workload
 * @pairs: of a pattern from a file
 * @params: of the fabric
 * @nparams: number of parameters
 * @cycles: the measured window
 * @warmup: before it
 * @seed: of every random stream
 * @has_load: --load was given; likewise the others
 * @progress: tell how far it is
 * @follow: it is one that is there already
 */
struct order {
	struct target target;
	struct word_workload load;
	struct word_pairs pairs;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t nparams;
	struct word_time cycles;
	struct word_time warmup;
	__u64 seed;
	bool has_load;
	bool has_packets;
	bool has_cycles;
	bool has_warmup;
	bool has_seed;
	bool progress;
	bool follow;
};

int order_option(struct ctl *ctl, struct order *order, const char *option, const char *word);
int order_check(struct ctl *ctl, const struct order *order);
int order_finish(struct ctl *ctl, struct order *order);

#endif /* TORUSCTL_ORDER_H */
