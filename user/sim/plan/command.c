// SPDX-License-Identifier: GPL-2.0
/* torus-sim plan: what a run will take, told before anything of its machine is made. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../../common/escape.h"
#include "../../words/words.h"
#include "../config.h"
#include "../memory.h"
#include "../sim.h"
#include "../timeout.h"
#include "plan.h"

#define JSON_FLAGS	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED)
#define MIB		1048576.0
#define FS_PER_S	1e15
#define MEGA		1e6
#define LATENCY_S	0.000002	/* of a network between machines, where nothing was said */
#define BYTES_S		1e9
#define LOOKS		17.0	/* of a run: at the begin of its window, and behind each part */
#define MEMORY_MOST	(1u << 30)	/* MiB */

/* Patterns that are alike on machines of all sizes. */
static const u32 patterns[] = {
	TORUS_PATTERN_UNIFORM, TORUS_PATTERN_ALLTOALL, TORUS_PATTERN_ALLTOALL_LINE,
	TORUS_PATTERN_ALLTOALL_PLANE, TORUS_PATTERN_NEIGHBOR, TORUS_PATTERN_STENCIL,
	TORUS_PATTERN_TRANSPOSE, TORUS_PATTERN_BITCOMP, TORUS_PATTERN_TORNADO,
	TORUS_PATTERN_BITREV, TORUS_PATTERN_SHUFFLE, TORUS_PATTERN_PERMUTATION,
};

#define PATTERNS	(sizeof(patterns) / sizeof(patterns[0]))

static int check_pattern(const struct sim_options *options)
{
	char all[256] = "";
	size_t used = 0, i;

	for (i = 0; i < PATTERNS; i++)
		if (patterns[i] == options->load.traffic.pattern)
			return SIM_OK;
	for (i = 0; i < PATTERNS; i++)
		used += scnprintf(all + used, sizeof(all) - used, " %s",
				  word_pattern_name(patterns[i]));
	return sim_bad("pattern %s: not alike on machines of all sizes (those are:%s)",
		       options->load.pattern, all);
}

/* What names nodes of this machine says nothing of smaller ones. */
static int check_tables(const struct sim_tables *tables)
{
	unsigned int i;

	for (i = 0; i < XT_KEYS; i++)
		if (tables->words[i] && i != XT_KEY_POLICY && i != XT_KEY_TIES)
			return sim_bad("--set %s: of this machine alone, and a plan simulates "
				       "smaller ones", xt_key_names[i]);
	return SIM_OK;
}

/* What lies between ranks: what was typed, or what is measured, or what others have. */
static int take_link(struct plan *plan, const struct sim_typed *typed)
{
	struct plan_link *link = &plan->c.link;
	struct word_why why;
	u64 rate = 0, latency_fs;
	int status;

	if (typed->bandwidth &&
	    !word_number("bandwidth", typed->bandwidth, 1, 1000000, &rate, &why))
		return sim_bad("%s", why.text);
	*link = (struct plan_link){ .latency_s = LATENCY_S, .bytes_s = BYTES_S };
	status = plan->ranks.count > 1 && !typed->cores_table ? plan_link_ranks(link) : SIM_OK;
	if (status)
		return status;
	link->measured = link->measured && !typed->latency && !rate;
	if (rate)
		link->bytes_s = (double)rate * MEGA;
	if (!typed->latency)
		return SIM_OK;
	status = sim_time_here("latency", typed->latency, "2us", &latency_fs);
	if (!status)
		link->latency_s = (double)latency_fs / FS_PER_S;
	return status;
}

/* The ranks that there are to be, for whatever asks for their number. */
static int take_ranks(struct plan *plan, struct sim_typed *typed)
{
	struct word_why why;
	u64 ranks = 1;

	if (typed->plan_ranks &&
	    !word_number("ranks", typed->plan_ranks, 1, TORUS_DOMAINS_MAX, &ranks, &why))
		return sim_bad("%s", why.text);
	plan->ranks.count = (u32)ranks;
	typed->ranks = ranks > 1 ? &plan->ranks : NULL;
	return SIM_OK;
}

/* What one machine has for all of the ranks, or, where it was typed, each rank's for it. */
static int take_memory(struct plan *plan, const struct sim_typed *typed)
{
	struct word_why why;
	u64 mib;

	plan->available = (double)sim_memory_available();
	if (!typed->memory)
		return SIM_OK;
	if (!word_number("memory", typed->memory, 1, MEMORY_MOST, &mib, &why))
		return sim_bad("%s", why.text);
	plan->available = (double)mib * MIB;
	return SIM_OK;
}

static int take(struct plan *plan, struct sim_typed *typed)
{
	const struct torus_config *config = &plan->options.config;
	u32 parts = torus_config_parts(config);

	if (plan->options.warmup_found)
		return sim_bad("--warmup auto: a plan is of a run whose length is known");
	if (parts > TORUS_DOMAINS_MAX)
		return sim_bad("%u ranks with %u threads each: a fabric has at most %u domains",
			       plan->ranks.count, plan->options.threads, TORUS_DOMAINS_MAX);
	plan->ticks = (double)(plan->options.load.traffic.cycles +
			       plan->options.load.traffic.warmup);
	return check_pattern(&plan->options) ?: check_tables(&plan->options.tables);
}

static void work_out(struct plan *plan, const struct sim_typed *typed)
{
	const struct torus_config *config = &plan->options.config;
	const struct plan_boxes *boxes = &plan->boxes;
	double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
	double parts = torus_config_parts(config);

	plan_boxes_cut(&plan->boxes, config);
	plan->parallel = (struct plan_parallel){
		.nodes = config->geo.nodes, .looks = LOOKS, .parts = parts,
		.ranks = plan->ranks.count,
		/* ranks that are apart have cores of their own */
		.cores = plan->c.link.measured || plan->ranks.count < 2 ? cores : parts,
		.part_nodes = (double)boxes->part_nodes, .links = (double)boxes->links,
		.part_links = (double)boxes->part_links, .own_links = (double)boxes->own_links,
		.pair_links = (double)boxes->pair_links, .neighbors = boxes->neighbors,
	};
	plan_load(&plan->load, &plan->c, &config->geo, plan->options.load.traffic.pattern);
	plan_course(&plan->course, &plan->load, plan->ticks);
	plan_memory(&plan->memory, &plan->c, config, &plan->load, &plan->course, boxes,
		    plan->ticks);
	plan->needed = typed->memory ? plan->memory.run : plan->memory.all;
	plan->parallel.core_bytes = plan->memory.all / parts;
	plan_time(&plan->time, &plan->c, &plan->load, &plan->course, &plan->parallel, plan->ticks,
		  (double)config->arch->tick_fs(config));
	if (typed->cores_table)
		plan_table(plan);
}

/* The answer, and whether there is memory for it. */
static int answer(const struct plan *plan, const struct sim_typed *typed)
{
	const struct torus_config *config = &plan->options.config;
	char shape[WORD_SHAPE_MAX];
	struct json_object *doc;

	if (plan->options.json) {
		doc = plan_json(plan, typed);
		torus_escape_json(stdout, json_object_to_json_string_ext(doc, JSON_FLAGS));
		json_object_put(doc);
	} else {
		plan_text(plan, stdout);
	}
	if (plan->needed <= plan->available || typed->cores_table)
		return SIM_OK;
	return sim_bad("shape %s: does not fit: it takes %.0f MiB%s, and %.0f MiB can be had",
		       word_shape_text(config->geo.nshape, config->geo.shape, shape,
				       sizeof(shape)), plan->needed / MIB,
		       typed->memory && plan->ranks.count > 1 ? " a rank" : "",
		       plan->available / MIB);
}

static int plan_typed(struct sim_typed *typed)
{
	static struct plan plan;
	int status;

	if (!typed->load)
		return sim_bad("--load is missing");
	status = take_ranks(&plan, typed);
	if (!status)
		status = sim_options_understand(&plan.options, typed, NULL);
	if (status)
		return status;
	status = take(&plan, typed);
	if (!status)
		status = take_memory(&plan, typed);
	if (!status)
		status = take_link(&plan, typed);
	if (!status)
		status = sim_config_write(typed);
	if (!status)
		status = plan_measure(&plan);
	if (!status) {
		work_out(&plan, typed);
		status = answer(&plan, typed);
	}
	sim_options_free(&plan.options);
	return status;
}

static int plan_run(int argc, char **argv)
{
	struct sim_typed typed;
	int status = sim_typed_read(&typed, SIM_FOR_PLAN, argc, argv);

	if (status)
		return status == SIM_HELP ? SIM_OK : status;
	status = plan_typed(&typed);
	sim_typed_free(&typed);
	return status;
}

const struct sim_command sim_plan_command = {
	.name = "plan",
	.help = "what a run will take: memory and time, before its machine is made",
	.run = plan_run,
};
