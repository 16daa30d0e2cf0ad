// SPDX-License-Identifier: GPL-2.0
/* torus-sim jobs: the command line. */
#include <string.h>
#include <unistd.h>

#include "../common/option.h"
#include "../sim/base/signals.h"
#include "../sim/base/progress.h"
#include "../parse/integer.h"
#include "../parse/option.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "command.h"
#include "views.h"
#include "print.h"
#include "experiment.h"

#define NODES_MAX	(1u << 20)
#define JOBS_MAX	10000000u
#define DEPTH_MAX	100000u
#define LOAD_BITS	32

/*
 * Options. Those with a text are parsed after the whole command line was read, because they depend
 * on each other.
 */
struct jobs_args {
	const char *shape;
	const char *mesh;
	const char *shapes;
	const char *schedule;
	const char *nodes;
	const char *load;
	const char *redundancy;
	const char *largest;
	const char *median;
	const char *sigma;
	const char *jobs;
	const char *log;
	u64 seed;
	u32 depth;
	u32 seeds;
	bool json;
	bool progress;
};

#define AT(member)	.offset = offsetof(struct jobs_args, member)

static const struct option_table table = {
	.status = SIM_USAGE,
	.bad = sim_reject,
	.in_order = true,
	.usage = "torus-sim jobs [OPTION]...\n"
		 "Computes the utilization of a Tofu machine by jobs with torus views.\n",
	.rows = (const struct option_row[]){
		{ "shape", 0, "XxYxZ", "groups of twelve nodes (8x8x8)", AT(shape) },
		{ "mesh", 0, "DIMS", "axes of the shape that are meshes", AT(mesh) },
		{ "shapes", 0, "LIST",
		  "boxes for a job: many: any box that provides its view; one: only the\n"
		  "most compact box; off: any nodes (many,one)", AT(shapes),
		  .values = "many one off many,one" },
		{ "schedule", 0, "LIST", "backfill|fcfs (backfill)", AT(schedule),
		  .values = "backfill fcfs backfill,fcfs" },
		{ "depth", 0, "N", "number of waiting jobs that backfill tries (100)", AT(depth),
		  parse_option_u32, 1, DEPTH_MAX },
		{ "redundancy", 0, "NODES",
		  "jobs of at least NODES nodes get redundancy nodes: one more group\n"
		  "along the axis of the view that uses b; 0: no job (an eighth of all)",
		  AT(redundancy) },
		{ "log", 0, "FILE", "take jobs from a log in the Standard Workload Format",
		  AT(log) },
		{ "largest", 0, "NODES",
		  "number of nodes of the view for the largest job of a log; other jobs\n"
		  "scale in proportion (the machine's largest view)", AT(largest) },
		{ "load", 0, "F",
		  "offered work, as a fraction of the machine's capacity (1.2; for a log:\n"
		  "as recorded)", AT(load) },
		{ "jobs", 0, "N", "number of jobs (2000; with --log, all)", AT(jobs) },
		{ "nodes", 0, "MIN:MAX", "nodes of a job (a 64th to an eighth of the machine)",
		  AT(nodes) },
		{ "median", 0, "S", "median of the run times, in seconds (1800)", AT(median) },
		{ "sigma", 0, "F", "standard deviation of the logarithm of run times (1.5)",
		  AT(sigma) },
		{ "seed", 0, "N", "seed of the first stream of jobs (1)",
		  AT(seed), parse_option_u64 },
		{ "seeds", 0, "N", "number of streams (1)",
		  AT(seeds), parse_option_u32, 1, STUDY_SEEDS_MAX },
		{ "json", 0, NULL, "print one JSON document", AT(json) },
		{ "progress", 0, NULL,
		  "show progress even if standard error is no terminal", AT(progress) },
		{ .name = "help", .help = "print this" },
		{ },
	},
};

static int take_u32(const char *what, const char *word, u32 min, u32 max, u32 *value)
{
	struct parse_error why;

	return parse_u32(what, word, min, max, value, &why) ? SIM_OK : sim_reject("%s", why.text);
}

static int take_double(const char *what, const char *word, unsigned int most, double *value)
{
	struct parse_error why;
	__u64 fixed;

	if (!parse_fraction(what, word, LOAD_BITS, most, &fixed, &why))
		return sim_reject("%s", why.text);
	*value = parse_double(fixed, LOAD_BITS);
	return *value > 0 ? SIM_OK : sim_reject("%s %s: must be above 0", what, word);
}

static int take_machine(struct jobs_experiment *study, const struct jobs_args *typed)
{
	struct parse_list shape = { .count = 3, .numbers = { 8, 8, 8 } };
	struct parse_error why;
	u32 large = JOBS_LARGE_EIGHTH, i;
	u32 mesh = 0;

	if (typed->shape && !parse_shape("--shape", typed->shape, &shape, &why))
		return sim_reject("%s", why.text);
	if (shape.count != TOFU_GROUP_AXES)
		return sim_reject("--shape %s: must be three lengths, the groups in x, y and z",
				  typed->shape);
	if (typed->mesh && !parse_mesh(typed->mesh, &mesh, &why))
		return sim_reject("--%s", why.text);
	if (mesh >> TOFU_GROUP_AXES)
		return sim_reject("--mesh %s: must be x, y or z",
				  typed->mesh);
	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if (shape.numbers[i] > 64)
			return sim_reject("--shape %s: must have at most 64 groups along an axis",
					  typed->shape);
	if (typed->redundancy && take_u32("--redundancy", typed->redundancy, 0, NODES_MAX,
					  &large))
		return SIM_USAGE;
	return jobs_experiment_machine(study, shape.numbers, mesh, large);
}

static int take_law(struct jobs_experiment *study, const struct jobs_args *typed)
{
	const struct jobs_kinds *kinds = &study->kinds;
	struct jobs_law *law = &study->law;
	struct parse_error why;
	int status = SIM_OK;

	if (typed->nodes && (!parse_sizes(typed->nodes, &law->least, &law->most, &why) ||
			     !law->least))
		return sim_reject("--nodes %s: must be MIN:MAX, two numbers above 0", typed->nodes);
	if (law->most > kinds->kind[kinds->count - 1].nodes)
		return sim_reject("--nodes %u:%u: MAX must be at most %u, the nodes of the largest "
				  "view", law->least,
				  law->most, kinds->kind[kinds->count - 1].nodes);
	if (typed->median)
		status = take_double("--median", typed->median, 86400, &law->median);
	if (!status && typed->sigma)
		status = take_double("--sigma", typed->sigma, 10, &law->sigma);
	return status;
}

/*
 * Apply the options for a log. The log contains sizes and times of its jobs. By default all jobs
 * are used, up to JOBS_MAX.
 */
static int take_log(struct jobs_experiment *study, const struct jobs_args *typed)
{
	const char *drawn = typed->nodes ? "--nodes" : typed->median ? "--median" :
			    typed->sigma ? "--sigma" : NULL;
	struct jobs_law *law = &study->law;

	if (study->seeds > 1)
		return sim_reject("--seeds %u: must be 1 with --log, because a log is one stream "
				  "of jobs", study->seeds);
	if (drawn)
		return sim_reject("%s: must not be combined with --log, it is only for random jobs",
				  drawn);
	law->count = JOBS_MAX;
	law->most = study->kinds.kind[study->kinds.count - 1].nodes;
	return typed->largest ? take_u32("--largest", typed->largest, 1, law->most, &law->most) :
	       SIM_OK;
}

/* Apply the options for the number, sizes, run times and arrivals of jobs. */
static int take_stream(struct jobs_experiment *study, const struct jobs_args *typed)
{
	int status;

	if (!study->log && typed->largest)
		return sim_reject("--largest %s: requires --log",
				  typed->largest);
	status = study->log ? take_log(study, typed) : take_law(study, typed);
	if (!status && typed->jobs)
		status = take_u32("--jobs", typed->jobs, 2, JOBS_MAX, &study->law.count);
	if (!status && typed->load)
		status = take_double("--load", typed->load, 100, &study->law.load);
	study->scaled = typed->load;
	return status;
}

/* Parse a list of names like "many,one" into the index of each name. */
static int take_list(const char *what, const char *list, const char *(*name)(u32 number),
		     u32 names, u32 *numbers, u32 *count)
{
	const char *word = list;
	size_t length;
	u32 i;

	for (*count = 0;; word += length + 1) {
		length = strcspn(word, ",");
		for (i = 0; i < names; i++)
			if (strlen(name(i)) == length && !strncmp(word, name(i), length))
				break;
		if (i == names || *count == names)
			return sim_reject("%s %s: \"%.*s\" is unknown or is listed twice", what,
					  list, (int)length, word);
		numbers[(*count)++] = i;
		if (!word[length])
			return SIM_OK;
	}
}

static const char *shapes_name(u32 number)
{
	return jobs_shapes_name(number);
}

static const char *order_name(u32 number)
{
	return jobs_order_name(number);
}

static int take_rules(struct jobs_experiment *study, const struct jobs_args *typed)
{
	u32 shapes[JOBS_SHAPES], orders[JOBS_ORDERS], nshapes, norders, i, j;
	int status;

	status = take_list("--shapes", typed->shapes ?: "many,one", shapes_name, JOBS_SHAPES,
			   shapes, &nshapes);
	if (!status)
		status = take_list("--schedule", typed->schedule ?: "backfill", order_name,
				   JOBS_ORDERS, orders, &norders);
	if (status)
		return status;
	for (i = 0; i < norders; i++)
		for (j = 0; j < nshapes; j++)
			study->rule[study->rules++] = (struct jobs_rule){ shapes[j], orders[i] };
	return SIM_OK;
}

static int run_study(struct jobs_experiment *study, bool show)
{
	struct sim_progress progress;
	int status;

	sim_signals_catch();
	sim_progress_begin(&progress, show, study->seeds * study->rules);
	status = jobs_experiment_run(study, &progress);
	sim_progress_end(&progress);
	return status;
}

/* Report where an interrupt has ended the study. */
static void report_stopped(const struct jobs_experiment *study)
{
	const struct jobs_result *result;
	u32 stream, rule;

	if (!jobs_experiment_stopped(study, &stream, &rule))
		return;
	result = &study->result[rule][stream];
	sim_message("interrupted in stream %u of %u by %s, %s, after the arrival of %u of %u jobs",
		    stream + 1, study->seeds, jobs_shapes_name(study->rule[rule].shapes),
		    jobs_order_name(study->rule[rule].order), result->arrived, study->jobs);
}

static int jobs_command_run(int argc, char **argv)
{
	static struct jobs_experiment study;
	struct jobs_args typed;
	int status;

	jobs_experiment_begin(&study);
	typed = (struct jobs_args){
		.seed = study.seed, .depth = study.depth, .seeds = study.seeds,
	};
	status = option_read(&table, argc, argv, &typed);
	if (!status)
		status = option_end(&table, argc, argv, 0);
	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	study.log = typed.log;
	study.seed = typed.seed;
	study.depth = typed.depth;
	study.seeds = typed.seeds;
	status = take_machine(&study, &typed);
	if (!status)
		status = take_stream(&study, &typed);
	if (!status)
		status = take_rules(&study, &typed);
	if (!status)
		status = run_study(&study, typed.progress || isatty(STDERR_FILENO));
	if (status > 128)
		report_stopped(&study);
	if (!status || status > 128)
		jobs_experiment_print(&study, typed.json);
	jobs_kinds_free(&study.kinds);
	return status;
}

const struct sim_command sim_jobs_command = {
	.name = "jobs",
	.help = "compute the utilization of a Tofu machine by jobs with torus views",
	.run = jobs_command_run,
};
