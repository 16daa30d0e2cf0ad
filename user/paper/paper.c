// SPDX-License-Identifier: GPL-2.0
/* torus-sim paper: compare figures and tables of the papers with our numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../common/option.h"
#include "../report/json.h"
#include "../report/print.h"
#include "../sim/base/signals.h"
#include "../sim/base/json.h"
#include "../sim/base/output_file.h"
#include "../sim/base/plot.h"
#include "../sim/cmdline/proc_timeout.h"
#include "../sim/transport/procs.h"
#include "../parse/option.h"
#include "../parse/parse.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"
#include "print.h"
#include "run.h"

/* Families of figures. Each family is an array in one source file. */
static const struct paper_source *const families[] = {
	paper_bgl_response, paper_bgl_hot, paper_bgl_escape,
	paper_bgl_exchange, paper_bgl_hardware, paper_bgl_pingpong,
	paper_bgl_verification, paper_bgl_speed,
	paper_kncube_curves, paper_kncube_distance, paper_kncube_tables, paper_kncube_rates,
	paper_link_errors, paper_xt_balance, paper_xt_gain, paper_xt_placement,
	paper_tofu_views, paper_tofu_engines, paper_tofu_io, paper_tofu_barrier,
	paper_tofu_utilization,
};

#define FAMILIES	(sizeof(families) / sizeof(families[0]))
#define NODES_MAX	(1u << 30)
#define SEED_MAX	(1ull << 48)

/**
 * struct paper_args - parameters of the command line
 * @name: name of a figure, or "list"
 * @text: file for the figure as text, in addition to standard output; may be NULL
 * @svg: file for the figure as a picture; may be NULL
 * @json: print JSON
 * @progress: show progress
 * @request: parameters of the runs
 */
struct paper_args {
	const char *name;
	const char *text;
	const char *svg;
	bool json;
	bool progress;
	struct paper_request request;
};

static const struct paper_source *next(size_t *family, u32 *index)
{
	const struct paper_source *source;

	for (; *family < FAMILIES; ++*family, *index = 0) {
		source = &families[*family][(*index)++];
		if (source->name)
			return source;
	}
	return NULL;
}

static void print_list(bool json)
{
	struct json_object *list = json_object_new_array();
	const struct paper_source *source;
	struct json_object *one;
	size_t family = 0;
	u32 index = 0;

	while ((source = next(&family, &index))) {
		one = json_object_new_object();
		report_add_text(one, "name", source->name);
		report_add_text(one, "title", source->title);
		sim_json_origin(one);
		report_item(json ? list : NULL, one, "{name%-20s} {title}\n");
	}
	if (json)
		report_print_json(list, false);
	else
		json_object_put(list);
}

/* Reject a name that no figure has, and list all names. */
static int refuse_name(const char *name)
{
	const struct paper_source *source;
	char all[2048] = "";
	size_t family = 0;
	size_t used = 0;
	u32 index = 0;

	while ((source = next(&family, &index)) && used < sizeof(all))
		used += snprintf(all + used, sizeof(all) - used, " %s", source->name);
	return sim_reject("%s: unknown figure (there are: list%s)", name, all);
}

static bool take_timeout(void *into, const struct option_row *row, const char *word,
			 struct parse_error *why)
{
	(void)into;
	(void)row;
	(void)why;
	return !sim_proc_timeout_parse(word);
}

static void help_more(void)
{
	putchar('\n');
	print_list(false);
}

#define AT(member)	.offset = offsetof(struct paper_args, member)

static const struct option_table table = {
	.status = SIM_USAGE,
	.bad = sim_reject,
	.words = "@figure",
	.more = help_more,
	.usage = "torus-sim paper list [--json]\n"
		 "torus-sim paper NAME [OPTION]...\n",
	.rows = (const struct option_row[]){
		{ "full", 0, NULL, "simulate the paper's own size, if it fits into memory",
		  AT(request.full) },
		{ "nodes", 0, "N", "greatest number of nodes (default: what takes a minute)",
		  AT(request.nodes), parse_option_u32, 4, NODES_MAX },
		{ "threads", 0, "N", "number of threads that simulate (default: 1)",
		  AT(request.threads), parse_option_u32, 1, TORUS_DOMAINS_MAX },
		{ "seed", 0, "N", "seed of the run, or of the first of several (default: 1)",
		  AT(request.seed), parse_option_u64, 1, SEED_MAX },
		{ "rank-timeout", 0, "T",
		  "several ranks: end if one has sent nothing for T, like 30s, while\n"
		  "another waits for it (default: wait)",
		  .take = take_timeout },
		{ "svg", 0, "FILE", "draw the figure with gnuplot", AT(svg) },
		{ "text", 0, "FILE", "write the text to FILE as well", AT(text) },
		{ "json", 0, NULL, "print one JSON document", AT(json) },
		{ "progress", 0, NULL,
		  "show the progress of each run even if standard error is no terminal",
		  AT(progress) },
		{ .name = "help", .help = "print this" },
		{ },
	},
};

static int paper_take_options(struct paper_args *asked, int argc, char **argv)
{
	int status;

	*asked = (struct paper_args){ .request = { .threads = 1, .seed = 1 } };
	status = option_read(&table, argc, argv, asked);
	if (!status)
		status = option_word(&table, argc, argv,
				     "NAME is missing (list tells which there are)", &asked->name);
	if (status)
		return status;
	if (asked->request.full && asked->request.nodes)
		return sim_reject("--full and --nodes: must not be combined, only one of them");
	return SIM_OK;
}

static int write_text(const struct paper_source *source, const struct paper_args *asked,
		      const struct paper_figure *figure)
{
	FILE *out = sim_output_open("--text", asked->text);

	if (!out)
		return SIM_FAILED;
	paper_text(out, source, &asked->request, figure);
	return sim_output_close(out, "--text", asked->text);
}

static int print(const struct paper_source *source, const struct paper_args *asked,
		 const struct paper_figure *figure)
{
	if (asked->json)
		paper_json(source, &asked->request, figure);
	else
		paper_text(stdout, source, &asked->request, figure);
	return asked->text ? write_text(source, asked, figure) : SIM_OK;
}

/* Return the exit status, which reports whether a row has the verdict that its number differs. */
static int differs(const struct paper_figure *figure)
{
	struct paper_verdicts verdicts;

	paper_count(figure, &verdicts);
	return verdicts.differ ? SIM_FAILED : SIM_OK;
}

static int run_source(const struct paper_source *source, const struct paper_args *asked,
		      struct paper_figure *figure)
{
	struct sim_plot *plot = NULL;
	int status = SIM_OK;
	int drawn = SIM_OK;

	if (asked->text)
		status = sim_extension("--text", asked->text, ".txt");
	if (!status && asked->text)
		status = sim_writable("--text", asked->text);
	if (!status && asked->svg && !sim_procs_silent())
		status = sim_plot_open(asked->svg, &plot);
	if (status)
		return status;
	sim_signals_catch();
	paper_progress(asked->progress || isatty(STDERR_FILENO));
	status = paper_gather_run(source, &asked->request, figure);
	if (status && sim_interrupted() && !sim_procs_silent())
		fprintf(stderr, "torus-sim: paper: %s: interrupted, no results are printed\n",
			source->name);
	/* if there are several processes, only the first one draws, prints and evaluates */
	if (sim_procs_silent())
		return status;
	if (!status && plot)
		paper_draw(sim_plot_script(plot), source, figure);
	if (plot)
		drawn = sim_plot_close(plot, !status);
	if (!status)
		status = print(source, asked, figure);
	if (!status)
		status = drawn;
	return status ? status : differs(figure);
}

static int paper_command_run(int argc, char **argv)
{
	const struct paper_source *source;
	struct paper_figure *figure;
	struct paper_args asked;
	size_t family = 0;
	u32 index = 0;
	int status;

	status = paper_take_options(&asked, argc, argv);
	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	if (!strcmp(asked.name, "list")) {
		print_list(asked.json);
		return SIM_OK;
	}
	do
		source = next(&family, &index);
	while (source && strcmp(source->name, asked.name));
	if (!source)
		return refuse_name(asked.name);
	figure = calloc(1, sizeof(*figure));
	if (!figure)
		return sim_error("out of memory");
	status = run_source(source, &asked, figure);
	free(figure);
	return status;
}

const struct sim_command sim_paper_command = {
	.name = "paper",
	.help = "a figure or table of the papers beside our numbers",
	.run = paper_command_run,
	.ranks = true,
};
