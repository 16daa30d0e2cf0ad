// SPDX-License-Identifier: GPL-2.0
/* The command torus-sim barrier: options and command line. */
#include <unistd.h>

#include "../parse/name.h"
#include "../parse/option.h"
#include "../parse/shape.h"
#include "../parse/time.h"
#include "arch/arch.h"
#include "arch/tofu/arch.h"
#include "arch/tofu/tofu.h"
#include "core/run/config.h"
#include "../common/option.h"
#include "../sim/base/signals.h"
#include "../sim/base/progress.h"
#include "../sim/base/message.h"
#include "../parse/parse.h"
#include "command.h"
#include "report.h"

#define SETS_MAX	64
#define TIMES_MAX	1000000u
/* maximum product of members and operations: each needs memory */
#define RECORDS_MAX	(1ull << 27)
#define DELAY_MAX	(1ull << 40)
#define UNTYPED		(~0ull)	/* default of --count; 0 is a valid value */

/**
 * struct barrier_args - the values of the options
 * @members: number of members; 0: all nodes
 * @count: number of values per member; UNTYPED: the maximum of @op
 * @domains: number of domains; 0: one per thread
 * @op: index of the operation; 0 is TOFU_OP_BARRIER
 * @by: index of the word in the option's values
 * @set: each KEY=VALUE of --set
 * @sets: number of elements of @set
 *
 * Other members have the names of their options.
 */
struct barrier_args {
	const char *arch;
	const char *shape;
	const char *mesh;
	u64 members;
	u64 times;
	u64 count;
	u64 seed;
	u64 threads;
	u64 domains;
	const char *delay;
	unsigned int placement;
	unsigned int op;
	unsigned int by;
	bool json;
	bool progress;
	const char *set[SETS_MAX];
	u32 sets;
};

static bool take_pair(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	struct barrier_args *typed = into;

	if (typed->sets == SETS_MAX)
		return parse_fail(why, "--%s %s: must be given at most %d times",
				  row->name, word, SETS_MAX);
	typed->set[typed->sets++] = word;
	return true;
}

#define AT(member)	.offset = offsetof(struct barrier_args, member)
#define OP_WORD(op, name)	" " #name

static const struct option_table table = {
	.status = SIM_USAGE,
	.bad = sim_reject,
	.in_order = true,
	.usage = "torus-sim barrier --shape XxYxZ [OPTION]...\n"
		 "Compares barriers and reductions in the gates of Tofu's network interfaces with "
		 "the\n"
		 "same operations in software.\n",
	.rows = (const struct option_row[]){
		{ "arch", 0, "A", "machine: only tofu has barrier gates (default: tofu)", AT(arch),
		  .values = "tofu" },
		{ "shape", 0, "XxYxZ", "groups of twelve nodes", AT(shape) },
		{ "mesh", 0, "DIMS", "axes of the shape that are meshes", AT(mesh) },
		{ "members", 0, "N", "number of members, at most one for each node (all nodes)",
		  AT(members), parse_option_u64, 2, TOFU_NODES_MAX },
		{ "placement", 0, "P", "nodes of the members: order: the first nodes; random: "
				       "random nodes (order)",
		  AT(placement), option_choice, .values = "order random" },
		{ "op", 0, "OP",
		  "barrier, band, bor, bxor, max, maxloc, sum: of 64-bit integers;\n"
		  "bfpsum: of doubles (barrier)", AT(op), option_choice,
		  .values = &(BARRIER_EACH_OP(OP_WORD))[1] },
		{ "count", 0, "N",
		  "number of values of each member: 1 to 6 integers (2, 4 or 6 for maxloc),\n"
		  "or 1 to 3 doubles (the largest number)", AT(count), parse_option_u64,
		  .max = TOFU_WORDS_MAX },
		{ "times", 0, "N", "number of operations, one after the other (100)", AT(times),
		  parse_option_u64, 1, TIMES_MAX },
		{ "delay", 0, "TIME",
		  "mean of the random delay before each operation of a processor, in\n"
		  "ticks, or with a unit: 2us (0)", AT(delay) },
		{ "by", 0, "WHO", "gates, software or both (both)", AT(by), option_choice,
		  .values = "both gates software" },
		{ "set", 0, "KEY=VALUE",
		  "parameter of the machine; inject_packet and receive_packet, here 502\n"
		  "ticks, are the time that a processor needs for a packet",
		  .take = take_pair, .values = "@set" },
		{ "seed", 0, "N", "seed of random nodes, values and delays (1)",
		  AT(seed), parse_option_u64 },
		{ "threads", 0, "N", "number of threads that simulate (1)", AT(threads),
		  parse_option_u64, 1, TORUS_DOMAINS_MAX },
		{ "domains", 0, "N",
		  "number of parts that are simulated in parallel (one for each thread)",
		  AT(domains), parse_option_u64, 1, TORUS_DOMAINS_MAX },
		{ "json", 0, NULL, "print one JSON document", AT(json) },
		{ "progress", 0, NULL,
		  "show progress even if standard error is no terminal", AT(progress) },
		{ .name = "help", .help = "print this" },
		{ },
	},
};

static bool reject_why(const struct parse_error *why)
{
	sim_reject("%s", why->text);
	return false;
}

static bool take_set(struct torus_config *config, const char *pair)
{
	struct torus_error err;
	const char *value;
	char key[32];

	if (!parse_pair(pair, key, sizeof(key), &value))
		return !sim_reject("--set %s: must be KEY=VALUE", pair);
	return !torus_config_set(config, key, value, &err) || !sim_reject("--set %s", err.text);
}

static bool take_machine(struct torus_config *config, const struct barrier_args *typed)
{
	const char *arch = typed->arch ? typed->arch : torus_arch_tofu.name;
	struct torus_error err;
	struct parse_list shape;
	struct parse_error why;
	u32 mesh = 0, i;

	if (torus_arch_config(config, arch, &err))
		return !sim_reject("%s", err.text);
	if (config->arch != &torus_arch_tofu)
		return !sim_reject("arch %s: has no barrier gates, must be %s", arch,
				   torus_arch_tofu.name);
	if (!typed->shape)
		return !sim_reject("--shape is missing");
	if (!parse_shape("shape", typed->shape, &shape, &why) ||
	    (typed->mesh && !parse_mesh(typed->mesh, &mesh, &why)))
		return reject_why(&why);
	if (torus_config_shape(config, shape.count, shape.numbers, mesh, &err))
		return !sim_reject("%s", err.text);
	barrier_costs(config);
	for (i = 0; i < typed->sets; i++)
		if (!take_set(config, typed->set[i]))
			return false;
	return true;
}

static u32 count_most(u32 op)
{
	return op == TOFU_OP_BARRIER ? 0 : op == TOFU_OP_BFPSUM ? TOFU_DOUBLES_MAX : TOFU_WORDS_MAX;
}

static bool take_operation(struct barrier_plan *plan, const struct barrier_args *typed)
{
	plan->op = typed->op + TOFU_OP_BARRIER;
	plan->count = typed->count == UNTYPED ? count_most(plan->op) : (u32)typed->count;
	if (tofu_reduce_judge(plan->op, plan->count))
		return !sim_reject("--count %u: %s requires %s", plan->count,
				   barrier_op_names[plan->op],
				   plan->op == TOFU_OP_BARRIER ? "no values" :
				   plan->op == TOFU_OP_BFPSUM ? "1 to 3 doubles" :
				   plan->op == TOFU_OP_MAXLOC ? "1 to 3 pairs, 2, 4 or 6 values" :
							     "1 to 6 values");
	return true;
}

static bool take_delay(struct barrier_plan *plan, const char *word)
{
	struct parse_time time;
	struct parse_error why;

	if (!word)
		return true;
	if (!parse_time("--delay", word, &time, &why))
		return reject_why(&why);
	plan->delay = parse_time_ticks(&time, plan->config.arch->tick_fs(&plan->config));
	return plan->delay <= DELAY_MAX || !sim_reject("--delay %s: must be at most 2^40 ticks",
						       word);
}

static bool take_members(struct barrier_plan *plan, const struct barrier_args *typed)
{
	u64 nodes = plan->config.geo.nodes;
	u64 members = typed->members ? typed->members : nodes;

	if (members > nodes)
		return !sim_reject("--members %llu: must be from 2 to %llu", members, nodes);
	if (!take_delay(plan, typed->delay))
		return false;
	if (members * typed->times > RECORDS_MAX)
		return !sim_reject("--times %llu: with %llu members, operations times members must "
				   "be at most %llu", typed->times, members, RECORDS_MAX);
	plan->members = (u32)members;
	plan->times = (u32)typed->times;
	plan->random = typed->placement;
	plan->by = typed->by ? typed->by : 1u << BARRIER_GATES | 1u << BARRIER_SOFTWARE;
	return true;
}

static bool take_threads(struct barrier_plan *plan, const struct barrier_args *typed)
{
	u64 domains = typed->domains ? typed->domains : typed->threads;
	u64 nodes = plan->config.geo.nodes;

	if (typed->threads > domains)
		return !sim_reject("--threads %llu: must be at most the number of domains (%llu)",
				   typed->threads, domains);
	if (domains > nodes)
		return !sim_reject("--domains %llu: must be at most %llu, the number of nodes",
				   domains, nodes);
	plan->config.seed = typed->seed;
	plan->config.domains = (u32)domains;
	plan->threads = (u32)typed->threads;
	return true;
}

static int run_plan(struct barrier_plan *plan, bool json, bool show)
{
	struct barrier_result results[BARRIER_BYS];
	int status = barrier_plan_make(plan);
	struct sim_progress progress;
	u32 by;

	sim_progress_begin(&progress, show, (u32)__builtin_popcount(plan->by));
	for (by = 0; by < BARRIER_BYS && !status; by++) {
		if (!(plan->by >> by & 1))
			continue;
		status = barrier_run(plan, by, &progress, &results[by]);
		progress.done++;
	}
	sim_progress_end(&progress);
	if (!status) {
		barrier_print(plan, results, json);
		status = barrier_status(plan, results);
	}
	barrier_plan_free(plan);
	return status;
}

static int barrier_command_run(int argc, char **argv)
{
	struct barrier_plan plan = { .members = 0 };
	struct barrier_args typed = {
		.count = UNTYPED, .times = 100, .seed = 1, .threads = 1,
	};
	int status = option_read(&table, argc, argv, &typed);

	if (!status)
		status = option_end(&table, argc, argv, 0);
	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	if (!take_machine(&plan.config, &typed) || !take_threads(&plan, &typed) ||
	    !take_operation(&plan, &typed) || !take_members(&plan, &typed))
		return SIM_USAGE;
	sim_signals_catch();
	return run_plan(&plan, typed.json, typed.progress || isatty(STDERR_FILENO));
}

const struct sim_command sim_barrier_command = {
	.name = "barrier",
	.help = "compare barriers and reductions in Tofu's gates with software",
	.run = barrier_command_run,
};
