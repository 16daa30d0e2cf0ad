// SPDX-License-Identifier: GPL-2.0
/* Print a study as text and as JSON. */
#include <math.h>
#include <stdio.h>

#include <json-c/json.h>

#include "../report/json.h"
#include "../report/report.h"
#include "../sim/base/json.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "views.h"
#include "print.h"
#include "experiment.h"

#define MESHES	((1u << TOFU_GROUP_AXES) - 1)

static void put_interval(struct json_object *doc, const char *key, const struct jobs_mean *mean)
{
	char text[48] = "-";

	if (!isnan(mean->half))
		snprintf(text, sizeof(text), "%6.2f +- %.2f", 100 * mean->mean, 100 * mean->half);
	else if (!isnan(mean->mean))
		snprintf(text, sizeof(text), "%6.2f", 100 * mean->mean);
	report_add_text(doc, key, text);
}

static double mean_load(const struct jobs_experiment *study)
{
	double sum = 0;
	u32 i, n = 0;

	for (i = 0; i < study->seeds; i++)
		if (!isnan(study->load[i])) {
			sum += study->load[i];
			n++;
		}
	return n ? sum / n : NAN;
}

/* Means of a rule's results, except the utilization; NAN if nothing was measured. */
struct beside {
	double allocated;
	double waited;
	double queue;
};

static struct beside mean_beside(const struct jobs_experiment *study, u32 rule)
{
	struct beside sum = { .allocated = 0 };
	u32 streams = 0, waited = 0, i;

	for (i = 0; i < study->seeds; i++) {
		const struct jobs_result *result = &study->result[rule][i];

		if (!jobs_experiment_counts(study, rule, i))
			continue;
		streams++;
		sum.allocated += result->allocated;
		sum.queue += result->queue;
		if (isnan(result->waited))
			continue;
		waited++;
		sum.waited += result->waited;
	}
	return (struct beside){
		.allocated = streams ? sum.allocated / streams : NAN,
		.waited = waited ? sum.waited / waited : NAN,
		.queue = streams ? sum.queue / streams : NAN,
	};
}

static const char study_form[] =
	"{arch} {shape}: {nodes} nodes, {seeds} streams of {jobs} jobs, load {load%.3f}, "
	"{+log}log {log%m}, the largest of {nodes_max} nodes, {skipped} jobs left out{:}"
	"{nodes_min} to {nodes_max} nodes, run time of median {run_median_s%g} s, "
	"sigma {run_sigma%g}{/}\n"
	"{?redundancy}jobs of {redundancy} nodes and more have redundancy nodes\n{/}"
	"shapes schedule     utilisation %   first is above  allocated   waited s    queue\n"
	"{#rules}{shapes%-6s} {schedule%-9s} {use%16s} {above%16s} {allocated*100%10.2f} "
	"{waited%10.0f} {queue%8.0f}\n{/}";

static void put_mean(struct json_object *doc, const char *key, const struct jobs_mean *mean)
{
	struct json_object *one = json_object_new_object();
	bool known = !isnan(mean->half);

	json_object_object_add(one, "mean", report_double(mean->mean));
	json_object_object_add(one, "low95", known ? report_double(mean->mean - mean->half) : NULL);
	json_object_object_add(one, "high95",
			       known ? report_double(mean->mean + mean->half) : NULL);
	json_object_object_add(doc, key, one);
}

/* Add the members that only the text has. */
static void rule_text(const struct jobs_experiment *study, u32 rule, const struct jobs_mean *mean,
		      const struct jobs_mean *gain, struct json_object *doc)
{
	struct beside beside = mean_beside(study, rule);

	put_interval(doc, "use", mean);
	report_add_text(doc, "above", "");
	if (rule)
		put_interval(doc, "above", gain);
	report_add_double(doc, "allocated", beside.allocated);
	report_add_double(doc, "waited", beside.waited);
	report_add_double(doc, "queue", beside.queue);
}

static struct json_object *rule_json(const struct jobs_experiment *study, u32 rule, bool json)
{
	struct jobs_mean mean = jobs_experiment_mean(study,
						     rule), gain = jobs_experiment_gain(study,
											rule);
	struct json_object *doc = json_object_new_object();
	struct json_object *streams = json_object_new_array();
	u32 i;

	report_add_text(doc, "shapes", jobs_shapes_name(study->rule[rule].shapes));
	report_add_text(doc, "schedule", jobs_order_name(study->rule[rule].order));
	put_mean(doc, "utilization", &mean);
	put_mean(doc, "first_is_above", &gain);
	for (i = 0; i < study->seeds; i++) {
		const struct jobs_result *result = &study->result[rule][i];
		struct json_object *one;

		if (!result->arrived)
			continue;
		one = json_object_new_object();
		json_object_object_add(one, "arrived", json_object_new_uint64(result->arrived));
		json_object_object_add(one, "utilization", report_double(result->utilization));
		json_object_object_add(one, "allocated", report_double(result->allocated));
		json_object_object_add(one, "started", json_object_new_uint64(result->started));
		json_object_object_add(one, "waited_s", report_double(result->waited));
		json_object_object_add(one, "queue", json_object_new_uint64(result->queue));
		json_object_array_add(streams, one);
	}
	json_object_object_add(doc, "streams", streams);
	if (!json)
		rule_text(study, rule, &mean, &gain, doc);
	return doc;
}

static void put_law(struct json_object *doc, const struct jobs_experiment *study)
{
	report_add_text(doc, "log", study->log);
	json_object_object_add(doc, "skipped", json_object_new_uint64(study->skipped));
	json_object_object_add(doc, "load", report_double(mean_load(study)));
	json_object_object_add(doc, "jobs", json_object_new_uint64(study->jobs));
	if (study->log) {
		json_object_object_add(doc, "nodes_max", json_object_new_uint64(study->law.most));
		return;
	}
	report_add_u64(doc, "seed", study->seed);
	json_object_object_add(doc, "nodes_min", json_object_new_uint64(study->law.least));
	json_object_object_add(doc, "nodes_max", json_object_new_uint64(study->law.most));
	json_object_object_add(doc, "run_median_s", report_double(study->law.median));
	json_object_object_add(doc, "run_sigma", report_double(study->law.sigma));
}

/**
 * jobs_experiment_print() - print a study as text or as JSON
 * @study: must have been run
 * @json: print JSON
 */
void jobs_experiment_print(const struct jobs_experiment *study, bool json)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *mesh = json_object_new_array();
	struct json_object *rules = json_object_new_array();
	char text[PARSE_SHAPE_MAX];
	u32 i, stream, rule;

	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if ((study->g.mesh & MESHES) >> i & 1) {
			parse_dim_name(i, text, sizeof(text));
			json_object_array_add(mesh, json_object_new_string(text));
		}
	report_add_text(doc, "arch", "tofu");
	report_add_text(doc, "shape", torus_geometry_shape(&study->g, text, sizeof(text)));
	json_object_object_add(doc, "mesh", mesh);
	json_object_object_add(doc, "nodes", json_object_new_uint64(study->g.nodes));
	json_object_object_add(doc, "redundancy", json_object_new_uint64(study->redundancy));
	json_object_object_add(doc, "depth", json_object_new_uint64(study->depth));
	put_law(doc, study);
	report_add_text(doc, "outcome", jobs_experiment_stopped(study, &stream, &rule) ?
			"interrupted" : "done");
	for (i = 0; i < study->rules; i++)
		json_object_array_add(rules, rule_json(study, i, json));
	json_object_object_add(doc, "rules", rules);
	if (!json)
		report_add_u64(doc, "seeds", study->seeds);
	sim_json_answer(doc, json, study_form);
}
