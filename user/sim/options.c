// SPDX-License-Identifier: GPL-2.0
/*
 * The options of all commands.  First every option's word is kept, then they are
 * understood in the order in which they need each other, so that the order on
 * the line does not matter.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "../machine/machine.h"
#include "../words/words.h"
#include "core/run/params.h"
#include "faults.h"
#include "options.h"
#include "sim.h"

#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000
#define TICKS_MAX	(1ull << 40)
#define PACKETS_MAX	(1ull << 32)
#define SETS_MAX	64
#define KEY_MAX		32
#define HELP_COLUMN	26	/* where explanations begin */

/* The words as they were typed; NULL where there was none. */
struct words {
	const char *arch;
	const char *shape;
	const char *mesh;
	const char *pattern;
	const char *load;
	const char *loads;
	const char *packets;
	const char *size;
	const char *cycles;
	const char *warmup;
	const char *seed;
	const char *threads;
	const char *domains;
	const char *apart;
	const char *plot;
	const char *series;
	const char *links;
	const char *op;
	const char *length;
	struct sim_table tables[SIM_TABLES_MAX];
	unsigned int ntables;
	const char *json;
	const char *csv;
	const char *progress;
	const char *help;
	const char *sets[SETS_MAX];
	unsigned int nsets;
	const char *faults[SIM_FAULTS_MAX];
	unsigned int nfaults;
};

/* An option: its argument (NULL: none), who takes it, and where its word goes. */
struct option_row {
	const char *name;
	const char *argument;
	unsigned int commands;
	size_t offset;
	const char *help;
};

#define BOTH		(SIM_FOR_RUN | SIM_FOR_SWEEP)
#define PLACE(member)	offsetof(struct words, member)

static const struct option_row rows[] = {
	{ "arch", "A", BOTH, PLACE(arch), "the machine" },
	{ "shape", "XxYxZ", BOTH, PLACE(shape), "lengths of its dimensions" },
	{ "mesh", "DIMS", BOTH, PLACE(mesh),
	  "dimensions that are a mesh, like x,z or xz (default: none)" },
	{ "pattern", "P", BOTH, PLACE(pattern), "who sends to whom" },
	{ "load", "F", SIM_FOR_RUN, PLACE(load),
	  "open loop: offered load, a fraction of the pattern's peak, above 0 and up to 2" },
	{ "loads", "FIRST:LAST:STEP", SIM_FOR_SWEEP, PLACE(loads), "offered loads, likewise" },
	{ "packets", "N", SIM_FOR_RUN, PLACE(packets),
	  "closed loop: packets for each source and destination (alltoall*, hotregion,\n"
	  "file:NAME), each root (fills) or each node, measured to the last delivery" },
	{ "size", "BYTES|MIN:MAX", BOTH, PLACE(size),
	  "bytes of a packet that software sees, header included\n"
	  "(default: 256; of xt 72)" },
	{ "cycles", "N", BOTH, PLACE(cycles),
	  "ticks of the measured window (default: 100000)" },
	{ "warmup", "N", BOTH, PLACE(warmup), "ticks before it (default: 20000)" },
	{ "seed", "N", BOTH, PLACE(seed), "of every random stream (default: 1)" },
	{ "threads", "N", BOTH, PLACE(threads), "that simulate side by side (default: 1)" },
	{ "domains", "N", BOTH, PLACE(domains),
	  "parts of the fabric that can (default: as many as threads)" },
	{ "apart", NULL, BOTH, PLACE(apart),
	  "simulate each domain by itself: else the domains of a thread are one" },
	{ "set", "KEY=VALUE", BOTH, PLACE(sets),
	  "a parameter of the machine, or region=2x2x2 region_at=X,Y,Z share=F for\n"
	  "hotregion, root_at=X,Y,Z for fills, arrivals=poisson|bernoulli, class=0|1 of\n"
	  "the packets where the machine has two, or with --packets pacing=F, the\n"
	  "fraction of the peak's rate at which a node's enter,\n"
	  "or what routing tables are to say: policy=initial|v1|v2|v3|one (v3),\n"
	  "datelines=X,Y,Z|auto|none, ties=split|plus, broken=\"NODE DIR, ..\", absent=..;\n"
	  "may be given many times" },
	{ "table", "FILE", BOTH, PLACE(tables),
	  "routing tables as torusctl route dump writes them, instead of computed ones;\n"
	  "at TICK behind the name: from that tick on; may be given many times" },
	{ "fault", "WORDS", SIM_FOR_RUN, PLACE(faults),
	  "\"NODE|all DIR|all FAULT... [at TICK] [for TICKS]\", where FAULT is state up|down,\n"
	  "ber P, corrupt N, escape N, drop-ack N, drop-nack N, corrupt-ack N, ecc-single N,\n"
	  "ecc-double N, parity N or delay TICKS, as for torusctl link set; may be given many\n"
	  "times" },
	{ "series", "N", SIM_FOR_RUN, PLACE(series),
	  "tell the window in N equal parts, a time series" },
	{ "links", "FILE", SIM_FOR_RUN, PLACE(links),
	  "write every link's counters to FILE as CSV" },
	{ "op", "OP", SIM_FOR_RUN, PLACE(op),
	  "packet, or put or get: memory, by engines, --packets N of them (default: packet)" },
	{ "length", "N", SIM_FOR_RUN, PLACE(length), "bytes of a put or get (default: 8)" },
	{ "json", NULL, BOTH, PLACE(json), "answer with one JSON document" },
	{ "csv", NULL, SIM_FOR_SWEEP, PLACE(csv), "answer with CSV" },
	{ "plot", "FILE", SIM_FOR_SWEEP, PLACE(plot),
	  "draw latency and throughput against load, with gnuplot, as .svg or .png" },
	{ "progress", NULL, BOTH, PLACE(progress),
	  "tell how far it is, even where standard error is no terminal" },
	{ "help", NULL, BOTH, PLACE(help), "print this" },
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

/* --------------------------------------------------------------------- help */

/* A text of several lines. */
static void help_text(const char *text)
{
	const char *end;

	for (;; text = end + 1) {
		end = strchrnul(text, '\n');
		printf("%.*s\n", (int)(end - text), text);
		if (!*end)
			return;
		printf("%*s", HELP_COLUMN, "");
	}
}

static void help_machine(const struct torus_arch *arch)
{
	struct torus_config config;
	char text[64];
	int length;
	u32 i, j;

	printf("\n%s: %s\n", arch->name, arch->help);
	torus_config_init(&config, arch);
	for (i = 0; i < torus_param_count(arch); i++) {
		const struct torus_param *param = torus_param_at(arch, i);

		if (!param)
			continue;
		length = printf("  %s=%s", param->name,
				torus_config_text(&config, i, text, sizeof(text)));
		for (j = 0; param->values && param->values[j]; j++)
			if (strcmp(param->values[j], text))
				length += printf("|%s", param->values[j]);
		if (length > HELP_COLUMN - 2) {
			putchar('\n');
			length = 0;
		}
		printf("%*s%s\n", HELP_COLUMN - length, "", param->help);
	}
}

static int help(unsigned int command)
{
	const struct torus_arch *const *arch;
	char list[256];
	char left[64];
	size_t i;

	printf("torus-sim %s --arch A --shape XxYxZ --pattern P %s [OPTION]...\n\n",
	       command == SIM_FOR_RUN ? "run" : "sweep",
	       command == SIM_FOR_RUN ? "--load F|--packets N" : "--loads FIRST:LAST:STEP");
	for (i = 0; i < ROWS; i++) {
		if (!(rows[i].commands & command))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", rows[i].name,
			 rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		printf("  %-23s ", left);
		help_text(rows[i].help);
	}
	word_pattern_list(list, sizeof(list));
	printf("\nPatterns: %s\n", list);
	fputs("\nMachines, and the keys of --set with their default and other values:\n", stdout);
	for (arch = torus_archs; *arch; arch++)
		help_machine(*arch);
	return SIM_HELP;
}

/* ------------------------------------------------------------------ reading */

static int read_set(struct words *words, const char *word)
{
	if (words->nsets == SETS_MAX)
		return sim_bad("--set %s: more than %d", word, SETS_MAX);
	words->sets[words->nsets++] = word;
	return SIM_OK;
}

static int read_fault(struct words *words, const char *word)
{
	if (words->nfaults == SIM_FAULTS_MAX)
		return sim_bad("--fault %s: more than %d", word, SIM_FAULTS_MAX);
	words->faults[words->nfaults++] = word;
	return SIM_OK;
}

/* FILE, and "at TICK" where that follows. */
static int read_table(struct words *words, const char *file, int argc, char **argv)
{
	struct sim_table *table = &words->tables[words->ntables];
	struct word_why why;

	if (words->ntables == SIM_TABLES_MAX)
		return sim_bad("--table %s: more than %d", file, SIM_TABLES_MAX);
	*table = (struct sim_table){ .file = file, .typed = "0" };
	words->ntables++;
	if (optind == argc || strcmp(argv[optind], "at"))
		return SIM_OK;
	if (optind + 1 == argc)
		return sim_bad("--table %s at: its value is missing", file);
	table->typed = argv[optind + 1];
	optind += 2;
	return word_time("at", table->typed, &table->at, &why) ? SIM_OK :
	       sim_bad("--table %s: %s", file, why.text);
}

/* A word that abbreviates no option, or more than one. */
static int read_ambiguous(const char *word, unsigned int command)
{
	size_t length = strcspn(word, "=");
	char many[512] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < ROWS; i++)
		if ((rows[i].commands & command) && length > 2 &&
		    !strncmp(word + 2, rows[i].name, length - 2))
			used += scnprintf(many + used, sizeof(many) - used, " --%s", rows[i].name);
	if (used)
		return sim_bad("%s: may be any of:%s", word, many);
	for (i = 0; i < ROWS; i++)
		if (rows[i].commands & command && used < sizeof(many))
			used += scnprintf(many + used, sizeof(many) - used, " --%s", rows[i].name);
	return sim_bad("%s: there is no such option (there are:%s)", word, many);
}

/* The word of argv[] that getopt stumbled over. */
static int read_unknown(char **argv, int value, unsigned int command)
{
	const char *word = argv[optind - 1];

	if (value == ':')
		return sim_bad("%s: its value is missing", word);
	/* An option that takes no value, or a short one: those have a number. */
	if (optopt > 0 && optopt <= (int)ROWS)
		return sim_bad("%s: --%s takes no value", word, rows[optopt - 1].name);
	if (optopt)
		return sim_bad("-%c: there is no such option", optopt);
	return read_ambiguous(word, command);
}

static int read_words(struct words *words, unsigned int command, int argc, char **argv)
{
	struct option list[ROWS + 1];
	int status = SIM_OK;
	size_t count = 0;
	int value;
	size_t i;

	memset(words, 0, sizeof(*words));
	memset(list, 0, sizeof(list));
	for (i = 0; i < ROWS; i++) {
		if (!(rows[i].commands & command))
			continue;
		list[count++] = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].argument ? required_argument : no_argument,
			.val = (int)i + 1,
		};
	}

	opterr = 0;
	/* "+": what is no option ends them, and is refused below. */
	while (!status && (value = getopt_long(argc, argv, "+:h", list, NULL)) != -1) {
		const struct option_row *row;

		if (value == 'h') {
			words->help = "";
			continue;
		}
		if (value == '?' || value == ':') {
			status = read_unknown(argv, value, command);
			break;
		}
		row = &rows[value - 1];
		if (row->offset == PLACE(sets))
			status = read_set(words, optarg);
		else if (row->offset == PLACE(faults))
			status = read_fault(words, optarg);
		else if (row->offset == PLACE(tables))
			status = read_table(words, optarg, argc, argv);
		else
			*(const char **)((char *)words + row->offset) = optarg ? optarg : "";
	}
	if (!status && optind < argc && !words->help)
		status = sim_bad("%s: one word too many", argv[optind]);
	return status;
}

/* ------------------------------------------------------------ understanding */

static bool take_arch(struct sim_options *options, const struct words *words)
{
	const struct torus_arch *const *arch;
	struct torus_error err;
	char list[128] = "";
	size_t used = 0;

	if (words->arch) {
		if (!torus_arch_config(&options->config, words->arch, &err))
			return true;
		sim_bad("%s", err.text);
		return false;
	}
	for (arch = torus_archs; *arch; arch++)
		used += scnprintf(list + used, sizeof(list) - used, " %s", (*arch)->name);
	sim_bad("--arch is missing (there are:%s)", list);
	return false;
}

/* A reason, told. */
static bool told(const struct word_why *why)
{
	sim_bad("%s", why->text);
	return false;
}

static bool take_shape(struct sim_options *options, const struct words *words)
{
	struct word_list shape;
	struct torus_error err;
	struct word_why why;
	u32 mesh = 0;

	if (!words->shape) {
		sim_bad("--shape is missing");
		return false;
	}
	if (!word_shape("shape", words->shape, &shape, &why) ||
	    (words->mesh && !word_mesh(words->mesh, &mesh, &why)))
		return told(&why);
	if (torus_config_shape(&options->config, shape.count, shape.numbers, mesh, &err)) {
		sim_bad("%s", err.text);
		return false;
	}
	return true;
}

/* The pairs of file:NAME. */
static bool take_pairs(struct sim_options *options)
{
	const struct torus_geometry *geo = &options->config.geo;
	const struct torus_machine_shape shape = {
		.ndims = geo->ndims, .dims = geo->dims, .mesh = geo->mesh,
		.numbering = &geo->numbering,
	};
	struct word_why why;

	return word_pairs_read(&options->pairs, word_pattern_file(options->load.pattern),
			       torus_machine_find(options->config.arch->name), &shape,
			       geo->nodes, &why) || told(&why);
}

static bool take_pattern(struct sim_options *options, const struct words *words)
{
	struct word_why why;
	char list[256];

	word_workload_init(&options->load);
	if (!words->pattern) {
		word_pattern_list(list, sizeof(list));
		sim_bad("--pattern is missing (there are: %s)", list);
		return false;
	}
	if (!word_workload_pattern(&options->load, words->pattern, &why))
		return told(&why);
	return options->load.traffic.pattern != TORUS_PATTERN_TABLE || take_pairs(options);
}

/* KEY=VALUE: some belong to the workload, the others to the machine. */
static bool take_set(struct sim_options *options, const char *pair)
{
	struct torus_error err;
	struct word_why why;
	char key[KEY_MAX];
	const char *value;
	bool taken;

	if (!word_pair(pair, key, sizeof(key), &value)) {
		sim_bad("--set %s: not KEY=VALUE", pair);
		return false;
	}
	if (!word_workload_set(&options->load, key, value, &taken, &why)) {
		sim_bad("--set %s", why.text);
		return false;
	}
	taken = taken || sim_tables_set(&options->tables, key, value);
	if (taken || !torus_config_set(&options->config, key, value, &err))
		return true;
	sim_bad("--set %s", err.text);
	return false;
}

static bool take_sets(struct sim_options *options, const struct words *words)
{
	struct word_why why;
	unsigned int i;

	for (i = 0; i < words->nsets; i++)
		if (!take_set(options, words->sets[i]))
			return false;
	memcpy(options->tables.files, words->tables, sizeof(words->tables));
	options->tables.nfiles = words->ntables;
	if (!sim_tables_fit(&options->tables, &options->config))
		return false;
	return word_workload_finish(&options->load, options->config.geo.ndims, &why) ||
	       told(&why);
}

static bool take_faults(struct sim_options *options, const struct words *words)
{
	for (; options->nfaults < words->nfaults; options->nfaults++)
		if (!sim_fault_parse(&options->config, words->faults[options->nfaults],
				     &options->faults[options->nfaults]))
			return false;
	return true;
}

static bool take_number(const char *what, const char *word, u64 min, u64 max, u64 *value)
{
	struct word_why why;

	return !word || word_number(what, word, min, max, value, &why) || told(&why);
}

static bool take_load(struct sim_options *options, const struct words *words)
{
	struct torus_traffic *traffic = &options->load.traffic;
	struct word_why why;

	if (words->packets && words->series && !words->load)
		return !sim_bad("--series: a workload by --packets has no window to be told in "
				"parts");
	if (!word_workload_loop(words->load, words->packets, words->cycles, words->warmup, &why))
		return told(&why);
	if (words->packets) {
		traffic->cycles = 0;
		traffic->warmup = 0;
		return take_number("packets", words->packets, 1, PACKETS_MAX, &traffic->packets);
	}
	return word_load("load", words->load, &traffic->load, &why) || told(&why);
}

static bool take_traffic(struct sim_options *options, const struct words *words,
			 unsigned int command)
{
	struct torus_traffic *traffic = &options->load.traffic;
	u64 cycles = CYCLES_DEFAULT;
	u64 warmup = WARMUP_DEFAULT;
	struct word_why why;

	if (words->size &&
	    !word_sizes(words->size, &traffic->size_min, &traffic->size_max, &why))
		return told(&why);
	word_workload_size(&options->load, torus_machine_find(options->config.arch->name));
	if (!take_number("series", words->series, 1, TORUS_BATCHES_MAX, &traffic->batches) ||
	    !take_number("cycles", words->cycles, 1, TICKS_MAX, &cycles) ||
	    !take_number("warmup", words->warmup, 0, TICKS_MAX, &warmup))
		return false;
	if (traffic->batches > cycles) {
		sim_bad("series %s: the window has only %llu ticks", words->series, cycles);
		return false;
	}
	traffic->cycles = cycles;
	traffic->warmup = warmup;
	if (command == SIM_FOR_RUN)
		return take_load(options, words);
	if (!words->loads)
		sim_bad("--loads is missing");
	return words->loads;
}

static bool take_threads(struct sim_options *options, const struct words *words)
{
	u32 nodes = options->config.geo.nodes;
	u64 seed = options->config.seed;
	u64 threads = 1;
	u64 domains;

	if (!take_number("seed", words->seed, 0, ~0ull, &seed) ||
	    !take_number("threads", words->threads, 1, TORUS_DOMAINS_MAX, &threads))
		return false;
	domains = threads;
	if (!take_number("domains", words->domains, 1, TORUS_DOMAINS_MAX, &domains))
		return false;
	if (threads > domains) {
		sim_bad("threads %llu: more than there are domains (%llu) to simulate", threads,
			domains);
		return false;
	}
	if (domains > nodes) {
		sim_bad("%s %llu: the fabric has %u nodes", words->domains ? "domains" : "threads",
			domains, nodes);
		return false;
	}
	options->config.seed = seed;
	options->config.domains = (u32)domains;
	options->threads = (u32)threads;
	/* a run's threads are all that the fabric will see */
	options->config.threads = words->apart ? 0 : options->threads;
	return true;
}

static bool understand(struct sim_options *options, const struct words *words,
		       unsigned int command)
{
	return take_arch(options, words) && take_shape(options, words) &&
	       take_pattern(options, words) && take_sets(options, words) &&
	       take_traffic(options, words, command) && take_threads(options, words) &&
	       take_faults(options, words);
}

/**
 * sim_options_free - give back what was read with the options
 * @options: understood, or at least begun to be
 */
void sim_options_free(struct sim_options *options)
{
	word_pairs_free(&options->pairs);
}

/**
 * sim_options_parse - understand the words behind a command's name
 * @options: gets what was asked for
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 * @argc: words, the command's name the first
 * @argv: the words
 *
 * Return: SIM_OK, SIM_USAGE after telling the value and the reason, or SIM_HELP
 * after printing the help.
 */
int sim_options_parse(struct sim_options *options, unsigned int command, int argc, char **argv)
{
	struct words words;
	int status;

	memset(options, 0, sizeof(*options));
	status = read_words(&words, command, argc, argv);
	if (status)
		return status;
	if (words.help)
		return help(command);
	if (words.json && words.csv)
		return sim_bad("--json and --csv: an answer has one of them");
	if (!understand(options, &words, command)) {
		sim_options_free(options);
		return SIM_USAGE;
	}
	options->json = words.json;
	options->series = words.series;
	options->links = words.links;
	options->op = words.op;
	options->length = words.length;
	options->csv = words.csv;
	options->progress = words.progress || isatty(STDERR_FILENO);
	options->loads = words.loads;
	options->plot = words.plot;
	return SIM_OK;
}
