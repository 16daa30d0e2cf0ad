// SPDX-License-Identifier: GPL-2.0
/* Parse and check the options of torus-run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/array.h"
#include "../common/option.h"
#include "options.h"
#include "run.h"
#include "log.h"
#include "../parse/name.h"
#include "../parse/option.h"
#include "../parse/shape.h"

#define GRACE_MS	5000
/* maximum number of ranks of a job; see <torus/message.h> */
#define RANKS_MAX	0x1000000
#define SECONDS_MAX	1e9
/* maximum value in ms that libtorus accepts for TORUS_TIMEOUT */
#define START_MS_MAX	2000000000u

static bool take_name(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	return option_store(into, row, word, why) && parse_name(word, why);
}

static bool take_group(void *into, const struct option_row *row, const char *word,
		       struct parse_error *why)
{
	struct run_options *options = into;

	if (!strcmp(word, "all") || !strcmp(word, "both")) {
		options->where.group = RUN_GROUP_ALL;
		return true;
	}
	return parse_option_u32(into, row, word, why);
}

static bool take_seconds(void *into, const struct option_row *row, const char *word,
			 struct parse_error *why)
{
	uint64_t *ms = (uint64_t *)((char *)into + row->offset);
	char *end;
	double seconds = strtod(word, &end);

	if (!strchr("0123456789.", *word) || end == word || *end || !isfinite(seconds) ||
	    seconds > SECONDS_MAX)
		return parse_fail(why, "--%s %s: must be a number of seconds of at most %g",
				  row->name, word, SECONDS_MAX);
	*ms = ceil(seconds * 1000);
	if (row->max && *ms > row->max)
		return parse_fail(why, "--%s %s: must be at most %llu seconds", row->name, word,
				  (unsigned long long)row->max / 1000);
	return *ms >= row->min || parse_fail(why, "--%s %s: must be more than 0", row->name, word);
}

static bool take_nodes(void *into, const struct option_row *row, const char *word,
		       struct parse_error *why)
{
	struct run_where *where = &((struct run_options *)into)->where;
	const char **node = torus_array_add(&where->nodes, &where->nnodes);

	if (!node)
		return parse_fail(why, "--%s %s: out of memory", row->name, word);
	*node = word;
	return true;
}

static bool take_shape(void *into, const struct option_row *row, const char *word,
		       struct parse_error *why)
{
	(void)row;
	return run_recipe_shape(&((struct run_options *)into)->recipe, word, why);
}

static bool take_mesh(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	(void)row;
	return parse_mesh(word, &((struct run_options *)into)->recipe.spec.mesh, why);
}

static bool take_seed(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	((struct run_options *)into)->recipe.spec.has_seed = true;
	return parse_option_u64(into, row, word, why);
}

static bool take_domains(void *into, const struct option_row *row, const char *word,
			 struct parse_error *why)
{
	((struct run_options *)into)->recipe.spec.has_domains = true;
	return parse_option_u32(into, row, word, why);
}

static bool take_ber(void *into, const struct option_row *row, const char *word,
		     struct parse_error *why)
{
	return run_recipe_param(&((struct run_options *)into)->recipe, row->name, word, why);
}

static bool take_set(void *into, const struct option_row *row, const char *word,
		     struct parse_error *why)
{
	(void)row;
	return run_recipe_set(&((struct run_options *)into)->recipe, word, why);
}

static bool take_debugger(void *into, const struct option_row *row, const char *word,
			  struct parse_error *why)
{
	(void)row;
	return run_debugger_parse(&((struct run_options *)into)->debugger, word, why);
}

#define AT(member)	.offset = offsetof(struct run_options, member)

static const struct option_table table = {
	.name = "torus-run",
	.bad = run_log,
	.in_order = true,
	.words = "@program",
	.usage = "torus-run -f FABRIC [-n N] [OPTION]... PROGRAM [ARG]...\n"
		 "torus-run --arch A --shape S [-n N] [OPTION]... PROGRAM [ARG]...\n"
		 "torus-run -f FABRIC [-n N] [OPTION]... --print-env [PROGRAM [ARG]...]\n\n"
		 "Starts PROGRAM at N nodes of a fabric as the ranks of one job.\n",
	.rows = (const struct option_row[]){
		{ "fabric", 'f', "NAME",
		  "the fabric to run on; with --arch, the name of the new one", AT(fabric),
		  .take = take_name, .values = "@fabric" },
		{ "ranks", 'n', "N", "number of ranks (one for each selected place)",
		  AT(ranks),
		  .take = parse_option_u32, .min = 1, .max = RANKS_MAX },
		{ .help = "\n"
			  "Nodes of the ranks:" },
		{ "job", 'j', "NAME", "the nodes of a job that torusctl job add has placed",
		  AT(where.job), .take = take_name, .values = "@job" },
		{ "nodes", 0, "LIST",
		  "these nodes, like 1,2,3 0-3,0,0 12 0-7 all, separated by blanks",
		  .take = take_nodes, .values = "all" },
		{ "box", 0, "AT+SHAPE", "the nodes of a box, like 0,0,0+2x2x2", AT(where.box) },
		{ "map", 0, "ORDER|FILE",
		  "order in which dimensions are filled; t: the groups of a node (xyzt);\n"
		  "or a file with one line for each rank: coordinates and group (0)",
		  AT(where.map), .values = "xyzt txyz @file" },
		{ "group", 0, "N|all", "FIFO group of the nodes (0)", AT(where.group),
		  .take = take_group, .max = RUN_GROUP_NONE - 1, .values = "0 1 2 3 all" },
		{ .help = "\n"
			  "Running the ranks:" },
		{ "mpi", 0, NULL,
		  "PROGRAM is an MPI program: start its ranks by mpirun (Open MPI), with all "
		  "messages of MPI on the fabric", AT(mpi) },
		{ "tag", 0, NULL, "begin each line of output with the rank", AT(tag) },
		{ "timeout", 0, "S", "end all ranks after S seconds, with status 124",
		  AT(timeout_ms), .take = take_seconds, .min = 1 },
		{ "start-timeout", 0, "S",
		  "end the job if not all ranks have attached after S seconds",
		  AT(start_timeout_ms),
		  .take = take_seconds, .min = 1, .max = START_MS_MAX },
		{ "grace", 0, "S", "seconds from SIGTERM to SIGKILL (5)", AT(grace_ms),
		  .take = take_seconds },
		{ "debugger", 0, "CMD",
		  "start rank 0 by a command, such as a debugger, in the foreground of the "
		  "terminal; RANK:CMD: another rank", .take = take_debugger, .values = "@program" },
		{ "valgrind", 0, NULL, "start each rank by valgrind", AT(valgrind) },
		{ "print-env", 0, NULL,
		  "start no rank: print the environment to start each rank by hand, or "
		  "with --mpi the command line of mpirun",
		  AT(print_env) },
		{ .help = "\nA new fabric for this job (root only), as with torusctl fabric add:" },
		{ "arch", 0, "A", "create a fabric of this machine",
		  AT(recipe.spec.arch), .values = "@machine" },
		{ "shape", 0, "S", "shape of the fabric", .take = take_shape },
		{ "mesh", 0, "DIMS", "dimensions that are a mesh (not closed to rings)",
				     .take = take_mesh },
		{ "seed", 0, "N", "seed of all random streams", AT(recipe.spec.seed),
		  .take = take_seed },
		{ "domains", 0, "N", "number of parts that are simulated in parallel",
		  AT(recipe.spec.domains), .take = take_domains, .min = 1 },
		{ "ber", 0, "P", "bit-error rate of the links", .take = take_ber },
		{ "set", 0, "KEY=VALUE", "parameter of the fabric", .take = take_set },
		{ .help = "" },
		OPTION_HELP,
		OPTION_VERSION,
		{ },
	},
};

/* Check --debugger and --valgrind against options with which torus-run starts no rank itself. */
static bool debugger_check(const struct run_options *options, struct parse_error *why)
{
	bool debugger = options->debugger.command.we_wordc;

	if (options->mpi && debugger)
		return parse_fail(why, "--debugger and --mpi: must not be combined, because mpirun "
				  "starts the ranks; start a terminal for each rank by mpirun: "
				  "torus-run --mpi .. xterm -e gdb --args PROGRAM");
	if (options->mpi && options->valgrind)
		return parse_fail(why, "--valgrind and --mpi: must not be combined, because mpirun "
				  "starts the ranks; start valgrind by mpirun: torus-run --mpi .. "
				  "valgrind PROGRAM");
	if (options->print_env && (debugger || options->valgrind))
		return parse_fail(why, "--print-env and --%s: must not be combined; start a "
				  "printed command line by it yourself",
				  debugger ? "debugger" : "valgrind");
	return true;
}

static bool options_check(struct run_options *options, struct parse_error *why)
{
	const struct run_where *where = &options->where;

	if (!options->fabric && !options->recipe.spec.arch)
		return parse_fail(why, "a fabric is missing: give -f NAME, or --arch and --shape");
	if (!options->print_env && !*options->program)
		return parse_fail(why, "a program is missing");
	if (where->nnodes && where->box)
		return parse_fail(why, "--nodes and --box: must not be combined");
	if (where->job && (where->nnodes || where->box || where->map))
		return parse_fail(why,
				  "--job %s: must not be combined with --nodes, --box or --map",
				  where->job);
	if (where->job && options->recipe.spec.arch)
		return parse_fail(why, "--job %s: must not be combined with --arch, because a new "
				  "fabric has no jobs",
				  where->job);
	if (options->print_env && options->recipe.spec.arch)
		return parse_fail(why, "--print-env and --arch: must not be combined, because the "
				  "fabric ends with torus-run (create it with torusctl fabric "
				  "add)");
	return debugger_check(options, why) && run_recipe_check(&options->recipe, why);
}

/**
 * run_options_read - parse the command line
 * @options: [out] the options
 * @argc: number of words
 * @argv: the words
 *
 * Return: 0; OPTION_DONE after --help, --version or --options; else the exit status, after an error
 * message.
 */
int run_options_read(struct run_options *options, int argc, char **argv)
{
	struct parse_error why;
	int status;

	*options = (struct run_options){ .where.group = RUN_GROUP_NONE, .grace_ms = GRACE_MS };
	status = option_read(&table, argc, argv, options);
	if (status)
		return status;
	options->program = argv + optind;
	return options_check(options, &why) ? 0 : run_log("%s", why.text);
}
