/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Utilisation of a Tofu machine by jobs (Ajima et al. (2009), High system utilization): a
 * stream of jobs, each with a torus view, placed as boxes of groups.
 */
#ifndef TORUS_JOBS_H
#define TORUS_JOBS_H

#include <stdbool.h>

#include "../route/tofu/view.h"
#include "../sim/base/message.h"

#define JOBS_BOX	TOFU_GROUP_AXES

/**
 * enum jobs_shapes - where a job may go
 * @JOBS_MANY: into any box that holds its view
 * @JOBS_ONE: into the most compact one, the longest side along x
 * @JOBS_OFF: anywhere: groups need not be neighbours
 */
enum jobs_shapes { JOBS_MANY, JOBS_ONE, JOBS_OFF, JOBS_SHAPES };

/**
 * enum jobs_order - who may start
 * @JOBS_BACKFILL: who comes later may, if the first that waits is not delayed by it
 * @JOBS_FCFS: nobody before those who came first
 */
enum jobs_order { JOBS_BACKFILL, JOBS_FCFS, JOBS_ORDERS };

/**
 * struct jobs_kind - a view, and the boxes for it
 * @view: lengths of the view, falling
 * @nodes: their product
 * @large: it has redundancy nodes: in b's axis a group more than it needs
 * @count: number of boxes
 * @box: their lengths in x, y, z; the most compact first
 * @failed: passes in which no box had a place: now, and beside what is reserved
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
 * struct jobs_kinds - all views that jobs ask for, by falling nodes last
 * @kind: they, by rising number of nodes
 * @count: their number
 */
struct jobs_kinds {
	struct jobs_kind *kind;
	u32 count;
};

/**
 * struct jobs_job - a job
 * @arrival: seconds
 * @run: seconds that it runs
 * @estimate: seconds that its user asked for, at least @run
 * @kind: number of its view
 */
struct jobs_job {
	double arrival;
	double run;
	double estimate;
	u32 kind;
};

/**
 * struct jobs_stream - jobs by arrival
 * @job: they
 * @count: their number
 * @skipped: jobs of a log that ask for nothing, or did not run
 */
struct jobs_stream {
	struct jobs_job *job;
	u32 count;
	u32 skipped;
};

/**
 * struct jobs_law - a documented generator
 * @count: jobs
 * @load: work that arrives, as a part of what the machine can do
 * @least: fewest nodes
 * @most: most
 * @median: of run times, seconds
 * @sigma: of their logarithm
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
 * struct jobs_result - what came of it
 * @utilization: part of node-seconds that jobs' views used; NAN before the measured time
 * @allocated: the same with redundancy nodes
 * @arrived: jobs
 * @whole: all jobs have arrived; false: the stream was given up
 * @started: jobs
 * @waited: seconds that the started jobs waited, on average; NAN of none
 * @queue: jobs that waited at the end
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
 * struct jobs_watch - who is told how far a stream is, and may give it up
 * @arrived: called with @data, and how many jobs have arrived so far, 0 while jobs are drawn or
 *           read; false: it is given up
 * @data: whatever it needs
 */
struct jobs_watch {
	bool (*arrived)(void *data, u32 arrived);
	void *data;
};

#endif /* TORUS_JOBS_H */
