// SPDX-License-Identifier: GPL-2.0
/*
 * The command job add: assign nodes to ranks and put the nodes into a partition of their own.
 *
 * The module rejects a node that is in a partition, such as that of another job.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../parse/name.h"
#include "../parse/node_set.h"
#include "../parse/shape.h"
#include "args.h"
#include "job_add.h"
#include "job_placement.h"
#include "node_addr.h"
#include "diag.h"
#include "target.h"

#define AT_AXES	3u

/* Parsed arguments of job add. */
struct job_add_args {
	struct job_view view;
	const char *shape;
	char **nodes;
	int nnodes;
};

/**
 * job_name - take the name of a job, which is the next argument
 * @ctl: the call
 * @args: the arguments of the call
 * @name: [out] name of the job
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int job_name(struct ctl *ctl, struct ctl_args *args, const char **name)
{
	struct parse_error why;

	*name = ctl_next(args);
	if (!*name)
		return ctl_usage(ctl, "the job's name is missing");
	return parse_name(*name, &why) ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

static int take_value(struct ctl *ctl, const char *key, const char *word,
		      struct job_add_args *typed)
{
	struct job_view *view = &typed->view;
	bool at = !strcmp(key, "at");
	struct parse_error why;

	if (!at && strcmp(key, "view"))
		return ctl_usage(ctl, "unknown key of a job: %s", key);
	if (!word)
		return ctl_usage(ctl, "%s: its value is missing", key);
	if (at ? view->has_at : !!typed->shape)
		return ctl_reject(ctl, "%s: must not be given twice", key);
	if (at ? !parse_coords("at", word, &view->at, &why) :
		 !parse_shape("view", word, &view->view, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (at && view->at.count != AT_AXES)
		return ctl_reject(ctl, "at %s: must be three coordinates, x,y,z of a group", word);
	view->has_at |= at;
	typed->shape = at ? typed->shape : word;
	return CTL_OK;
}

/* Parse [view XxYxZ] [at X,Y,Z] [shorter] [nodes NODES..]. */
static int take_typed(struct ctl *ctl, struct ctl_args *args, struct job_add_args *typed)
{
	const char *key;
	int status = CTL_OK;

	*typed = (struct job_add_args){ .shape = NULL };
	while (!status && (key = ctl_next(args))) {
		if (!strcmp(key, "shorter")) {
			typed->view.shorter = true;
		} else if (!strcmp(key, "nodes")) {
			typed->nodes = args->words + args->at;
			typed->nnodes = args->count - args->at;
			args->at = args->count;
			if (!typed->nnodes)
				return ctl_usage(ctl, "nodes: the nodes are missing");
		} else {
			status = take_value(ctl, key, ctl_next(args), typed);
		}
	}
	if (status)
		return status;
	if (typed->nnodes && (typed->view.has_at || typed->view.shorter))
		return ctl_reject(ctl, "nodes %s: must not be combined with at or shorter",
				  typed->nodes[0]);
	if (!typed->nnodes && !typed->shape)
		return ctl_usage(ctl, "view or nodes is missing");
	if (!typed->nnodes && typed->view.view.count != AT_AXES)
		return ctl_reject(ctl,
				  "view %s: must have three axes unless nodes are given",
				  typed->shape);
	return CTL_OK;
}

/* Append the nodes of all NODES arguments, in the order of the arguments. */
static int take_nodes(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		      const struct job_add_args *typed, struct torus_nl_job *job)
{
	int i, status;

	for (i = 0; i < typed->nnodes && job->count <= PLACES_MAX; i++) {
		struct place_list list = { .count = 0 };
		struct parse_places places;
		struct parse_error why;
		uint32_t *grown;

		if (!parse_places(typed->nodes[i], &places, &why))
			return ctl_reject(ctl, "%s", why.text);
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
			ctl_error(ctl, "out of memory for the nodes of job %s", job->name);
			return CTL_FAILED;
		}
	}
	job->axes = typed->shape ? typed->view.view.count : 0;
	memcpy(job->view, typed->view.view.numbers, job->axes * sizeof(job->view[0]));
	return CTL_OK;
}

/**
 * job_add - create a job
 * @ctl: the call
 * @args: FABRIC NAME view S [at X,Y,Z] [shorter] | [view S] nodes NODES..
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int job_add(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_job job = { .count = 0 };
	char why[TORUS_MACHINE_WHY_MAX];
	const char *name;
	struct target target;
	struct job_add_args typed;
	int status = target_parse(ctl, args, TARGET_FABRIC, &target);

	if (!status)
		status = job_name(ctl, args, &name);
	if (!status)
		status = take_typed(ctl, args, &typed);
	if (!status)
		status = target_find(ctl, &target);
	if (status)
		return status;
	snprintf(job.name, sizeof(job.name), "%s", name);
	if (!typed.nnodes && torus_machine_demand(target.fabric.arch, TORUS_MACHINE_VIEWS, why,
						  sizeof(why))) {
		ctl_error(ctl,
			  "view: fabric %s: %s: requires nodes, because only Tofu places jobs by a "
			  "view", target.name, why);
		return CTL_FAILED;
	}
	status = typed.nnodes ? take_nodes(ctl, &target.fabric, &typed, &job) :
				job_place(ctl, &target, &typed.view, &job);
	if (!status && job.count > TORUS_NL_JOB_NODES_MAX) {
		ctl_error(ctl, "job %s: has %" PRIu32 " nodes, must have at most %d",
			  name, job.count,
			  TORUS_NL_JOB_NODES_MAX);
		status = CTL_FAILED;
	}
	if (!status && torus_nl_job_add(ctl->nl, target.name, &job))
		status = ctl_failed(ctl);
	free(job.nodes);
	return status ? status : ctl_done(ctl);
}
