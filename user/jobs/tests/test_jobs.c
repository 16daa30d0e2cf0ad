// SPDX-License-Identifier: GPL-2.0
/*
 * Test job streams and placement rules with schedules computed by hand: one or many boxes,
 * redundancy nodes, the reservation of backfill, generated jobs, logs.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../views.h"
#include "../scheduler.h"
#include "../generator.h"
#include "../swf.h"
#include "core/tests/rig.h"
#include "arch/tofu/geometry.h"
#include "../jobs.h"

#define GROUP		12	/* nodes of a group */
#define DEPTH		10

static struct torus_geometry g;
static struct jobs_kinds kinds;
static char said[256];

int sim_reject(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	return SIM_USAGE;
}

int sim_error(const char *format, ...)
{
	fail_msg("%s", format);
	return SIM_FAILED;
}

/*
 * Set up a machine of x, y, z groups, a mesh in all axes. Jobs of at least @large nodes have
 * redundancy nodes; 0: no job has them.
 */
static void machine(u32 x, u32 y, u32 z, u32 large)
{
	const u32 shape[TOFU_GROUP_AXES] = { x, y, z };

	jobs_kinds_free(&kinds);
	tofu_geometry_init(&g, shape, 7, ~0u);
	assert_int_equal(jobs_kinds_make(&kinds, &g, large), 0);
	assert_true(kinds.count > 0);
}

static int teardown(void **unused)
{
	jobs_kinds_free(&kinds);
	return 0;
}

/* A job of a test. If @estimate is 0, the requested time is the run time. */
struct line {
	double arrival;
	u32 nodes;
	double run;
	double estimate;
};

static struct jobs_result run(const struct line *lines, u32 count, enum jobs_shapes shapes,
			      enum jobs_order order)
{
	struct jobs_stream stream = { .count = 0 };
	struct jobs_result result;
	u32 i;

	for (i = 0; i < count; i++) {
		const struct jobs_job job = {
			.arrival = lines[i].arrival, .run = lines[i].run,
			.estimate = lines[i].estimate ? lines[i].estimate : lines[i].run,
			.kind = jobs_kind_of(&kinds, lines[i].nodes),
		};

		assert_int_equal(kinds.kind[job.kind].nodes, lines[i].nodes);
		assert_int_equal(jobs_stream_add(&stream, &job), 0);
	}
	assert_int_equal(jobs_run(&stream, &kinds, &g, shapes, order, DEPTH, NULL, &result), 0);
	jobs_stream_free(&stream);
	return result;
}

/* ------------------------------------------------------------ tests */

/*
 * With many shapes, a job uses the free column. With one shape, along x, it must wait. Without
 * shapes, it may also use two groups on a diagonal.
 */
static void test_shapes(void **unused)
{
	static const struct line column[] = {
		{ 0, GROUP, 1000, 0 }, { 1, GROUP, 10, 0 }, { 2, GROUP, 1000, 0 },
		{ 3, GROUP, 10, 0 }, { 20, 2 * GROUP, 10, 0 }, { 40, GROUP, 1, 0 },
	};
	static const struct line diagonal[] = {
		{ 0, GROUP, 10, 0 }, { 1, GROUP, 1000, 0 }, { 2, GROUP, 1000, 0 },
		{ 3, GROUP, 10, 0 }, { 20, 2 * GROUP, 10, 0 }, { 40, GROUP, 1, 0 },
	};
	static const u32 started[JOBS_SHAPES][2] = {
		[JOBS_MANY] = { 6, 4 }, [JOBS_ONE] = { 4, 4 }, [JOBS_OFF] = { 6, 6 },
	};
	const struct jobs_kind *kind;
	u32 i;

	machine(2, 2, 1, 0);
	kind = &kinds.kind[jobs_kind_of(&kinds, 2 * GROUP)];
	assert_int_equal(kind->count, 2);
	assert_int_equal(kind->box[0][0], 2);
	assert_int_equal(kind->box[1][1], 2);
	for (i = 0; i < JOBS_SHAPES; i++) {
		assert_int_equal(run(column, COUNT(column), i, JOBS_FCFS).started, started[i][0]);
		assert_int_equal(run(diagonal, COUNT(diagonal), i, JOBS_FCFS).started,
				 started[i][1]);
	}
}

/*
 * Two groups: job A uses one, job B waits for both. Job C ends before A does, or requests a
 * longer time.
 */
static void test_backfill(void **unused)
{
	static const struct line lines[] = {
		{ 0, GROUP, 100, 0 }, { 1, 2 * GROUP, 100, 0 }, { 2, GROUP, 50, 98 },
		{ 1000, GROUP, 10, 0 },
	};
	struct line late[COUNT(lines)];

	machine(2, 1, 1, 0);
	assert_true(run(lines, COUNT(lines), JOBS_MANY, JOBS_BACKFILL).waited == 24.75);
	assert_true(run(lines, COUNT(lines), JOBS_MANY, JOBS_FCFS).waited == 74.25);
	memcpy(late, lines, sizeof(late));
	late[2].estimate = 99;
	assert_true(run(late, COUNT(late), JOBS_MANY, JOBS_BACKFILL).waited == 74.25);
}

/*
 * Four groups in a row: jobs A and B use the first two until second 100. Job W waits for three
 * groups, and gets the first three then. The long job C may start only on the fourth group: on the
 * third it would delay W. Without shapes, W needs all three groups that are free when A has ended,
 * so no group remains for C.
 */
static void test_reservation(void **unused)
{
	static const struct line lines[] = {
		{ 0, GROUP, 100, 0 }, { 1, GROUP, 99, 0 }, { 2, 3 * GROUP, 100, 0 },
		{ 3, GROUP, 500, 0 }, { 1000, GROUP, 10, 0 },
	};

	machine(4, 1, 1, 0);
	assert_true(run(lines, COUNT(lines), JOBS_MANY, JOBS_BACKFILL).waited == 98 / 5.0);
	assert_true(run(lines, COUNT(lines), JOBS_OFF, JOBS_BACKFILL).waited == (98 + 97) / 5.0);
}

static bool arrived_below(void *data, u32 arrived)
{
	return arrived < *(const u32 *)data;
}

/*
 * An interrupted stream has means over the time up to the interrupt. It has none if the
 * measurement had not started.
 */
static void test_given_up(void **unused)
{
	static const struct jobs_job jobs[] = {
		{ 0, 1000, 1000, 0 }, { 100, 200, 200, 0 }, { 600, 10, 10, 0 }, { 1000, 1, 1, 0 },
	};
	const struct jobs_law law = { .count = 1000, .load = 1, .least = GROUP, .most = GROUP,
				      .median = 100, .sigma = 1 };
	u32 limit = 3;
	const struct jobs_watch watch = { .arrived = arrived_below, .data = &limit };
	struct jobs_stream stream = { .count = 0 };
	struct jobs_result result;
	u32 i;

	machine(2, 1, 1, 0);
	for (i = 0; i < COUNT(jobs); i++) {
		struct jobs_job job = jobs[i];

		job.kind = jobs_kind_of(&kinds, GROUP);
		assert_int_equal(jobs_stream_add(&stream, &job), 0);
	}
	assert_int_equal(jobs_run(&stream, &kinds, &g, JOBS_MANY, JOBS_FCFS, DEPTH, &watch,
				  &result), -EINTR);
	assert_int_equal(result.arrived, 3);
	assert_false(result.whole);
	/* measured from 200 to 600: two jobs until 300, one job after that */
	assert_true(result.utilization == 0.625 && result.waited == 0);
	limit = 2;
	assert_int_equal(jobs_run(&stream, &kinds, &g, JOBS_MANY, JOBS_FCFS, DEPTH, &watch,
				  &result), -EINTR);
	assert_true(isnan(result.utilization) && isnan(result.allocated));
	limit = 5;
	assert_int_equal(jobs_run(&stream, &kinds, &g, JOBS_MANY, JOBS_FCFS, DEPTH, &watch,
				  &result), 0);
	assert_true(result.whole && result.arrived == 4);
	jobs_stream_free(&stream);
	limit = 0;
	assert_int_equal(jobs_stream_draw(&stream, &kinds, &g, &law, 1, &watch), -EINTR);
	jobs_stream_free(&stream);
}

/*
 * Jobs of at least @large nodes have redundancy nodes: one more group along one axis of their box.
 */
static void test_redundancy(void **unused)
{
	static const struct line lines[] = {
		{ 0, GROUP, 1000, 0 }, { 1000, GROUP, 1, 0 },
	};
	const struct jobs_kind *kind;
	struct jobs_result result;
	u32 i, two = 0;

	machine(2, 1, 1, GROUP);
	result = run(lines, COUNT(lines), JOBS_MANY, JOBS_FCFS);
	assert_true(result.utilization == 0.5 && result.allocated == 1);
	machine(2, 1, 1, 2 * GROUP);
	result = run(lines, COUNT(lines), JOBS_MANY, JOBS_FCFS);
	assert_true(result.utilization == 0.5 && result.allocated == 0.5);
	/*
	 * the view 4x3x2 of two groups does not fit: with redundancy nodes it needs two groups
	 * along y or z
	 */
	machine(4, 1, 1, 2 * GROUP);
	for (i = 0; i < kinds.count; i++) {
		kind = &kinds.kind[i];
		assert_int_equal(kind->large, kind->nodes >= 2 * GROUP);
		if (kind->nodes != 2 * GROUP)
			continue;
		two++;
		assert_int_equal(kind->view[0], 6);
		assert_int_equal(kind->count, 1);
		assert_int_equal(kind->box[0][0], 3);
	}
	assert_int_equal(two, 1);
}

/*
 * Generated jobs have sizes whose logarithm is uniform, run times of 10 s to a day around the
 * median, and the requested load.
 */
static void test_laws(void **unused)
{
	const struct jobs_law law = { .count = 5000, .load = 1.2, .least = 24, .most = 384,
				      .median = 1800, .sigma = 1.5 };
	u32 small = 0, brief = 0, longest = 0, i;
	struct jobs_stream stream;

	machine(4, 4, 4, 0);
	assert_int_equal(jobs_stream_draw(&stream, &kinds, &g, &law, 1, NULL), 0);
	assert_int_equal(stream.count, law.count);
	for (i = 0; i < stream.count; i++) {
		const struct jobs_job *job = &stream.job[i];
		u32 nodes = kinds.kind[job->kind].nodes;

		assert_in_range(nodes, law.least, law.most * 6 / 5);
		assert_true(job->run >= 10 && job->run <= 86400 && job->estimate >= job->run);
		assert_true(!i || job->arrival >= job[-1].arrival);
		small += nodes <= 96;
		brief += job->run < law.median;
		longest += job->run == 86400;
	}
	/* on a logarithmic scale 96 is in the middle of 24 and 384 */
	assert_in_range(small, 2000, 2700);
	assert_in_range(brief, 2400, 2600);
	assert_in_range(longest, 5, 60);
	assert_float_equal(jobs_stream_load(&stream, &kinds, &g), law.load, 0.000001);
	jobs_stream_free(&stream);
}

/* Parameters for logs: all jobs, and two groups for the largest job. */
static struct jobs_law law = { .count = 100, .most = 2 * GROUP };

/*
 * Read a log from a text, and check its jobs and the number of ignored ones. Return: the file
 * descriptor.
 */
static int log_read(const char *text, char *name, struct jobs_stream *stream,
		    const struct jobs_job *wanted, u32 count, u32 skipped)
{
	int file = mkstemp(name);
	u32 i;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	machine(2, 1, 1, 0);
	assert_int_equal(jobs_swf_read(stream, &kinds, name, &law, NULL), SIM_OK);
	assert_int_equal(stream->count, count);
	assert_int_equal(stream->skipped, skipped);
	for (i = 0; i < count; i++) {
		assert_true(stream->job[i].arrival == wanted[i].arrival);
		assert_true(stream->job[i].run == wanted[i].run);
		assert_true(stream->job[i].estimate == wanted[i].estimate);
	}
	return file;
}

/*
 * Jobs of a log have the allocated or else the requested processors, and are sorted by arrival.
 * A job that never ran is ignored.
 */
static void test_log(void **unused)
{
	static const char text[] =
		"; Version: 2.2\n"
		"1 50 -1 100 6 -1 -1 24 300 -1 1 1 1 1 -1 -1 -1 -1\n"
		"2 20 -1 200 -1 -1 -1 12 150 -1 1 1 1 1 -1 -1 -1 -1\n"
		"3 30 -1 -1 12 -1 -1 12 150 -1 1 1 1 1 -1 -1 -1 -1\n";
	static const struct jobs_job wanted[] = {
		{ .arrival = 20, .run = 200, .estimate = 200 },
		{ .arrival = 50, .run = 100, .estimate = 300 },
	};
	char name[] = "/tmp/test-jobs-XXXXXX";
	struct jobs_stream stream;
	int file = log_read(text, name, &stream, wanted, COUNT(wanted), 1);

	/* the largest job gets the largest view, the other job a view of half its size */
	assert_int_equal(kinds.kind[stream.job[0].kind].nodes, 2 * GROUP);
	assert_int_equal(kinds.kind[stream.job[1].kind].nodes, GROUP);
	jobs_stream_free(&stream);
	/* scale the largest job to one group: both jobs get the smallest view */
	law.most = GROUP;
	assert_int_equal(jobs_swf_read(&stream, &kinds, name, &law, NULL), SIM_OK);
	assert_int_equal(kinds.kind[stream.job[0].kind].nodes, GROUP);
	jobs_stream_free(&stream);
	law.most = 2 * GROUP;
	assert_int_equal(write(file, "4 5\n", 4), 4);
	assert_int_equal(jobs_swf_read(&stream, &kinds, name, &law, NULL), SIM_USAGE);
	assert_says(said, ":5: 18 number");
	jobs_stream_free(&stream);
	close(file);
	unlink(name);
}

/*
 * A log like those of archives: a header, indented comments, empty lines, tabs, CR LF,
 * fractions, parts of a job, cancelled jobs.
 */
static void test_log_whole(void **unused)
{
	static const char text[] =
		"; Version: 2.2\r\n; Computer: none\n;  MaxNodes: 24\n;\n; Note: a ; in a remark\n"
		"\n"
		"   1\t    0  10 3600 12 3541.75 1024 12 7200 -1 1  3  1  7  1  1 -1 -1\r\n"
		"   2      100   0   -1 -1 -1 -1 24  600 -1 5  3  1  7  1  1 -1 -1\n"
		"   3      200   5  900 24 -1 -1 24   -1 -1 0  3  1  7  1  1  1 30\n"
		"   3      200   5  400 24 -1 -1 24   -1 -1 2  3  1  7  1  1  1 30\n"
		"   3      700   5  500 24 -1 -1 24   -1 -1 3  3  1  7  1  1  1 30\n"
		"   3      700   5  500 24 -1 -1 24   -1 -1 4  3  1  7  1  1  1 30\n"
		"  ; the last one was cancelled when it ran\n"
		"   4      300   5 60.5  0 -1 -1 12  6e2 -1 5 -1 -1 -1 -1 -1 -1 -1";
	static const struct jobs_job wanted[] = {
		{ .arrival = 0, .run = 3600, .estimate = 7200 },
		{ .arrival = 200, .run = 900, .estimate = 900 },
		{ .arrival = 300, .run = 60.5, .estimate = 600 },
	};
	static const char *const wrong[] = {
		"1 2 3", "1 0 0 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "x",
		"1 nan 0 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "1 0 0 inf 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
		"1 0 0 0x9 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "1 0 0 1e999 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
		"1,0 0 9 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
	};
	char name[] = "/tmp/test-jobs-XXXXXX";
	struct jobs_stream stream;
	/* lines of a job's parts do not count as ignored jobs */
	int file = log_read(text, name, &stream, wanted, COUNT(wanted), 1);
	u32 i;

	for (i = 0; i < COUNT(wanted); i++)
		assert_int_equal(kinds.kind[stream.job[i].kind].nodes, i == 1 ? 2 * GROUP : GROUP);
	jobs_stream_free(&stream);
	for (i = 0; i < COUNT(wrong); i++) {
		assert_int_equal(ftruncate(file, 0), 0);
		assert_int_equal(pwrite(file, wrong[i], strlen(wrong[i]), 0), strlen(wrong[i]));
		assert_int_equal(jobs_swf_read(&stream, &kinds, name, &law, NULL), SIM_USAGE);
		assert_says(said, ":1:");
		jobs_stream_free(&stream);
	}
	close(file);
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_shapes, teardown),
		cmocka_unit_test_teardown(test_backfill, teardown),
		cmocka_unit_test_teardown(test_reservation, teardown),
		cmocka_unit_test_teardown(test_given_up, teardown),
		cmocka_unit_test_teardown(test_redundancy, teardown),
		cmocka_unit_test_teardown(test_laws, teardown),
		cmocka_unit_test_teardown(test_log, teardown),
		cmocka_unit_test_teardown(test_log_whole, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
