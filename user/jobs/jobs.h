/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System utilization of a Tofu machine (Ajima et al. (2009), High system utilization): a stream
 * of jobs, each with a torus view, placed as boxes of groups.
 */
#ifndef TORUS_JOBS_H
#define TORUS_JOBS_H

#include <stdbool.h>

#include "../route/tofu/view.h"
#include "../sim/base/message.h"

#define JOBS_BOX	TOFU_GROUP_AXES

/**
 * enum jobs_shapes - boxes that a job may use
 * @JOBS_MANY: any box for its view
 * @JOBS_ONE: only the most compact box, with the longest side along x
 * @JOBS_OFF: no boxes: any groups, which need not be neighbours
 */
enum jobs_shapes { JOBS_MANY, JOBS_ONE, JOBS_OFF, JOBS_SHAPES };

/**
 * enum jobs_order - scheduling policies
 * @JOBS_BACKFILL: a later job may start early if it does not delay the first waiting job
 * @JOBS_FCFS: jobs start in the order of their arrival
 */
enum jobs_order { JOBS_BACKFILL, JOBS_FCFS, JOBS_ORDERS };

/**
 * struct jobs_kind - a view, and the boxes for it
 * @view: lengths of the view, largest first
 * @nodes: product of the lengths
 * @large: the job has redundancy nodes: its box has one more group along the axis (x, y or z) that
 *         forms a plane with b in the view
 * @count: number of boxes
 * @box: lengths in x, y, z of each box; the most compact box first
 * @failed: last scheduling pass that found no free position for any box: [0] among the free groups,
 *    [1] among the free groups that are not reserved
 */
struct jobs_kind {
	u32 view[TOFU_VIEW_AXES];
	u32 nodes;
	bool large;
	u32 count;
	u32 box[TOFU_SHAPES_MAX][JOBS_BOX];
	u64 failed[2];
};

/**
 * struct jobs_kinds - all views that jobs request
 * @kind: array by increasing number of nodes
 */
struct jobs_kinds {
	struct jobs_kind *kind;
	u32 count;
};

/**
 * struct jobs_job - a job
 * @arrival: seconds
 * @run: run time in seconds
 * @estimate: requested run time in seconds, at least @run
 * @kind: index of its view
 */
struct jobs_job {
	double arrival;
	double run;
	double estimate;
	u32 kind;
};

/**
 * struct jobs_stream - jobs by arrival
 * @skipped: number of ignored jobs of a log: they did not run, or have an invalid number of
 *	processors or time of arrival
 */
struct jobs_stream {
	struct jobs_job *job;
	u32 count;
	u32 skipped;
};

/**
 * struct jobs_law - distributions of generated jobs
 * @count: number of jobs
 * @load: offered load relative to the machine's capacity
 * @least: minimum nodes
 * @most: maximum nodes
 * @median: median of the run times in seconds
 * @sigma: standard deviation of the logarithm of the run times
 */
struct jobs_law {
	u32 count;
	double load;
	u32 least;
	u32 most;
	double median;
	double sigma;
};

/**
 * struct jobs_result - results of a stream with a rule
 * @utilization: fraction of the machine's node-seconds that views of jobs use; NAN if the stream
 *               was interrupted before the measurement started
 * @allocated: fraction of the machine's node-seconds allocated to jobs, including redundancy nodes
 * @arrived: number of jobs that have arrived
 * @whole: all jobs have arrived; false: the stream was interrupted
 * @started: number of jobs that have started
 * @waited: mean seconds that the started jobs waited; NAN if none has started
 * @queue: number of jobs that wait at the end
 */
struct jobs_result {
	double utilization;
	double allocated;
	u32 arrived;
	bool whole;
	u32 started;
	double waited;
	u32 queue;
};

/**
 * struct jobs_watch - observer of a stream, which may interrupt it
 * @arrived: called with @data and the number of jobs that have arrived, 0 while jobs are
 *    generated or read. Returns false to interrupt the stream
 * @data: argument of @arrived
 */
struct jobs_watch {
	bool (*arrived)(void *data, u32 arrived);
	void *data;
};

#endif /* TORUS_JOBS_H */
