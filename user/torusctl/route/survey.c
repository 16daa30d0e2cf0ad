// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route survey: count the pairs of nodes that are reached with N dead nodes, for all or
 * for random sets of dead nodes. The command needs only a shape, and neither a fabric nor the
 * module.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../machine/machine.h"
#include "../../report/json.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "../../config/args.h"
#include "../print/output.h"
#include "survey.h"
#include "text.h"
#include "../../config/diag.h"

#define NODES_MAX	(1u << 20)

/**
 * survey_counts_json - add the counts of a survey to a record
 * @counts: the counts
 * @doc: [in, out] the record
 */
void survey_counts_json(const struct route_counts *counts, struct json_object *doc)
{
	report_add_u64(doc, "sets", counts->sets);
	report_add_u64(doc, "pairs", counts->pairs);
	report_add_u64(doc, "deterministic", counts->path);
	report_add_u64(doc, "dynamic", counts->adaptive);
	report_add_u64(doc, "relay", counts->relay);
	report_add_u64(doc, "blocked", counts->blocked);
	report_add_u64(doc, "circles", counts->circles);
}

static void progress(const struct route_survey *survey)
{
	fprintf(stderr, "\r%" PRIu64, survey->counts.sets);
	if (survey->samples)
		fprintf(stderr, " of %" PRIu64, survey->samples);
	fprintf(stderr, " sets, %" PRIu64 " pairs, %" PRIu64 " not reached ",
		survey->counts.pairs, survey->counts.blocked);
	fflush(stderr);
}

struct survey_words {
	struct parse_list shape;
	uint32_t mesh;
};

static int survey_word(struct ctl *ctl, struct route_survey *survey, struct survey_words *words,
		       const char *key, const char *word)
{
	__u64 samples = survey->samples, seed = survey->seed;
	struct parse_error why;
	bool good;

	if (!word)
		return ctl_usage(ctl, "%s: its value is missing", key);
	if (!strcmp(key, "mesh")) {
		good = parse_mesh(word, &words->mesh, &why);
		if (good && words->mesh >> words->shape.count)
			good = parse_fail(&why,
					  "mesh %s: must be dimensions of the shape, which has %u",
					  word,
					  words->shape.count);
	} else if (!strcmp(key, "faults")) {
		good = parse_u32(key, word, 0, ROUTE_FAULTS_MAX, &survey->faults, &why);
	} else if (!strcmp(key, "samples")) {
		good = parse_number(key, word, 1, UINT64_MAX, &samples, &why);
	} else if (!strcmp(key, "seed")) {
		good = parse_number(key, word, 0, UINT64_MAX, &seed, &why);
	} else if (!strcmp(key, "colinear")) {
		survey->colinear = !strcmp(word, "yes");
		good = survey->colinear || !strcmp(word, "no");
		if (!good)
			parse_fail(&why, "colinear %s: must be yes or no", word);
	} else {
		return ctl_usage(ctl, "unknown key of a survey: %s", key);
	}
	survey->samples = samples;
	survey->seed = seed;
	return good ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

static const char survey_form[] =
	"{shape} with {faults} dead nodes{where}: {sets} sets{which}\n" SURVEY_COUNTS_FORM
	"{+bad_set}example of a set with unreached pairs:{#bad_set} {coords}{/}"
	"{?blocked}: {from.coords} -> {to.coords}{/}\n{/}";

/* Add the members that only the text output shows to the record of a survey. */
static void add_text(const struct route_survey *survey, struct json_object *doc)
{
	report_add_text(doc, "where", survey->faults < 2 ? "" : survey->colinear ? ", anywhere" :
			", no two on an axis line");
	report_add_text(doc, "which", survey->samples ? " drawn" : survey->map->mesh ? ", all" :
			", all up to translation");
	if (!survey->has_bad || !survey->counts.blocked)
		return;
	json_object_object_add(doc, "from", route_node_json(survey->map, survey->counts.from));
	json_object_object_add(doc, "to", route_node_json(survey->map, survey->counts.to));
}

static struct json_object *survey_json(const struct ctl *ctl, const struct route_survey *survey,
				       const char *shape, uint32_t mesh)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *list;
	uint32_t i;

	report_add_text(doc, "shape", shape);
	output_mesh(doc, "mesh", mesh);
	report_add_u64(doc, "faults", survey->faults);
	report_add_bool(doc, "colinear", survey->colinear);
	report_add_u64(doc, "samples", survey->samples);
	report_add_u64(doc, "seed", survey->seed);
	survey_counts_json(&survey->counts, doc);
	if (survey->has_bad) {
		list = json_object_new_array();
		for (i = 0; i < survey->faults; i++)
			json_object_array_add(list, route_node_json(survey->map, survey->bad[i]));
		json_object_object_add(doc, "bad_set", list);
	}
	if (!ctl->json)
		add_text(survey, doc);
	return doc;
}

/* Return the machine for which user/route computes routes around faults. */
static const struct torus_machine *survey_machine(void)
{
	const struct torus_machine *const *machine = torus_machines;

	while (machine[1] && !torus_machine_can(*machine, TORUS_MACHINE_AVOID))
		machine++;
	return *machine;
}

/**
 * route_survey - run torusctl route survey for a shape
 * @args: SHAPE [mesh DIMS] [faults N] [samples N] [seed N] [colinear yes|no]
 *
 * Return: CTL_OK if every pair is reached and no deadlock is possible, otherwise CTL_FAILED;
 * CTL_USAGE or CTL_FAILED after an error message.
 */
int route_survey(struct ctl *ctl, struct ctl_args *args)
{
	struct route_survey survey = { .faults = 3, .seed = 1 };
	struct survey_words words = { .mesh = 0 };
	const struct torus_machine *machine = survey_machine();
	const char *shape = ctl_next(args), *key;
	struct parse_error why;
	uint64_t nodes = 1;
	unsigned int i;
	int status, error;

	if (!shape)
		return ctl_usage(ctl, "the shape is missing");
	if (!parse_shape("shape", shape, &words.shape, &why))
		return ctl_reject(ctl, "%s", why.text);
	for (i = 0; i < words.shape.count; i++) {
		nodes *= words.shape.numbers[i];
		if (words.shape.numbers[i] > 256)
			return ctl_reject(ctl, "shape %s: a dimension must have at most 256 nodes",
					  shape);
	}
	if (words.shape.count > machine->dims_max)
		return ctl_reject(ctl, "shape %s: %s must have at most %u dimensions", shape,
				  machine->title, machine->dims_max);
	if (nodes > NODES_MAX)
		return ctl_reject(ctl, "shape %s: must have at most %u nodes", shape, NODES_MAX);
	while ((key = ctl_next(args))) {
		status = survey_word(ctl, &survey, &words, key, ctl_next(args));
		if (status)
			return status;
	}
	if (survey.faults > nodes)
		return ctl_reject(ctl, "faults %" PRIu32 ": must be at most the %" PRIu64 " nodes "
				  "of the shape",
				  survey.faults, nodes);
	error = torus_route_map_new(&survey.map, words.shape.numbers, words.shape.count,
				    words.mesh);
	if (!error) {
		survey.progress = isatty(STDERR_FILENO) ? progress : NULL;
		error = route_survey_run(&survey);
		if (survey.progress)
			fputs("\r\033[K", stderr);
	}
	if (error) {
		ctl_error(ctl, error == -ENOENT ?
			  "%s: every set of %" PRIu32 " nodes has two nodes on one axis line" :
			  "%s with %" PRIu32 " faults: out of memory", shape, survey.faults);
		torus_route_map_free(survey.map);
		return error == -ENOENT ? CTL_USAGE : CTL_FAILED;
	}
	output_answer(ctl, survey_json(ctl, &survey, shape, words.mesh), survey_form);
	torus_route_map_free(survey.map);
	return survey.counts.blocked || survey.counts.circles ? CTL_FAILED : CTL_OK;
}
