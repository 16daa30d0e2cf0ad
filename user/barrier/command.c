// SPDX-License-Identifier: GPL-2.0
/* torus-sim barrier: the command line. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/tofu/tofu.h"
#include "core/run/config.h"
#include "../sim/interrupt.h"
#include "../sim/progress.h"
#include "../sim/sim.h"
#include "../words/words.h"
#include "report.h"

#define SETS_MAX	64
#define TIMES_MAX	1000000u
#define RECORDS_MAX	(1ull << 27)	/* members times operations: what is kept of each */
#define DELAY_MAX	(1ull << 40)

static const char help_text[] =
	"torus-sim barrier --shape XxYxZ [OPTION]...\n"
	"Barriers and reductions worked by the gates of Tofu's network interfaces, beside the\n"
	"same chain worked by processors.\n\n"
	"  --arch A             the machine: tofu alone has gates (tofu)\n"
	"  --shape XxYxZ        groups of twelve nodes\n"
	"  --mesh DIMS          of these, axes that do not close\n"
	"  --members N          2 to all nodes, one a node (all)\n"
	"  --placement P        order: on the first nodes; random: anywhere (order)\n"
	"  --op OP              barrier, band, bor, bxor, max, maxloc, sum: of 64-bit integers;\n"
	"                       bfpsum: of doubles (barrier)\n"
	"  --count N            values of a member: 1 to 6 integers, 2, 4 or 6 of maxloc, 1 to 3\n"
	"                       doubles (as many as there may be)\n"
	"  --times N            operations, one after the other (100)\n"
	"  --delay TIME         mean of the random delay of each piece of a processor's work,\n"
	"                       ticks, or with a unit: 2us (0)\n"
	"  --by WHO             gates, software or both (both)\n"
	"  --set KEY=VALUE      a parameter of the machine; inject_packet and receive_packet,\n"
	"                       502 ticks here, are what a processor needs for a packet\n"
	"  --seed N             of places, values and delays (1)\n"
	"  --threads N          that simulate side by side (1)\n"
	"  --domains N          parts of the machine that can (as many as threads)\n"
	"  --json               answer with one JSON document\n"
	"  --progress           tell how far it is, even where standard error is no terminal\n"
	"  --help               print this\n";

/**
 * struct typed - the words
 * @value: of the option with that letter
 * @set: KEY=VALUE
 * @sets: their number
 */
struct typed {
	const char *value[128];
	const char *set[SETS_MAX];
	u32 sets;
};

static const struct option options[] = {
	{ "arch", required_argument, NULL, 'a' },
	{ "shape", required_argument, NULL, 's' },
	{ "mesh", required_argument, NULL, 'm' },
	{ "members", required_argument, NULL, 'n' },
	{ "placement", required_argument, NULL, 'p' },
	{ "op", required_argument, NULL, 'o' },
	{ "count", required_argument, NULL, 'c' },
	{ "times", required_argument, NULL, 'k' },
	{ "delay", required_argument, NULL, 'w' },
	{ "by", required_argument, NULL, 'b' },
	{ "seed", required_argument, NULL, 'r' },
	{ "threads", required_argument, NULL, 't' },
	{ "domains", required_argument, NULL, 'd' },
	{ "set", required_argument, NULL, 'S' },
	{ "json", no_argument, NULL, 'j' },
	{ "progress", no_argument, NULL, 'P' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int take_words(struct typed *typed, int argc, char **argv)
{
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, "+:h", options, NULL)) != -1) {
		if (letter == ':')
			return sim_bad("%s: its value is missing", argv[optind - 1]);
		if (letter == '?')
			return sim_bad("%s: there is no such option", argv[optind - 1]);
		if (letter != 'S') {
			typed->value[letter] = optarg ? optarg : "";
			continue;
		}
		if (typed->sets == SETS_MAX)
			return sim_bad("--set %s: more than %d", optarg, SETS_MAX);
		typed->set[typed->sets++] = optarg;
	}
	if (optind < argc)
		return sim_bad("%s: one word too many", argv[optind]);
	return SIM_OK;
}

static bool told(const struct word_why *why)
{
	sim_bad("%s", why->text);
	return false;
}

static bool take_set(struct torus_config *config, const char *pair)
{
	struct torus_error err;
	const char *value;
	char key[32];

	if (!word_pair(pair, key, sizeof(key), &value))
		return !sim_bad("--set %s: not KEY=VALUE", pair);
	return !torus_config_set(config, key, value, &err) || !sim_bad("--set %s", err.text);
}

static bool take_machine(struct torus_config *config, const struct typed *typed)
{
	const char *arch = typed->value['a'] ? typed->value['a'] : torus_arch_tofu.name;
	struct torus_error err;
	struct word_list shape;
	struct word_why why;
	u32 mesh = 0, i;

	if (torus_arch_config(config, arch, &err))
		return !sim_bad("%s", err.text);
	if (config->arch != &torus_arch_tofu)
		return !sim_bad("arch %s: it has no barrier gates (%s has)", arch,
				torus_arch_tofu.name);
	if (!typed->value['s'])
		return !sim_bad("--shape is missing");
	if (!word_shape("shape", typed->value['s'], &shape, &why) ||
	    (typed->value['m'] && !word_mesh(typed->value['m'], &mesh, &why)))
		return told(&why);
	if (torus_config_shape(config, shape.count, shape.numbers, mesh, &err))
		return !sim_bad("%s", err.text);
	barrier_costs(config);
	for (i = 0; i < typed->sets; i++)
		if (!take_set(config, typed->set[i]))
			return false;
	return true;
}

static bool take_number(const char *what, const char *word, u64 min, u64 max, u64 *value)
{
	struct word_why why;

	return !word || word_number(what, word, min, max, value, &why) || told(&why);
}

/* One of some words; the first where none was typed. */
static bool take_choice(const char *what, const char *word, const char *const *names, u32 count,
			u32 *value)
{
	char all[128] = "";
	size_t used = 0;
	u32 i;

	for (i = 0; word && i < count; i++) {
		if (!strcmp(word, names[i])) {
			*value = i;
			return true;
		}
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
					 names[i]);
	}
	return !word || !sim_bad("%s %s: none of %s", what, word, all);
}

static u32 count_most(u32 op)
{
	return op == TOFU_OP_BARRIER ? 0 : op == TOFU_OP_BFPSUM ? TOFU_DOUBLES_MAX : TOFU_WORDS_MAX;
}

static bool take_operation(struct barrier_plan *plan, const struct typed *typed)
{
	u64 count;
	u32 op = 0;

	if (!take_choice("op", typed->value['o'], barrier_op_names + TOFU_OP_BARRIER,
			 TOFU_OPS - TOFU_OP_BARRIER, &op))
		return false;
	plan->op = op + TOFU_OP_BARRIER;
	count = count_most(plan->op);
	if (!take_number("count", typed->value['c'], 0, TOFU_WORDS_MAX, &count))
		return false;
	plan->count = (u32)count;
	if (tofu_reduce_judge(plan->op, plan->count))
		return !sim_bad("count %u: %s takes %s", plan->count, barrier_op_names[plan->op],
				plan->op == TOFU_OP_BARRIER ? "no values" :
				plan->op == TOFU_OP_BFPSUM ? "1 to 3 doubles" :
				plan->op == TOFU_OP_MAXLOC ? "1 to 3 pairs, 2, 4 or 6 values" :
							     "1 to 6 values");
	return true;
}

static bool take_delay(struct barrier_plan *plan, const char *word)
{
	struct word_time time;
	struct word_why why;

	if (!word)
		return true;
	if (!word_time("delay", word, &time, &why))
		return told(&why);
	plan->delay = word_time_ticks(&time, plan->config.arch->tick_fs(&plan->config));
	return plan->delay <= DELAY_MAX || !sim_bad("delay %s: at most 2^40 ticks", word);
}

static bool take_members(struct barrier_plan *plan, const struct typed *typed)
{
	static const char *const placements[] = { "order", "random" };
	static const char *const whos[] = { "both", "gates", "software" };
	u64 members = plan->config.geo.nodes, times = 100;
	u32 placement = 0, who = 0;

	if (!take_number("members", typed->value['n'], 2, plan->config.geo.nodes, &members) ||
	    !take_number("times", typed->value['k'], 1, TIMES_MAX, &times) ||
	    !take_choice("placement", typed->value['p'], placements, 2, &placement) ||
	    !take_choice("by", typed->value['b'], whos, 3, &who) ||
	    !take_delay(plan, typed->value['w']))
		return false;
	if (members * times > RECORDS_MAX)
		return !sim_bad("times %llu: of %llu members; at most %llu operations of members "
				"are kept", times, members, RECORDS_MAX);
	plan->members = (u32)members;
	plan->times = (u32)times;
	plan->random = placement;
	plan->by = who ? who : 1u << BARRIER_GATES | 1u << BARRIER_SOFTWARE;
	return true;
}

static bool take_threads(struct barrier_plan *plan, const struct typed *typed)
{
	u64 threads = 1, domains, nodes = plan->config.geo.nodes, seed = 1;

	if (!take_number("seed", typed->value['r'], 0, ~0ull, &seed) ||
	    !take_number("threads", typed->value['t'], 1, TORUS_DOMAINS_MAX, &threads))
		return false;
	domains = threads;
	if (!take_number("domains", typed->value['d'], 1, TORUS_DOMAINS_MAX, &domains))
		return false;
	if (threads > domains)
		return !sim_bad("threads %llu: more than there are domains (%llu) to simulate",
				threads, domains);
	if (domains > nodes)
		return !sim_bad("domains %llu: the machine has %llu nodes", domains, nodes);
	plan->config.seed = seed;
	plan->config.domains = (u32)domains;
	plan->threads = (u32)threads;
	return true;
}

static int run_plan(struct barrier_plan *plan, bool json, bool tell)
{
	struct barrier_result results[BARRIER_BYS];
	int status = barrier_plan_make(plan);
	struct sim_progress progress;
	u32 by;

	sim_progress_begin(&progress, tell, (u32)__builtin_popcount(plan->by));
	for (by = 0; by < BARRIER_BYS && !status; by++) {
		if (!(plan->by >> by & 1))
			continue;
		status = barrier_run(plan, by, &progress, &results[by]);
		progress.done++;
	}
	sim_progress_end(&progress);
	if (!status && json)
		barrier_json(plan, results);
	else if (!status)
		barrier_text(plan, results);
	if (!status)
		status = barrier_status(plan, results);
	barrier_plan_free(plan);
	return status;
}

static int run(int argc, char **argv)
{
	struct barrier_plan plan = { .members = 0 };
	struct typed typed = { .sets = 0 };
	int status = take_words(&typed, argc, argv);

	if (status)
		return status;
	if (typed.value['h']) {
		fputs(help_text, stdout);
		return SIM_OK;
	}
	if (!take_machine(&plan.config, &typed) || !take_threads(&plan, &typed) ||
	    !take_operation(&plan, &typed) || !take_members(&plan, &typed))
		return SIM_USAGE;
	sim_interrupt_watch();
	return run_plan(&plan, typed.value['j'], typed.value['P'] || isatty(STDERR_FILENO));
}

const struct sim_command sim_barrier_command = {
	.name = "barrier",
	.help = "barriers and reductions by Tofu's gates, beside software's",
	.run = run,
};
