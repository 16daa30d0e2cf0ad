/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs of a fabric: a job has nodes, in the order of ranks, which only packets of the job reach.
 * Each job has a partition of its own. All other nodes are in partition 0, unless an administrator
 * has set another.
 */
#ifndef TORUS_DEV_ENGINE_JOB_H
#define TORUS_DEV_ENGINE_JOB_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "core/base/geometry.h"
#include "core/error.h"

struct torus_engine;

/**
 * struct torus_job_nodes - a job
 * @link: in its engine's list, in the order in which jobs were added
 * @name: name of the job
 * @partition: partition of its nodes
 * @axes: number of axes of its view; 0: no view
 * @view: length of each axis, the fastest first; their product is @count
 * @count: number of nodes
 * @node: index of each node, by rank
 */
struct torus_job_nodes {
	struct list_head link;
	char name[TORUS_NAME_MAX];
	u32 partition;
	u32 axes;
	u32 view[TORUS_DIMS_MAX];
	u32 count;
	u32 node[];
};

/**
 * struct torus_engine_nodes - how the nodes of an engine's fabric are assigned (engine.lock)
 * @owners: owner of each node, INVALID_UID: none; NULL: no node has an owner. See rights.c
 * @jobs: struct torus_job_nodes
 */
struct torus_engine_nodes {
	kuid_t *owners;
	struct list_head jobs;
};

struct torus_job_nodes *torus_job_find(const struct torus_engine *e, const char *name);
const struct torus_job_nodes *torus_job_of(const struct torus_engine *e, u32 partition);
const struct torus_job_nodes *torus_job_at(const struct torus_engine *e, u32 node);
int torus_job_add(struct torus_engine *e, struct torus_job_nodes *job, struct torus_error *err);
void torus_job_del(struct torus_engine *e, struct torus_job_nodes *job);
void torus_jobs_free(struct torus_engine *e);

#endif
