/* SPDX-License-Identifier: GPL-2.0 */
/* Create, list and delete jobs. A job has a list of nodes by rank, and a partition. */
#ifndef TORUS_NL_JOB_H
#define TORUS_NL_JOB_H

#include "session.h"

/**
 * struct torus_nl_job - a job of a fabric
 * @partition: partition of the job's nodes
 * @axes: number of axes of the job's view; 0 if the job has no view
 * @view: lengths of the view's axes
 * @count: number of nodes
 * @nodes: by rank: number of the node; NULL if the nodes were not read
 */
struct torus_nl_job {
	char name[TORUS_NAME_MAX];
	uint32_t partition;
	uint32_t axes;
	uint32_t view[TORUS_DIMS_MAX];
	uint32_t count;
	uint32_t *nodes;
};

/* maximum number of nodes of a job, because an attribute has less than 64 KiB */
#define TORUS_NL_JOB_NODES_MAX	16000

int torus_nl_job_add(struct torus_nl *nl, const char *fabric, const struct torus_nl_job *job);
int torus_nl_job_del(struct torus_nl *nl, const char *fabric, const char *name);
int torus_nl_job_get(struct torus_nl *nl, const char *fabric, const char *name,
		     struct torus_nl_job *job);
int torus_nl_job_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_job **jobs,
		      size_t *count);

#endif /* TORUS_NL_JOB_H */
