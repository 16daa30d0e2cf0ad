// SPDX-License-Identifier: GPL-2.0
/* torusctl job: print and delete jobs. */
#include <stdlib.h>

#include "../netlink/job.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "../config/job_add.h"
#include "objects.h"
#include "print/output.h"
#include "../report/json.h"
#include "../config/diag.h"
#include "../config/target.h"

static int job_del(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	const char *name;
	int status = target_parse(ctl, args, TARGET_FABRIC, &target);

	if (!status)
		status = job_name(ctl, args, &name);
	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	return torus_nl_job_del(ctl->nl, target.name, name) ? ctl_failed(ctl) : ctl_done(ctl);
}

/* -------------------------------------------------------------------- output */

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

/* Make a list of the nodes on which the ranks run, in order of rank. */
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
		ctl_error(ctl, "out of memory for job %s", name);
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
		status = job_name(ctl, args, &name);
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
		report_item(list, job_json(ctl, &target.fabric, &jobs[i]), job_form);
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
	.help = "jobs: sets of nodes in the order of ranks, each in its own partition",
	.details = "add finds a free box of groups for a view of Tofu (route shapes); at = its "
		   "first group,\n"
		   "shorter = also accept rings around dead nodes. With nodes, the job consists "
		   "of these\n"
		   "nodes of any machine, in the order of ranks. torus-run -j NAME starts programs "
		   "in the job.\n"
		   "show NAME prints the node of each rank.\n",
	.commands = commands,
	.fallback = NULL,
};
