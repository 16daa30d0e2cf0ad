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
#include "core/run/params.h"
#include "../report/pattern.h"
#include "faults.h"
#include "options.h"
#include "sim.h"
#include "words.h"

#define SIZE_DEFAULT	256
#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000
#define TICKS_MAX	(1ull << 40)
#define PACKETS_MAX	(1ull << 32)
#define LOAD_MAX	2
#define PACING_MAX	2
#define SETS_MAX	64
#define KEY_MAX		32
#define HELP_COLUMN	26	/* where explanations begin */
#define WHOLE		(1ull << 32)	/* 1 in units of 2^-32 */

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
	const char *plot;
	const char *series;
	const char *links;
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
	  "bytes of a packet that software sees, header included (default: 256)" },
	{ "cycles", "N", BOTH, PLACE(cycles),
	  "ticks of the measured window (default: 100000)" },
	{ "warmup", "N", BOTH, PLACE(warmup), "ticks before it (default: 20000)" },
	{ "seed", "N", BOTH, PLACE(seed), "of every random stream (default: 1)" },
	{ "threads", "N", BOTH, PLACE(threads), "that simulate side by side (default: 1)" },
	{ "domains", "N", BOTH, PLACE(domains),
	  "parts of the fabric that can (default: as many as threads)" },
	{ "set", "KEY=VALUE", BOTH, PLACE(sets),
	  "a parameter of the machine, or region=2x2x2 region_at=X,Y,Z share=F for\n"
	  "hotregion, root_at=X,Y,Z for fills, arrivals=poisson|bernoulli, or with\n"
	  "--packets pacing=F, the fraction of the peak's rate at which a node's enter;\n"
	  "may be given many times" },
	{ "fault", "WORDS", SIM_FOR_RUN, PLACE(faults),
	  "\"NODE|all DIR|all FAULT... [at TICK] [for TICKS]\", where FAULT is state up|down,\n"
	  "ber P, corrupt N, escape N, drop-ack N, corrupt-ack N, ecc-single N, ecc-double N,\n"
	  "parity N or delay TICKS, as for torusctl link set; may be given many times" },
	{ "series", "N", SIM_FOR_RUN, PLACE(series),
	  "tell the window in N equal parts, a time series" },
	{ "links", "FILE", SIM_FOR_RUN, PLACE(links),
	  "write every link's counters to FILE as CSV" },
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
	pattern_list(list, sizeof(list));
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

/* A word that abbreviates no option, or more than one. */
static int read_ambiguous(const char *word, unsigned int command)
{
	size_t length = strcspn(word, "=");
	char many[256] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < ROWS; i++)
		if ((rows[i].commands & command) && length > 2 &&
		    !strncmp(word + 2, rows[i].name, length - 2))
			used += scnprintf(many + used, sizeof(many) - used, " --%s", rows[i].name);
	if (used)
		return sim_bad("%s: may be any of:%s", word, many);
	return sim_bad("%s: there is no such option", word);
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

static bool take_shape(struct sim_options *options, const struct words *words)
{
	struct sim_list shape;
	struct torus_error err;
	u32 mesh = 0;

	if (!words->shape) {
		sim_bad("--shape is missing");
		return false;
	}
	if (!word_shape("shape", words->shape, &shape))
		return false;
	if (words->mesh && !word_mesh(words->mesh, &mesh))
		return false;
	if (torus_config_shape(&options->config, shape.count, shape.numbers, mesh, &err)) {
		sim_bad("%s", err.text);
		return false;
	}
	return true;
}

/* The pairs of file:NAME. */
static bool take_table(struct sim_options *options)
{
	const struct torus_geometry *geo = &options->config.geo;
	const struct pattern_shape shape = {
		.ndims = geo->ndims, .dims = geo->dims, .nodes = geo->nodes,
	};
	char why[PATTERN_WHY_MAX];

	if (pattern_table_read(&options->table, pattern_file(options->pattern), &shape, why))
		return true;
	sim_bad("%s", why);
	return false;
}

static bool take_pattern(struct sim_options *options, const struct words *words)
{
	char list[256];

	if (words->pattern && pattern_find(words->pattern, &options->traffic.pattern)) {
		options->pattern = words->pattern;
		return options->traffic.pattern != TORUS_PATTERN_TABLE || take_table(options);
	}
	pattern_list(list, sizeof(list));
	if (words->pattern)
		sim_bad("pattern %s: there is none of that name (there are: %s)",
			words->pattern, list);
	else
		sim_bad("--pattern is missing (there are: %s)", list);
	return false;
}

/* The hot region, or the root of a fill: as many numbers as the fabric has dimensions. */
static bool take_region(struct sim_options *options, const char *key, const char *word)
{
	u32 ndims = options->config.geo.ndims;
	bool corner = strcmp(key, "region");
	struct sim_list list;
	char what[KEY_MAX + 8];

	snprintf(what, sizeof(what), "--set %s", key);
	if (corner ? !word_coords(what, word, &list) : !word_shape(what, word, &list))
		return false;
	if (list.count != ndims) {
		sim_bad("--set %s %s: %u dimensions, but the fabric has %u", key, word,
			list.count, ndims);
		return false;
	}
	memcpy(corner ? options->traffic.region_at : options->traffic.region, list.numbers,
	       ndims * sizeof(list.numbers[0]));
	return true;
}

static bool take_arrivals(struct sim_options *options, const char *word)
{
	options->traffic.arrivals = !strcmp(word, "bernoulli");
	if (options->traffic.arrivals || !strcmp(word, "poisson"))
		return true;
	sim_bad("--set arrivals %s: neither poisson nor bernoulli", word);
	return false;
}

/* KEY=VALUE: some belong to the workload, the others to the machine. */
static bool take_set(struct sim_options *options, const char *pair)
{
	const char *equals = strchr(pair, '=');
	struct torus_error err;
	char key[KEY_MAX];

	if (!equals || equals == pair || (size_t)(equals - pair) >= sizeof(key)) {
		sim_bad("--set %s: not KEY=VALUE", pair);
		return false;
	}
	snprintf(key, sizeof(key), "%.*s", (int)(equals - pair), pair);
	if (!strcmp(key, "root_at") && options->traffic.pattern != TORUS_PATTERN_LINEFILL &&
	    options->traffic.pattern != TORUS_PATTERN_PLANEFILL) {
		sim_bad("--set root_at: pattern %s has no root", options->pattern);
		return false;
	}
	if (!strcmp(key, "region") || !strcmp(key, "region_at") || !strcmp(key, "root_at"))
		return take_region(options, key, equals + 1);
	if (!strcmp(key, "share"))
		return word_fraction("--set share", equals + 1, 1, &options->traffic.share);
	if (!strcmp(key, "arrivals"))
		return take_arrivals(options, equals + 1);
	if (!strcmp(key, "pacing"))
		return word_fraction("--set pacing", equals + 1, PACING_MAX,
				     &options->traffic.pacing);
	if (!torus_config_set(&options->config, key, equals + 1, &err))
		return true;
	sim_bad("--set %s", err.text);
	return false;
}

static bool take_sets(struct sim_options *options, const struct words *words)
{
	unsigned int i;

	options->traffic.share = WHOLE;
	for (i = 0; i < words->nsets; i++)
		if (!take_set(options, words->sets[i]))
			return false;
	if (options->traffic.pattern != TORUS_PATTERN_HOTREGION)
		options->traffic.share = 0;
	else if (!options->traffic.region[0])
		return !sim_bad("--set region is missing: the hot region's lengths, like 2x2x2");
	return true;
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
	return !word || word_number(what, word, min, max, value);
}

static bool take_load(struct sim_options *options, const struct words *words)
{
	struct torus_traffic *traffic = &options->traffic;
	u64 value;

	if (!words->load == !words->packets) {
		sim_bad(words->load ? "--load and --packets: a workload has one of them" :
				      "--load or --packets is missing");
		return false;
	}
	if (words->packets && words->series)
		return !sim_bad("--series: a workload by --packets has no window to be told in "
				"parts");
	if (words->packets && (words->cycles || words->warmup)) {
		sim_bad("--packets: measured to the last delivery, without --%s",
			words->cycles ? "cycles" : "warmup");
		return false;
	}
	if (words->packets) {
		if (!word_number("packets", words->packets, 1, PACKETS_MAX, &value))
			return false;
		traffic->packets = value;
		traffic->cycles = 0;
		traffic->warmup = 0;
		return true;
	}
	if (!word_fraction("load", words->load, LOAD_MAX, &value))
		return false;
	if (!value) {
		sim_bad("load %s: must be more than 0", words->load);
		return false;
	}
	traffic->load = value;
	return true;
}

static bool take_traffic(struct sim_options *options, const struct words *words,
			 unsigned int command)
{
	struct torus_traffic *traffic = &options->traffic;
	u64 cycles = CYCLES_DEFAULT;
	u64 warmup = WARMUP_DEFAULT;

	traffic->size_min = SIZE_DEFAULT;
	traffic->size_max = SIZE_DEFAULT;
	if (words->size && !word_sizes(words->size, &traffic->size_min, &traffic->size_max))
		return false;
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
	pattern_table_free(&options->table);
}

/**
 * sim_options_parse - understand the words behind a command's name
 * @options: gets what was asked for
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 * @argc: words, the command's name the first
 * @argv: they
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
	options->csv = words.csv;
	options->progress = words.progress || isatty(STDERR_FILENO);
	options->loads = words.loads;
	options->plot = words.plot;
	return SIM_OK;
}
