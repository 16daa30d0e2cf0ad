// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl job: nodes by rank, with a partition of their own.  The module keeps them: what it has
 * taken for one job it refuses to another.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "ctl.h"
#include "jobplace.h"
#include "output.h"
#include "place.h"
#include "../report/add.h"
#include "../words/key.h"
#include "../words/places.h"
#include "../words/shape.h"
#include "say.h"

#define AT_AXES	3u

/* What was typed of a job. */
struct typed {
	struct job_view view;
	const char *shape;
	char **nodes;
	int nnodes;
};

static int take_name(struct ctl *ctl, struct ctl_args *args, const char **name)
{
	struct word_why why;

	*name = ctl_next(args);
	if (!*name)
		return ctl_usage(ctl, "the job's name is missing");
	return word_name(*name, &why) ? CTL_OK : ctl_bad(ctl, "%s", why.text);
}

static int take_value(struct ctl *ctl, const char *key, const char *word, struct typed *typed)
{
	struct job_view *view = &typed->view;
	bool at = !strcmp(key, "at");
	struct word_why why;

	if (!at && strcmp(key, "view"))
		return ctl_usage(ctl, "%s: a job has no such thing", key);
	if (!word)
		return ctl_usage(ctl, "%s: its value is missing", key);
	if (at ? view->has_at : !!typed->shape)
		return ctl_bad(ctl, "%s: given twice", key);
	if (at ? !word_coords("at", word, &view->at, &why) :
		 !word_shape("view", word, &view->view, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (at && view->at.count != AT_AXES)
		return ctl_bad(ctl, "at %s: a group's x, y and z: three coordinates", word);
	view->has_at |= at;
	typed->shape = at ? typed->shape : word;
	return CTL_OK;
}

/* [view XxYxZ] [at X,Y,Z] [shorter] [nodes NODES..] */
static int take_typed(struct ctl *ctl, struct ctl_args *args, struct typed *typed)
{
	const char *key;
	int status = CTL_OK;

	*typed = (struct typed){ .shape = NULL };
	while (!status && (key = ctl_next(args))) {
		if (!strcmp(key, "shorter")) {
			typed->view.shorter = true;
		} else if (!strcmp(key, "nodes")) {
			typed->nodes = args->words + args->at;
			typed->nnodes = args->count - args->at;
			args->at = args->count;
			if (!typed->nnodes)
				return ctl_usage(ctl, "nodes: none is named");
		} else {
			status = take_value(ctl, key, ctl_next(args), typed);
		}
	}
	if (status)
		return status;
	if (typed->nnodes && (typed->view.has_at || typed->view.shorter))
		return ctl_bad(ctl, "nodes %s: they say where the job is; at and shorter do not "
			       "go with them", typed->nodes[0]);
	if (!typed->nnodes && !typed->shape)
		return ctl_usage(ctl, "view or nodes is missing");
	if (!typed->nnodes && typed->view.view.count != AT_AXES)
		return ctl_bad(ctl, "view %s: a torus of three axes is placed; others need nodes",
			       typed->shape);
	return CTL_OK;
}

/* The nodes of all words, one behind the other. */
static int take_nodes(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		      const struct typed *typed, struct torus_nl_job *job)
{
	int i, status;

	for (i = 0; i < typed->nnodes && job->count <= PLACES_MAX; i++) {
		struct place_list list = { .count = 0 };
		struct word_places places;
		struct word_why why;
		uint32_t *grown;

		if (!word_places(typed->nodes[i], &places, &why))
			return ctl_bad(ctl, "%s", why.text);
		status = place_numbers(ctl, fabric, &places, &list);
		if (status) {
			free(list.numbers);
			return status;
		}
		grown = reallocarray(job->nodes, job->count + list.count, sizeof(*grown));
		if (grown) {
			job->nodes = grown;
			memcpy(grown + job->count, list.numbers, list.count * sizeof(*grown));
			job->count += list.count;
		}
		free(list.numbers);
		if (!grown) {
			ctl_tell(ctl, "no memory for the nodes of job %s", job->name);
			return CTL_FAILED;
		}
	}
	job->axes = typed->shape ? typed->view.view.count : 0;
	memcpy(job->view, typed->view.view.numbers, job->axes * sizeof(job->view[0]));
	return CTL_OK;
}

static int job_add(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_job job = { .count = 0 };
	char why[TORUS_MACHINE_WHY_MAX];
	const char *name;
	struct target target;
	struct typed typed;
	int status = target_parse(ctl, args, TARGET_FABRIC, &target);

	if (!status)
		status = take_name(ctl, args, &name);
	if (!status)
		status = take_typed(ctl, args, &typed);
	if (!status)
		status = target_find(ctl, &target);
	if (status)
		return status;
	snprintf(job.name, sizeof(job.name), "%s", name);
	if (!typed.nnodes && torus_machine_demand(target.fabric.arch, TORUS_MACHINE_VIEWS, why,
						  sizeof(why))) {
		ctl_tell(ctl, "view: fabric %s: %s: name the job's nodes", target.name, why);
		return CTL_FAILED;
	}
	status = typed.nnodes ? take_nodes(ctl, &target.fabric, &typed, &job) :
				job_place(ctl, &target, &typed.view, &job);
	if (!status && job.count > TORUS_NL_JOB_NODES_MAX) {
		ctl_tell(ctl, "job %s: %" PRIu32 " nodes, at most %d", name, job.count,
			 TORUS_NL_JOB_NODES_MAX);
		status = CTL_FAILED;
	}
	if (!status && torus_nl_job_add(ctl->nl, target.name, &job))
		status = ctl_failed(ctl);
	free(job.nodes);
	return status ? status : ctl_done(ctl);
}

static int job_del(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	const char *name;
	int status = target_parse(ctl, args, TARGET_FABRIC, &target);

	if (!status)
		status = take_name(ctl, args, &name);
	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	return torus_nl_job_del(ctl->nl, target.name, name) ? ctl_failed(ctl) : ctl_done(ctl);
}

/* ------------------------------------------------------------------- showing */

static const char job_form[] =
	"{job}: partition {partition} nodes {nodes}{?view} view {#view}{,}x{/}{.}{/}{/}\n"
	"{#places}  rank {@}: node {node} at " OUTPUT_PLACE "\n{/}";

static struct json_object *numbers_json(const uint32_t *numbers, uint32_t count)
{
	struct json_object *list = json_object_new_array();
	uint32_t i;

	for (i = 0; i < count; i++)
		json_object_array_add(list, json_object_new_uint64(numbers[i]));
	return list;
}

/* Where the node of each rank is. */
static struct json_object *places_json(const struct torus_nl_fabric *fabric,
				       const struct torus_nl_job *job)
{
	struct json_object *list = json_object_new_array(), *one;
	uint32_t rank;

	for (rank = 0; rank < job->count; rank++) {
		one = json_object_new_object();
		output_node(one, fabric, job->nodes[rank]);
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *job_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
				    const struct torus_nl_job *job)
{
	struct json_object *object = json_object_new_object();

	report_add_text(object, "job", job->name);
	report_add_u64(object, "partition", job->partition);
	report_add_u64(object, "nodes", job->count);
	json_object_object_add(object, "view",
			       job->axes ? numbers_json(job->view, job->axes) : NULL);
	if (job->nodes && ctl->json)
		json_object_object_add(object, "node_of_rank",
				       numbers_json(job->nodes, job->count));
	else if (job->nodes)
		json_object_object_add(object, "places", places_json(fabric, job));
	return object;
}

static int job_list(struct ctl *ctl, const struct target *target, const char *name,
		    struct torus_nl_job **jobs, size_t *count)
{
	if (!name)
		return torus_nl_job_dump(ctl->nl, target->name, jobs, count) ? ctl_failed(ctl) :
									      CTL_OK;
	*count = 1;
	*jobs = calloc(1, sizeof(**jobs));
	if (!*jobs) {
		ctl_tell(ctl, "no memory for job %s", name);
		return CTL_FAILED;
	}
	return torus_nl_job_get(ctl->nl, target->name, name, *jobs) ? ctl_failed(ctl) : CTL_OK;
}

static int job_show(struct ctl *ctl, struct ctl_args *args)
{
	struct json_object *list = NULL;
	struct torus_nl_job *jobs = NULL;
	const char *name = NULL;
	struct target target;
	size_t count = 0, i;
	int status = target_parse(ctl, args, TARGET_FABRIC, &target);

	if (!status && args->at < args->count)
		status = take_name(ctl, args, &name);
	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = target_find(ctl, &target);
	if (!status)
		status = job_list(ctl, &target, name, &jobs, &count);
	if (status) {
		free(jobs);
		return status;
	}
	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++)
		output_item(list, job_json(ctl, &target.fabric, &jobs[i]), job_form);
	if (list)
		output_json(ctl, list);
	if (name)
		free(jobs[0].nodes);
	free(jobs);
	return ctl_done(ctl);
}

static const struct ctl_command commands[] = {
	{ "show", "FABRIC [NAME]", job_show },
	{ "add", "FABRIC NAME view XxYxZ [at X,Y,Z] [shorter] | [view S] nodes NODES..", job_add },
	{ "del", "FABRIC NAME", job_del },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_job = {
	.name = "job",
	.help = "nodes by rank, whose packets nobody else gets",
	.details = "add finds a box of groups for a view of Tofu (route shapes), free and alive; "
		   "at = its first group,\nshorter = round dead nodes, too. Or it takes nodes of "
		   "any machine, by rank. The nodes get a partition\nof their own. torus-run -j "
		   "NAME runs there. show NAME tells the node of each rank.\n",
	.commands = commands,
	.fallback = NULL,
};
