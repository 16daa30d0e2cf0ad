// SPDX-License-Identifier: GPL-2.0
/* Read the places and the torus view of a job that torusctl has placed. */
#include <stdlib.h>
#include <string.h>

#include "../netlink/job.h"
#include "job.h"
#include "mapping.h"
#include "run.h"
#include "log.h"

/*
 * Query a job from the module in a new session. The session machine->nl exists only with --arch,
 * which excludes --job.
 */
static bool job_ask(const struct run_fabric_info *machine, const char *name,
		    struct torus_nl_job *job)
{
	struct torus_nl *nl = torus_nl_new();
	bool good;

	if (!nl) {
		run_log("out of memory");
		return false;
	}
	good = !torus_nl_connect(nl) && !torus_nl_job_get(nl, machine->fabric.name, name, job);
	if (!good)
		run_log("%s", torus_nl_error(nl));
	torus_nl_free(nl);
	return good;
}

/**
 * run_job_read - read the places of a job's ranks
 * @places: [out] the places and the torus view
 * @machine: the fabric
 * @name: name of the job
 * @group: FIFO group of all ranks; RUN_GROUP_NONE: group 0
 *
 * Return: true, or false after an error message.
 */
bool run_job_read(struct run_places *places, const struct run_fabric_info *machine,
		  const char *name,
		  uint32_t group)
{
	struct torus_nl_job job;
	bool good = true;
	uint32_t rank;

	*places = (struct run_places){ .exact = true };
	if (group == RUN_GROUP_ALL ||
	    (group != RUN_GROUP_NONE && group >= machine->fabric.groups)) {
		run_log("job %s: must have one rank per node, in one existing group", name);
		return false;
	}
	if (!job_ask(machine, name, &job))
		return false;
	for (rank = 0; rank < job.count && good; rank++)
		good = run_places_add(places, job.nodes[rank],
				      group == RUN_GROUP_NONE ? 0 : group);
	if (!good)
		run_log("out of memory for %u places", job.count);
	places->axes = job.axes;
	memcpy(places->view, job.view, sizeof(places->view));
	free(job.nodes);
	return good;
}
