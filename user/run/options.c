// SPDX-License-Identifier: GPL-2.0
/* What was typed. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/version.h"
#include "options.h"
#include "run.h"

#define VERSION		"torus-run " TORUS_VERSION ", ABI %d\n"
#define GRACE_MS	5000
#define RANKS_MAX	0x1000000	/* of a job, see <torus/message.h> */
#define SECONDS_MAX	1e9
#define START_MS_MAX	2000000000u	/* what libtorus takes of TORUS_TIMEOUT */

enum option_number {
	OPTION_NODES = 256,
	OPTION_BOX,
	OPTION_MAP,
	OPTION_GROUP,
	OPTION_TAG,
	OPTION_TIMEOUT,
	OPTION_START_TIMEOUT,
	OPTION_GRACE,
	OPTION_PRINT_ENV,
	OPTION_ARCH,
	OPTION_SHAPE,
	OPTION_MESH,
	OPTION_SEED,
	OPTION_DOMAINS,
	OPTION_BER,
	OPTION_SET,
};

static const struct option long_options[] = {
	{ "fabric", required_argument, NULL, 'f' },
	{ "ranks", required_argument, NULL, 'n' },
	{ "job", required_argument, NULL, 'j' },
	{ "nodes", required_argument, NULL, OPTION_NODES },
	{ "box", required_argument, NULL, OPTION_BOX },
	{ "map", required_argument, NULL, OPTION_MAP },
	{ "group", required_argument, NULL, OPTION_GROUP },
	{ "tag", no_argument, NULL, OPTION_TAG },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "start-timeout", required_argument, NULL, OPTION_START_TIMEOUT },
	{ "grace", required_argument, NULL, OPTION_GRACE },
	{ "print-env", no_argument, NULL, OPTION_PRINT_ENV },
	{ "arch", required_argument, NULL, OPTION_ARCH },
	{ "shape", required_argument, NULL, OPTION_SHAPE },
	{ "mesh", required_argument, NULL, OPTION_MESH },
	{ "seed", required_argument, NULL, OPTION_SEED },
	{ "domains", required_argument, NULL, OPTION_DOMAINS },
	{ "ber", required_argument, NULL, OPTION_BER },
	{ "set", required_argument, NULL, OPTION_SET },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"torus-run -f FABRIC [-n N] [OPTION]... PROGRAM [ARG]...\n"
	"torus-run --arch A --shape S [-n N] [OPTION]... PROGRAM [ARG]...\n"
	"torus-run -f FABRIC [-n N] [OPTION]... --print-env [PROGRAM [ARG]...]\n"
	"\n"
	"Starts PROGRAM at N nodes of a fabric as the ranks of one job.\n"
	"\n"
	"  -f, --fabric NAME     the fabric; of one that is made, its name\n"
	"  -n, --ranks N         number of ranks (every place that is named)\n"
	"\n"
	"Where they are:\n"
	"  -j, --job NAME        the nodes of a job that torusctl job add has placed\n"
	"  --nodes LIST          these nodes: 1,2,3 0-3,0,0 12 0-7 all, blanks between them\n"
	"  --box AT+SHAPE        these nodes: 0,0,0+2x2x2\n"
	"  --map ORDER           which dimension is filled first; t = the groups of a node (xyzt)\n"
	"  --map FILE            a line a rank: its coordinates and, if not 0, its group\n"
	"  --group N|all         FIFO group of the nodes (0)\n"
	"\n"
	"How they run:\n"
	"  --tag                 lines of output begin with the rank\n"
	"  --timeout S           end all after so many seconds, with status 124\n"
	"  --start-timeout S     give up when not all ranks are there after S seconds\n"
	"  --grace S             from SIGTERM to SIGKILL (5)\n"
	"  --print-env           start nothing: print what starts each rank by hand\n"
	"\n"
	"A fabric for the time of the job (root):\n"
	"  --arch A --shape S    the machine and its shape\n"
	"  --mesh DIMS           dimensions that do not close to a ring\n"
	"  --seed N, --domains N, --ber P, --set KEY=VALUE\n"
	"                        parameters, as of torusctl fabric add\n"
	"\n"
	"  -h, --help            print this\n"
	"  -V, --version         print the version\n";

static bool read_group(struct run_options *options, const char *word, struct word_why *why)
{
	if (!strcmp(word, "all") || !strcmp(word, "both")) {
		options->where.group = RUN_GROUP_ALL;
		return true;
	}
	return word_u32("group", word, 0, RUN_GROUP_NONE - 1, &options->where.group, why);
}

static bool read_seconds(const char *what, const char *word, uint64_t *ms, struct word_why *why)
{
	char *end;
	double seconds = strtod(word, &end);

	if (!strchr("0123456789.", *word) || end == word || *end || !isfinite(seconds) ||
	    seconds > SECONDS_MAX)
		return word_refuse(why, "%s %s: not a number of seconds up to %g", what, word,
				   SECONDS_MAX);
	*ms = ceil(seconds * 1000);
	return true;
}

static bool read_limit(const char *what, const char *word, uint64_t *ms, struct word_why *why)
{
	if (!read_seconds(what, word, ms, why))
		return false;
	return *ms || word_refuse(why, "%s %s: no time at all", what, word);
}

/* The ranks read it as digits with a point, whatever was typed. */
static bool read_start_timeout(struct run_options *options, const char *word,
			       struct word_why *why)
{
	uint64_t ms;

	if (!read_limit("start-timeout", word, &ms, why))
		return false;
	if (ms > START_MS_MAX)
		return word_refuse(why, "start-timeout %s: at most %u seconds", word,
				   START_MS_MAX / 1000);
	snprintf(options->start_timeout, sizeof(options->start_timeout),
		 "%" PRIu64 ".%03u", ms / 1000, (unsigned int)(ms % 1000));
	return true;
}

static bool read_nodes(struct run_where *where, const char *word, struct word_why *why)
{
	const char **nodes = realloc(where->nodes, (where->nnodes + 1) * sizeof(*nodes));

	if (!nodes)
		return word_refuse(why, "nodes %s: no memory", word);
	nodes[where->nnodes++] = word;
	where->nodes = nodes;
	return true;
}

static bool take_fabric(struct run_options *options, int option, const char *word,
			struct word_why *why)
{
	struct torus_nl_fabric_spec *spec = &options->recipe.spec;
	__u64 seed = 0;
	bool good;

	switch (option) {
	case 'f':
		options->fabric = word;
		return word_name(word, why);
	case OPTION_ARCH:
		spec->arch = word;
		return true;
	case OPTION_SHAPE:
		return run_recipe_shape(&options->recipe, word, why);
	case OPTION_MESH:
		return word_mesh(word, &spec->mesh, why);
	case OPTION_SEED:
		spec->has_seed = true;
		good = word_number("seed", word, 0, UINT64_MAX, &seed, why);
		spec->seed = seed;
		return good;
	case OPTION_DOMAINS:
		spec->has_domains = true;
		return word_u32("domains", word, 1, UINT32_MAX, &spec->domains, why);
	case OPTION_BER:
		return run_recipe_param(&options->recipe, "ber", word, why);
	default:
		return run_recipe_set(&options->recipe, word, why);
	}
}

static bool take_option(struct run_options *options, int option, const char *word,
			struct word_why *why)
{
	switch (option) {
	case 'n':
		return word_u32("ranks", word, 1, RANKS_MAX, &options->ranks, why);
	case 'j':
		options->where.job = word;
		return word_name(word, why);
	case OPTION_NODES:
		return read_nodes(&options->where, word, why);
	case OPTION_BOX:
		options->where.box = word;
		return true;
	case OPTION_MAP:
		options->where.map = word;
		return true;
	case OPTION_GROUP:
		return read_group(options, word, why);
	case OPTION_TAG:
		options->tag = true;
		return true;
	case OPTION_TIMEOUT:
		return read_limit("timeout", word, &options->timeout_ms, why);
	case OPTION_START_TIMEOUT:
		return read_start_timeout(options, word, why);
	case OPTION_GRACE:
		return read_seconds("grace", word, &options->grace_ms, why);
	case OPTION_PRINT_ENV:
		options->print_env = true;
		return true;
	default:
		return take_fabric(options, option, word, why);
	}
}

static bool options_check(struct run_options *options, struct word_why *why)
{
	const struct run_where *where = &options->where;

	if (!options->fabric && !options->recipe.spec.arch)
		return word_refuse(why, "a fabric is missing: -f NAME, or --arch and --shape");
	if (!options->print_env && !*options->program)
		return word_refuse(why, "a program is missing");
	if (where->nnodes && where->box)
		return word_refuse(why, "--nodes and --box: only one of them can say where");
	if (where->job && (where->nnodes || where->box || where->map))
		return word_refuse(why, "--job %s: the job says where, not --nodes, --box or "
				   "--map", where->job);
	if (where->job && options->recipe.spec.arch)
		return word_refuse(why, "--job %s: a fabric that is made by --arch has no jobs",
				   where->job);
	if (options->print_env && options->recipe.spec.arch)
		return word_refuse(why, "--print-env and --arch: the fabric would end with "
				   "torus-run (make one with torusctl fabric add)");
	return run_recipe_check(&options->recipe, why);
}

/**
 * run_options_read - understand what was typed
 * @options: gets it
 * @argc: number of words
 * @argv: the words
 *
 * Return: -1 to go on, else the exit status.
 */
int run_options_read(struct run_options *options, int argc, char **argv)
{
	struct word_why why;
	int option;

	*options = (struct run_options){ .where.group = RUN_GROUP_NONE, .grace_ms = GRACE_MS };
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:f:n:j:hV", long_options, NULL)) >= 0) {
		const char *typed = argv[optind - 1];

		if (option == 'h') {
			fputs(help, stdout);
			return 0;
		}
		if (option == 'V') {
			printf(VERSION, TORUS_ABI_VERSION);
			return 0;
		}
		if (option == ':' || option == '?') {
			run_tell(option == ':' ? "option %s: its value is missing" :
				 "unknown option %s (torus-run --help lists them)", typed);
			return RUN_REFUSED;
		}
		if (!take_option(options, option, optarg, &why)) {
			run_tell("%s", why.text);
			return RUN_REFUSED;
		}
	}
	options->program = argv + optind;
	if (options_check(options, &why))
		return -1;
	run_tell("%s", why.text);
	return RUN_REFUSED;
}
