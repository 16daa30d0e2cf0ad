// SPDX-License-Identifier: GPL-2.0
/* torusctl route check, survey and whatif for machines with routing tables. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../print/output.h"
#include "cycle.h"
#include "table.h"
#include "table_check.h"
#include "table_print.h"
#include "../../config/diag.h"
#include "../../config/tabled.h"
#include "../../report/json.h"
#include "../../route/xt/vc_balance.h"
#include "../../route/xt/dateline.h"
#include "../../route/xt/explain.h"
#include "../../route/xt/whatif.h"
#include "../../parse/shape.h"

static int out_of_memory(struct ctl *ctl)
{
	ctl_error(ctl, "out of memory");
	return CTL_FAILED;
}

/* Make a list of the links in use, with the packets on each VC, for option -s. */
static struct json_object *links_json(const struct xt_map *map, const struct xt_check *check)
{
	struct json_object *list = json_object_new_array(), *one;
	char dir[PARSE_DIR_MAX];
	struct xt_link link;

	for (link.node = 0; link.node < map->nodes; link.node++)
		for (link.dir = 0; link.dir < XT_DIRS; link.dir++) {
			const u32 *load = check->load[link.node][link.dir];

			if (!load[0] && !load[1])
				continue;
			one = json_object_new_object();
			table_node_json(one, "node", map, link.node);
			report_add_text(one, "dir", parse_dir_name(link.dir, dir, sizeof(dir)));
			report_add_u64(one, "vc0", load[0]);
			report_add_u64(one, "vc1", load[1]);
			report_add_double(one, "balance", xt_balance_link(load[0], load[1]));
			json_object_array_add(list, one);
		}
	return list;
}

/* Return the channels of cycle number @which. @count: [out] number of channels. */
static const struct xt_channel *circle(const struct xt_check *check, u32 which, u32 *count)
{
	u32 first = which ? check->path_ends[which - 1] : 0;

	*count = check->path_ends[which] - first;
	return check->path + first;
}

static void add_circles(const struct ctl *ctl, struct json_object *doc, const struct xt_map *map,
			const struct xt_check *check)
{
	u32 shown = route_cycle_more(ctl, doc, check->cycles, XT_CIRCLES);
	struct json_object *paths = json_object_new_array();
	const struct xt_channel *path;
	u32 i, count;

	for (i = 0; i < shown; i++) {
		path = circle(check, i, &count);
		json_object_array_add(paths, table_path_json(map, path, count));
	}
	json_object_object_add(doc, "cycle_paths", paths);
}

static const char check_form[] =
	"datelines {datelines}\n" TABLE_ENDS_FORM TABLE_FAILURES_FORM
	"{#cycle_paths}" TABLE_PATH_FORM "{/}" ROUTE_CIRCLE_MORE_FORM TABLE_BALANCE_FORM
	"{#links}{node_coords} {dir} vc0 {vc0} vc1 {vc1} balance {balance%.3f}\n{/}";

static void check_print(struct ctl *ctl, const struct route_spec *target,
			const struct xt_check *check)
{
	const struct xt_map *map = target->xt.map;
	struct xt_balance balance[XT_DIMS];
	struct json_object *doc;

	xt_balance_all(map, check, balance);
	doc = table_ends_json(1, check->pairs, check->ends, check->cycles);
	table_machine_json(doc, target);
	table_failures_json(ctl, doc, map, check->failures, NULL, check->nfailures);
	add_circles(ctl, doc, map, check);
	table_lines_json(doc, target->xt.tables->dateline);
	table_balance_json(doc, balance);
	report_add_u64(doc, "hops", check->hops);
	report_add_u64(doc, "memory_bytes", xt_tables_bytes(target->xt.tables));
	if (ctl->statistics)
		json_object_object_add(doc, "links", links_json(map, check));
	output_answer(ctl, doc, check_form);
}

static int check_run(struct ctl *ctl, struct route_spec *target)
{
	struct xt_check check;
	struct xt_next_hops plan;
	bool clean;

	if (xt_check_init(&check, target->xt.map))
		return out_of_memory(ctl);
	xt_check_run(&check, target->xt.tables);
	if (target->xt.has_route && check.nfailures && !xt_next_hops_init(&plan, target->xt.map)) {
		xt_name_failures(&target->xt.route, &plan, check.failures, check.nfailures);
		xt_next_hops_free(&plan);
	}
	check_print(ctl, target, &check);
	clean = xt_check_clean(&check);
	xt_check_free(&check);
	return clean ? CTL_OK : CTL_FAILED;
}

/**
 * route_table_check - run torusctl route check FABRIC|arch ..
 * @args: the machine, and optionally a file with its tables
 *
 * Return: CTL_OK if the tables have no fault, otherwise CTL_FAILED; CTL_USAGE or CTL_FAILED after
 * an error message.
 */
int route_table_check(struct ctl *ctl, struct ctl_args *args)
{
	struct route_spec target;
	int status = route_spec_take(ctl, args, ROUTE_TAKES_TABLE, 0, &target);

	if (!status)
		status = route_spec_seen(ctl, &target, NULL);
	if (!status)
		status = route_spec_tables(ctl, &target);
	if (!status)
		status = check_run(ctl, &target);
	route_spec_free(&target);
	return status;
}

static void progress(const struct xt_survey *survey)
{
	fprintf(stderr, "\r%" PRIu64, survey->sets);
	if (survey->samples)
		fprintf(stderr, " of %" PRIu64, survey->samples);
	fprintf(stderr, " sets, %" PRIu64 " clean ", survey->clean);
	fflush(stderr);
}

static void bad_json(struct json_object *doc, const struct xt_survey *survey)
{
	struct json_object *list = json_object_new_array();
	char dir[PARSE_DIR_MAX];
	u32 i;

	for (i = 0; i < survey->cables; i++) {
		struct json_object *one = json_object_new_object();

		table_node_json(one, "node", survey->route->map, survey->bad[i].node);
		report_add_text(one, "dir", parse_dir_name(survey->bad[i].dir, dir, sizeof(dir)));
		json_object_array_add(list, one);
	}
	json_object_object_add(doc, "bad_set", list);
}

static const char survey_form[] =
	"{shape} with {cables} cables out: {sets} sets{?samples} drawn{:}, all{/}, {clean} clean, "
	"{datelines_moved} with datelines moved from {datelines}\n" TABLE_ENDS_FORM
	"{goals} goals, {searched} by search\n" TABLE_FAILURES_FORM
	"{>cycle_path}" TABLE_PATH_FORM "{/}"
	"{+bad_set}example of such a set:{#bad_set}{,},{/} {node_coords} {dir}{/}\n{/}";

static void survey_print(struct ctl *ctl, const struct route_spec *target,
			 const struct xt_survey *survey, const u32 *usual)
{
	const struct xt_map *map = target->xt.map;
	struct json_object *doc;

	doc = table_ends_json(survey->sets, survey->pairs, survey->ends, survey->cycles);
	table_machine_json(doc, target);
	report_add_u64(doc, "cables", survey->cables);
	report_add_u64(doc, "samples", survey->samples);
	report_add_u64(doc, "seed", survey->seed);
	report_add_u64(doc, "clean", survey->clean);
	report_add_u64(doc, "datelines_moved", survey->moved);
	report_add_u64(doc, "goals", survey->made.goals);
	report_add_u64(doc, "searched", survey->made.searched);
	table_failures_json(ctl, doc, map, survey->failures, survey->sets_of, survey->nfailures);
	json_object_object_add(doc, "cycle_path",
			       table_path_json(map, survey->path, survey->npath));
	table_lines_json(doc, usual);
	report_add_u64(doc, "memory_bytes", survey->most_bytes);
	if (survey->has_bad)
		bad_json(doc, survey);
	output_answer(ctl, doc, survey_form);
}

static int survey_run(struct ctl *ctl, struct route_spec *target, struct xt_survey *survey)
{
	u32 usual[XT_DIMS];
	struct xt_next_hops plan;
	int error;

	if (survey->automatic) {
		if (xt_next_hops_init(&plan, target->xt.map))
			return out_of_memory(ctl);
		xt_datelines_auto(&target->xt.route, &plan);
		xt_next_hops_free(&plan);
	}
	memcpy(usual, target->xt.route.dateline, sizeof(usual));
	survey->progress = isatty(STDERR_FILENO) ? progress : NULL;
	error = xt_survey_run(survey);
	if (survey->progress)
		fputs("\r\033[K", stderr);
	if (error == -EINVAL)
		return ctl_reject(ctl, "cables %u: must be at most the %u cables of the machine",
				  survey->cables,
				  xt_survey_cables(target->xt.map));
	if (error)
		return out_of_memory(ctl);
	survey_print(ctl, target, survey, usual);
	return survey->clean == survey->sets ? CTL_OK : CTL_FAILED;
}

/**
 * route_table_survey - run torusctl route survey FABRIC|arch ..
 * @args: the machine, and the sets of cables that are removed
 *
 * Return: CTL_OK if the tables have no fault for any set, otherwise CTL_FAILED; CTL_USAGE or
 * CTL_FAILED after an error message.
 */
int route_table_survey(struct ctl *ctl, struct ctl_args *args)
{
	struct xt_survey survey = { .seed = 1 };
	struct route_spec target;
	uint64_t cables = 1;
	int status = route_spec_make(ctl, args, ROUTE_TAKES_SURVEY, 0, &target);

	if (!status)
		status = route_spec_number(ctl, &target, ROUTE_KEY_CABLES, 0, XT_CABLES_MAX,
					   &cables);
	if (!status)
		status = route_spec_number(ctl, &target, ROUTE_KEY_SAMPLES, 1, UINT64_MAX,
					   &survey.samples);
	if (!status)
		status = route_spec_number(ctl, &target, ROUTE_KEY_SEED, 0, UINT64_MAX,
					   &survey.seed);
	if (!status) {
		survey.route = &target.xt.route;
		survey.automatic = target.xt.automatic;
		survey.cables = (u32)cables;
		status = survey_run(ctl, &target, &survey);
		xt_survey_free(&survey);
	}
	route_spec_free(&target);
	return status;
}

static const char whatif_form[] =
	"datelines {datelines}, before {before.datelines}\n"
	"{pairs} pairs: {longer} longer, {moved} moved, {lost} lost, {gained} gained\n"
	"{>busiest_before}busiest link before: {node_coords} {dir}, {pairs} pairs\n{/}"
	"{>busiest_after}busiest link after: {node_coords} {dir}, {pairs} pairs\n{/}";

static void whatif_print(struct ctl *ctl, const struct route_spec *target,
			 const struct xt_whatif *whatif, const u32 *before)
{
	static const char *const keys[2] = { "busiest_before", "busiest_after" };
	struct json_object *doc = json_object_new_object(), *one;
	char text[PARSE_DIR_MAX];
	unsigned int i;

	table_machine_json(doc, target);
	table_lines_json(doc, target->xt.tables->dateline);
	report_add_u64(doc, "pairs", whatif->pairs);
	report_add_u64(doc, "longer", whatif->longer);
	report_add_u64(doc, "moved", whatif->moved);
	report_add_u64(doc, "lost", whatif->lost);
	report_add_u64(doc, "gained", whatif->gained);
	for (i = 0; i < 2; i++) {
		one = json_object_new_object();
		table_node_json(one, "node", target->xt.map, whatif->busiest[i].node);
		report_add_text(one, "dir",
				parse_dir_name(whatif->busiest[i].dir, text, sizeof(text)));
		report_add_u64(one, "pairs", whatif->packets[i]);
		json_object_object_add(doc, keys[i], one);
	}
	if (!ctl->json) {
		one = json_object_new_object();
		table_lines_json(one, before);
		json_object_object_add(doc, "before", one);
	}
	output_answer(ctl, doc, whatif_form);
}

/*
 * Parse the arguments of `route whatif` twice: @after is the machine with broken cables, @before
 * the machine without them.
 */
static int whatif_parse(struct ctl *ctl, struct ctl_args *args, struct route_spec *before,
			struct route_spec *after)
{
	struct ctl_args again = *args;
	unsigned int takes = ROUTE_TAKES_MACHINE;
	bool meant = route_spec_meant(args);
	struct xt_map *map;
	u32 node, dir;
	int status;

	memset(before, 0, sizeof(*before));
	status = route_spec_make(ctl, args, takes, 0, after);
	if (!status && !after->values[ROUTE_KEY_BROKEN])
		status = ctl_usage(ctl, "broken is missing: must list the cables to break");
	/* for a fabric, parse only its name into @before, which then has the loaded tables */
	if (!meant)
		again.count = again.at + 1;
	if (!status)
		status = route_spec_take(ctl, &again, takes, 0, before);
	if (status || !meant)
		return status;
	map = before->xt.map;
	for (node = 0; node < map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir += 2)
			if (map->cable[node][dir] == XT_BROKEN)
				xt_map_set(map, node, dir, XT_LIVE);
	xt_route_settle(&before->xt.route);
	return CTL_OK;
}

/**
 * route_table_whatif - run torusctl route whatif FABRIC|arch .. broken ..
 * @args: the machine and the cables
 *
 * For a fabric, compare its loaded tables with new tables, which avoid the fabric's dead cables and
 * the given cables.
 *
 * Return: CTL_OK if no pair loses its route, otherwise CTL_FAILED; CTL_USAGE or CTL_FAILED after an
 * error message.
 */
int route_table_whatif(struct ctl *ctl, struct ctl_args *args)
{
	struct route_spec before, after;
	struct xt_whatif whatif;
	int status = whatif_parse(ctl, args, &before, &after);

	if (!status)
		status = route_spec_tables(ctl, &before);
	if (!status)
		status = route_spec_tables(ctl, &after);
	if (!status && xt_whatif_run(&whatif, before.xt.tables, after.xt.tables)) {
		status = out_of_memory(ctl);
	} else if (!status) {
		whatif_print(ctl, &after, &whatif, before.xt.tables->dateline);
		status = whatif.lost ? CTL_FAILED : CTL_OK;
	}
	route_spec_free(&after);
	route_spec_free(&before);
	return status;
}
