// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and check the options of run and sweep. An option is parsed after the options on which it
 * depends, so the order on the command line does not matter.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../parse/name.h"
#include "../../parse/integer.h"
#include "../../parse/pair_file.h"
#include "../../parse/pattern.h"
#include "../../parse/shape.h"
#include "../../parse/time.h"
#include "../../parse/workload.h"
#include "arch/arch.h"
#include "../../machine/machine.h"
#include "../../parse/parse.h"
#include "core/run/params.h"
#include "core/workload/timed.h"
#include "trace_filter.h"
#include "config.h"
#include "faults.h"
#include "run_config.h"
#include "../base/message.h"
#include "cmdline.h"

#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000
#define TICKS_MAX	(1ull << 40)
#define PACKETS_MAX	(1ull << 32)
#define KEY_MAX		32
#define ARCH_MAX	64
#define LIMIT_TIMES	100
#define SIM_REPLICATE_MAX	10000

/* Return the shape in the value of --arch, as in bgl:8x8x8; NULL if it has none. */
static const char *arch_shape(const struct sim_cmdline *words)
{
	const char *colon = words->arch ? strchr(words->arch, ':') : NULL;

	return colon ? colon + 1 : NULL;
}

static bool take_arch(struct sim_run_config *options, const struct sim_cmdline *words)
{
	const struct torus_arch *const *arch;
	char name[ARCH_MAX];
	struct torus_error err;
	char list[128] = "";
	size_t used = 0;

	sim_config_from(words, words->arch, NULL);
	if (words->arch) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(words->arch, ":"), words->arch);
		if (!torus_arch_config(&options->config, name, &err))
			return true;
		sim_reject("%s", err.text);
		return false;
	}
	for (arch = torus_archs; *arch; arch++)
		used += scnprintf(list + used, sizeof(list) - used, " %s", (*arch)->name);
	sim_reject("--arch is missing (there are:%s)", list);
	return false;
}

/* Print the error message of a parser and return false. */
static bool reject_why(const struct parse_error *why)
{
	sim_reject("%s", why->text);
	return false;
}

static bool take_shape(struct sim_run_config *options, const struct sim_cmdline *words)
{
	struct parse_list shape;
	struct torus_error err;
	const char *word = arch_shape(words);
	struct parse_error why;
	u32 mesh = 0;

	sim_config_from(words, words->shape, words->mesh);
	if (word && words->shape)
		return !sim_reject("--shape %s: must not be combined with the shape in --arch %s",
				   words->shape, words->arch);
	word = word ? word : words->shape;
	if (!word) {
		sim_reject("--shape is missing");
		return false;
	}
	if (!parse_shape("shape", word, &shape, &why) ||
	    (words->mesh && !parse_mesh(words->mesh, &mesh, &why)))
		return reject_why(&why);
	if (torus_config_shape(&options->config, shape.count, shape.numbers, mesh, &err)) {
		sim_reject("%s", err.text);
		return false;
	}
	return true;
}

static struct torus_machine_shape shape_of(const struct torus_geometry *geo)
{
	return (struct torus_machine_shape){
		.ndims = geo->ndims, .dims = geo->dims, .mesh = geo->mesh,
		.numbering = &geo->numbering,
	};
}

/* Read the file of the pattern file:NAME. */
static bool take_pairs(struct sim_run_config *options)
{
	const struct torus_machine_shape shape = shape_of(&options->config.geo);
	struct parse_error why;

	return parse_pairs_read(&options->pairs, parse_pattern_file(options->load.pattern),
				torus_machine_find(options->config.arch->name), &shape,
				options->config.geo.nodes, &why) || reject_why(&why);
}

/*
 * Use the pairs that another point of the sweep has read: a file on standard input can be read only
 * once.
 */
static bool share_pairs(struct sim_run_config *options, const struct sim_run_config *like)
{
	if (!like || !like->pairs.count || like->load.pattern != options->load.pattern ||
	    like->config.arch != options->config.arch ||
	    memcmp(&like->config.geo, &options->config.geo, sizeof(like->config.geo)))
		return false;
	options->pairs = like->pairs;
	options->shared_pairs = true;
	return true;
}

/*
 * Find an option that does not apply to the pattern timed:FILE, whose packets have their ticks and
 * sizes in the file. Return its name, or NULL.
 */
static const char *not_of_timed(const struct sim_cmdline *words)
{
	return words->load ? "--load" : words->packets ? "--packets" : words->size ? "--size" :
	       words->warmup ? "--warmup" : words->cycles ? "--cycles" :
	       words->until ? "--until" : words->limit ? "--limit" :
	       words->series ? "--series" : words->op ? "--op" :
	       words->checkpoint ? "--checkpoint" : words->restore ? "--restore" : NULL;
}

/*
 * Take the pattern timed:FILE. Its packets have any size; the core requires a number of packets,
 * which is known only at the end.
 */
static bool take_timed(struct sim_run_config *options, const struct sim_cmdline *words)
{
	const struct torus_arch *arch = options->config.arch;
	struct torus_traffic *traffic = &options->load.traffic;

	if (not_of_timed(words))
		return !sim_reject("pattern %s: must not be combined with %s", words->pattern,
				   not_of_timed(words));
	options->timed = parse_pattern_timed(words->pattern);
	if (!strcmp(options->timed, "-") && words->step)
		return !sim_reject("pattern %s: must be a file, because --step reads standard "
				   "input", words->pattern);
	options->load.pattern = words->pattern;
	traffic->pattern = TORUS_PATTERN_TIMED;
	traffic->packets = 1;
	traffic->size_min = arch->chunk_bytes;
	traffic->size_max = arch->packet_chunks_max * arch->chunk_bytes;
	return true;
}

static bool take_pattern(struct sim_run_config *options, const struct sim_cmdline *words,
			 const struct sim_run_config *like)
{
	struct parse_error why;
	char list[256];

	sim_config_from(words, words->pattern, NULL);
	parse_workload_init(&options->load);
	if (!words->pattern) {
		parse_pattern_list(list, sizeof(list));
		sim_reject("--pattern is missing (there are: %s)", list);
		return false;
	}
	if (words->command == SIM_FOR_RUN && !words->replicate &&
	    parse_pattern_timed(words->pattern))
		return take_timed(options, words);
	if (!parse_workload_pattern(&options->load, words->pattern, &why))
		return reject_why(&why);
	return options->load.traffic.pattern != TORUS_PATTERN_TABLE ||
	       share_pairs(options, like) || take_pairs(options);
}

/* Store a KEY=VALUE of --set as a parameter of the workload, the routing tables or the machine. */
static bool take_set(struct sim_run_config *options, const char *pair)
{
	struct torus_error err;
	struct parse_error why;
	char key[KEY_MAX];
	const char *value;
	bool taken;

	if (!parse_pair(pair, key, sizeof(key), &value)) {
		sim_reject("--set %s: must be KEY=VALUE", pair);
		return false;
	}
	if (!parse_workload_set(&options->load, key, value, &taken, &why)) {
		sim_reject("--set %s", why.text);
		return false;
	}
	taken = taken || sim_tables_set(&options->tables, key, value);
	if (taken || !torus_config_set(&options->config, key, value, &err))
		return true;
	sim_reject("--set %s", err.text);
	return false;
}

static bool take_sets(struct sim_run_config *options, const struct sim_cmdline *words)
{
	const struct torus_machine_shape shape = shape_of(&options->config.geo);
	struct parse_error why;
	unsigned int i;

	for (i = 0; i < words->nsets; i++) {
		sim_config_from(words, words->sets[i], NULL);
		if (!take_set(options, words->sets[i]))
			return false;
	}
	sim_config_from(words, words->ntables ? words->tables[0].file : NULL, NULL);
	memcpy(options->tables.files, words->tables, sizeof(words->tables));
	options->tables.nfiles = words->ntables;
	if (!sim_tables_fit(&options->tables, &options->config))
		return false;
	return parse_workload_finish(&options->load,
				     torus_machine_find(options->config.arch->name), &shape,
				     &why) || reject_why(&why);
}

static bool take_faults(struct sim_run_config *options, const struct sim_cmdline *words)
{
	for (; options->nfaults < words->nfaults; options->nfaults++) {
		sim_config_from(words, words->faults[options->nfaults], NULL);
		if (!sim_fault_parse(&options->config, words->faults[options->nfaults],
				     &options->faults[options->nfaults]))
			return false;
	}
	return true;
}

static bool take_series(struct sim_run_config *options, const struct sim_cmdline *words)
{
	struct parse_error why;
	const char *word;

	sim_config_from(words, words->series_links, NULL);
	if (words->series_links && !words->series)
		return !sim_reject("--series-links %s: requires --series",
				   words->series_links);
	if (words->nseries_of && !words->series_links)
		return !sim_reject("--series-of %s: requires --series-links",
				   words->series_of[0]);
	for (; options->nseries_of < words->nseries_of; options->nseries_of++) {
		word = words->series_of[options->nseries_of];
		sim_config_from(words, word, NULL);
		if (!sim_select_links(&options->config, word,
				      &options->series_of[options->nseries_of], &why))
			return !sim_reject("--series-of %s: %s", word, why.text);
	}
	return true;
}

static bool take_number(const struct sim_cmdline *words, const char *what, const char *word,
			u64 min, u64 max, u64 *value)
{
	struct parse_error why;

	sim_config_from(words, word, NULL);
	return !word || parse_number(what, word, min, max, value, &why) || reject_why(&why);
}

static bool take_load(struct sim_run_config *options, const struct sim_cmdline *words)
{
	struct torus_traffic *traffic = &options->load.traffic;
	struct parse_error why;

	sim_config_from(words, words->packets, words->series);
	if (words->packets && words->series && !words->load)
		return !sim_reject("--series: must not be combined with --packets, which has no "
				   "window to divide");
	sim_config_from(words, words->packets,
			words->load ? words->load : words->cycles ? words->cycles : words->warmup);
	if (!parse_workload_loop(words->load, words->packets, words->cycles, words->warmup, &why))
		return reject_why(&why);
	if (words->packets) {
		traffic->cycles = 0;
		traffic->warmup = 0;
		return take_number(words, "packets", words->packets, 1, PACKETS_MAX,
				   &traffic->packets);
	}
	sim_config_from(words, words->load, NULL);
	return parse_load("load", words->load, &traffic->load, &why) || reject_why(&why);
}

/* Parse --until P% and --limit. */
static bool take_until(struct sim_run_config *options, const struct sim_cmdline *words, u64 cycles)
{
	char *end;

	options->limit = LIMIT_TIMES * cycles < TICKS_MAX / 2 ? LIMIT_TIMES * cycles :
								TICKS_MAX / 2;
	sim_config_from(words, words->until, NULL);
	if (words->until) {
		options->until = strtod(words->until, &end) / 100;
		if (end == words->until || strcmp(end, "%") ||
		    !(options->until >= 0.0001 && options->until <= 0.5))
			return !sim_reject("until %s: must be a percentage from 0.01%% to 50%%",
					   words->until);
	}
	sim_config_from(words, words->limit, NULL);
	if (!options->until && !options->warmup_found)
		return !words->limit || !sim_reject("limit %s: requires --until or "
						    "--warmup auto",
						    words->limit);
	sim_config_from(words, options->warmup_found ? words->warmup : words->until, NULL);
	if (words->packets || words->series)
		return !sim_reject("%s: must not be combined with --packets or --series, because "
				   "the run determines its window itself",
				   options->warmup_found ? "--warmup auto" : "--until");
	return take_number(words, "limit", words->limit, cycles, TICKS_MAX / 2, &options->limit);
}

/* Check that no key of --set changes the ticks of the pattern timed:FILE. */
static bool fits_timed(const struct sim_run_config *options)
{
	const struct torus_traffic *traffic = &options->load.traffic;

	if (!traffic->pacing && !traffic->arrivals)
		return true;
	return !sim_reject("pattern %s: must not be combined with --set %s", options->load.pattern,
			   traffic->pacing ? "pacing" : "arrivals");
}

static bool take_traffic(struct sim_run_config *options, const struct sim_cmdline *words)
{
	struct torus_traffic *traffic = &options->load.traffic;
	u64 cycles = CYCLES_DEFAULT;
	u64 warmup = WARMUP_DEFAULT;
	struct parse_error why;

	if (options->timed)
		return fits_timed(options);
	options->warmup_found = words->warmup && !strcmp(words->warmup, "auto");
	sim_config_from(words, words->size, NULL);
	if (words->size &&
	    !parse_sizes(words->size, &traffic->size_min, &traffic->size_max, &why))
		return reject_why(&why);
	parse_workload_size(&options->load, torus_machine_find(options->config.arch->name));
	if (!take_number(words, "series", words->series, 1, TORUS_BATCHES_MAX, &traffic->batches) ||
	    !take_number(words, "cycles", words->cycles, 1, TICKS_MAX, &cycles) ||
	    (!options->warmup_found &&
	     !take_number(words, "warmup", words->warmup, 0, TICKS_MAX, &warmup)) ||
	    !take_until(options, words, cycles))
		return false;
	sim_config_from(words, words->series, words->cycles);
	if (traffic->batches > cycles) {
		sim_reject("series %s: must be at most the %llu ticks of the window",
			   words->series, cycles);
		return false;
	}
	options->window = cycles;
	traffic->cycles = options->until > 0 ? options->limit + cycles : cycles;
	traffic->warmup = options->warmup_found ? TICKS_MAX : warmup;
	return take_load(options, words);
}

static bool take_threads(struct sim_run_config *options, const struct sim_cmdline *words)
{
	u32 nodes = options->config.geo.nodes;
	u64 seed = options->config.seed;
	u64 threads = 1;
	u64 domains;
	u64 parts;

	if (!take_number(words, "seed", words->seed, 0, ~0ull, &seed) ||
	    !take_number(words, "threads", words->threads, 1, TORUS_DOMAINS_MAX, &threads))
		return false;
	domains = threads * (words->ranks ? words->ranks->count : 1);
	parts = domains;
	if (!take_number(words, "domains", words->domains, 1, TORUS_DOMAINS_MAX, &domains))
		return false;
	sim_config_from(words, words->threads, words->domains);
	if (words->ranks && words->apart)
		return !sim_reject("--apart: must not be combined with %u ranks",
				   words->ranks->count);
	if (words->ranks && parts > domains) {
		sim_reject("%u ranks with %llu threads each: must have at most as many threads as "
			   "domains (%llu)", words->ranks->count, threads, domains);
		return false;
	}
	if (threads > domains) {
		sim_reject("threads %llu: must be at most the number of domains (%llu)", threads,
			   domains);
		return false;
	}
	if (domains > nodes) {
		sim_reject("%s %llu: must be at most the %u nodes of the fabric",
			   words->domains || words->ranks ? "domains" : "threads", domains, nodes);
		return false;
	}
	options->config.seed = seed;
	options->config.domains = (u32)domains;
	options->threads = (u32)threads;
	/* with --apart, no thread but the caller runs this fabric */
	options->config.threads = words->apart ? 0 : options->threads;
	options->config.procs = words->ranks;
	return true;
}

static bool take_replicate(struct sim_run_config *options, const struct sim_cmdline *words)
{
	u64 replicate = 0;

	if (!take_number(words, "replicate", words->replicate, 2, SIM_REPLICATE_MAX, &replicate))
		return false;
	options->replicate = (u32)replicate;
	if (!replicate)
		return true;
	sim_config_from(words, words->seed, words->replicate);
	if (options->config.seed > ~0ull - replicate) {
		sim_reject("seed %llu: must not wrap around 2^64 with the next %llu seeds",
			   options->config.seed,
			   replicate);
		return false;
	}
	return true;
}

/*
 * Parse --checkpoint, --every and --restore. The machine must be parsed before, because times
 * depend on its tick.
 */
static int take_checkpoint(struct sim_run_config *options, const struct sim_cmdline *typed)
{
	const struct torus_config *config = &options->config;
	struct parse_time every;
	struct parse_error why;

	options->checkpoint = typed->checkpoint;
	options->restore = typed->restore;
	if (typed->every && !typed->checkpoint)
		return sim_reject("every %s: requires --checkpoint", typed->every);
	if (!typed->checkpoint)
		return SIM_OK;
	if (!*typed->checkpoint)
		return sim_reject("--checkpoint %s: must be the name of a regular file",
				  typed->checkpoint);
	if (typed->replicate || typed->op || typed->series_links || typed->heatmap ||
	    (typed->trace && !typed->stop_at && !typed->step))
		return sim_reject("--checkpoint %s: must not be combined with --replicate, --op, "
				  "--series-links, --heatmap, or --trace without --stop-at or "
				  "--step", typed->checkpoint);
	if (!typed->every)
		return SIM_OK;
	if (!parse_time("every", typed->every, &every, &why))
		return sim_reject("%s", why.text);
	options->every = parse_time_ticks(&every, config->arch->tick_fs(config));
	return options->every ? SIM_OK : sim_reject("every %s: must be at least one tick",
						    typed->every);
}

static bool understand(struct sim_run_config *options, const struct sim_cmdline *words,
		       const struct sim_run_config *like)
{
	bool good = take_arch(options, words) && take_shape(options, words) &&
	       take_pattern(options, words, like) && take_sets(options, words) &&
	       take_traffic(options, words) && take_threads(options, words) &&
	       take_replicate(options, words) && take_faults(options, words) &&
	       take_series(options, words) &&
	       sim_trace_filter_parse(&options->trace, &options->config, words) &&
	       sim_stop_at_parse(&options->stop_at, &options->config, words->stop_at);

	sim_source_set(NULL);
	return good;
}

/**
 * sim_rdma_requested - check whether the run executes puts or gets (--op)
 * @options: the options
 *
 * Return: false if the nodes send packets instead.
 */
bool sim_rdma_requested(const struct sim_run_config *options)
{
	return options->op && strcmp(options->op, "packet");
}

/**
 * sim_run_config_free - free the nodes of --stop-at, and the pairs unless they are shared
 * @options: from sim_run_config_parse(), also if it failed
 */
void sim_run_config_free(struct sim_run_config *options)
{
	sim_stop_at_free(&options->stop_at);
	if (!options->shared_pairs)
		parse_pairs_free(&options->pairs);
}

/**
 * sim_run_config_parse - parse and check the options of a run
 * @options: [out] the options
 * @typed: the words of the options, which must outlive @options
 * @like: options of another point of the sweep, or NULL; @options shares its pairs, so @like must
 *	outlive @options
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_run_config_parse(struct sim_run_config *options, const struct sim_cmdline *typed,
			 const struct sim_run_config *like)
{
	memset(options, 0, sizeof(*options));
	if (typed->json && typed->csv)
		return sim_reject("--json and --csv: must not be combined");
	if (!understand(options, typed, like)) {
		sim_run_config_free(options);
		return SIM_USAGE;
	}
	options->typed = typed;
	options->op = typed->op;
	options->length = typed->length;
	if (options->length && !sim_rdma_requested(options)) {
		sim_run_config_free(options);
		return sim_reject("--length %s: requires --op put or --op get",
				  options->length);
	}
	if (take_checkpoint(options, typed)) {
		sim_run_config_free(options);
		return SIM_USAGE;
	}
	options->json = typed->json;
	options->series = typed->series;
	options->series_links = typed->series_links;
	options->heatmap = typed->heatmap;
	options->statistics = typed->statistics || typed->histogram;
	options->histogram = typed->histogram;
	options->links = typed->links;
	options->csv = typed->csv;
	options->step = typed->step;
	options->progress = typed->progress || (isatty(STDERR_FILENO) && !typed->step);
	options->loads = typed->loads;
	options->plot = typed->plot;
	return SIM_OK;
}
