// SPDX-License-Identifier: GPL-2.0
/* Test verdicts, counts and ids of rows. For each condition, rows meet it and rows fail it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../figure.h"
#include "../paper.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static struct paper_figure *figure;

static int setup(void **state)
{
	figure = calloc(1, sizeof(*figure));
	return !figure;
}

static int teardown(void **state)
{
	free(figure);
	return 0;
}

static struct paper_row *row(double ours)
{
	struct paper_row *row = paper_row(figure, "a row");

	row->ours = ours;
	return row;
}

static void counts(u32 judged, u32 agree, u32 differ, u32 incomparable)
{
	struct paper_verdicts found;

	paper_count(figure, &found);
	assert_int_equal(found.judged, judged);
	assert_int_equal(found.agree, agree);
	assert_int_equal(found.differ, differ);
	assert_int_equal(found.incomparable, incomparable);
}

/* Test each condition with numbers on both sides of its bounds. */
static void test_demands(void **state)
{
	static const struct {
		enum paper_demand demand;
		double ours;
		bool kept;
	} cases[] = {
		{ PAPER_ABSOLUTE, 11, true }, { PAPER_ABSOLUTE, 9, true },
		{ PAPER_ABSOLUTE, 11.1, false }, { PAPER_ABSOLUTE, 8.9, false },
		{ PAPER_RELATIVE, 19, true }, { PAPER_RELATIVE, 1, true },
		{ PAPER_RELATIVE, 21, false }, { PAPER_RELATIVE, -1, false },
		{ PAPER_AT_LEAST, 10, true }, { PAPER_AT_LEAST, 9.9, false },
		{ PAPER_AT_MOST, 10, true }, { PAPER_AT_MOST, 10.1, false },
	};
	static const char *const says[] = { "OUTSIDE", "within" };
	u32 i, kept = 0;

	for (i = 0; i < COUNT(cases); i++) {
		struct paper_row *r = row(cases[i].ours);

		if (cases[i].demand == PAPER_ABSOLUTE)
			paper_near(r, PAPER_PRINTED, 10, 1);
		else if (cases[i].demand == PAPER_RELATIVE)
			paper_relative(r, PAPER_PRINTED, 10, 1);
		else
			paper_bound(r, PAPER_PRINTED, cases[i].demand, 10);
		assert_string_equal(paper_verdict(r), says[cases[i].kept]);
		kept += cases[i].kept;
	}
	counts(COUNT(cases), kept, COUNT(cases) - kept, 0);
}

/*
 * If a row is in percent, its tolerance is in points. A relative tolerance is in percent of the
 * other number.
 */
static void test_tolerance_units(void **state)
{
	struct paper_row *r = row(10);
	const char *unit;

	paper_near(r, PAPER_PRINTED, 10, 2);
	r->unit = "%";
	assert_true(fabs(paper_tolerance(r, &unit) - 2) < 0.001);
	assert_string_equal(unit, "points");
	r->unit = "us";
	paper_tolerance(r, &unit);
	assert_string_equal(unit, "us");
	paper_relative(r, PAPER_PRINTED, 10, 0.05);
	assert_true(fabs(paper_tolerance(r, &unit) - 5) < 0.001);
	assert_string_equal(unit, "% of other");
	paper_bound(row(1), PAPER_PRINTED, PAPER_AT_LEAST, 1);
	assert_true(isnan(paper_tolerance(&figure->rows[1], &unit)));
}

/* A row without a number of ours meets no condition. */
static void test_no_number(void **state)
{
	paper_near(row(NAN), PAPER_PRINTED, 10, 1);
	paper_relative(row(NAN), PAPER_PRINTED, 10, 1);
	paper_bound(row(NAN), PAPER_OURS, PAPER_AT_LEAST, 10);
	paper_bound(row(NAN), PAPER_OURS, PAPER_AT_MOST, 10);
	/* a row whose other number is missing meets no condition either */
	paper_bound(row(10), PAPER_OURS, PAPER_AT_LEAST, NAN);
	paper_bound(row(10), PAPER_OURS, PAPER_AT_MOST, NAN);
	paper_near(row(NAN), PAPER_SETTING, 10, 1);
	counts(7, 0, 7, 0);
	assert_string_equal(paper_verdict(&figure->rows[0]), "OUTSIDE");
	assert_string_equal(paper_verdict(&figure->rows[6]), "OUTSIDE");
}

/* A number that was set or fitted has a verdict only if it misses the paper's number. */
static void test_no_results(void **state)
{
	struct paper_row *r = row(10.5);

	paper_near(r, PAPER_SETTING, 10, 1);
	assert_string_equal(paper_verdict(r), "configuration");
	r = row(10.5);
	paper_near(r, PAPER_FITTED, 10, 1);
	assert_string_equal(paper_verdict(r), "fitted");
	r = row(10);
	paper_compare(r, PAPER_PRINTED, 10);
	assert_string_equal(paper_verdict(r), "");
	r = row(10);
	paper_near(r, PAPER_PRINTED, 100, 1);
	r->misprint = true;
	assert_string_equal(paper_verdict(r), "misprint");
	paper_incomparable(figure, "claim", "a claim", "a reason");
	assert_string_equal(paper_verdict(&figure->rows[4]), "not comparable");
	counts(0, 0, 0, 1);
	paper_near(row(12), PAPER_FITTED, 10, 1);
	counts(1, 0, 1, 1);
}

static void test_claims(void **state)
{
	struct paper_row *r = row(10);

	paper_claim(r, 10, 1);
	assert_string_equal(paper_verdict(r), "reproduced");
	r = row(12);
	paper_claim(r, 10, 1);
	assert_string_equal(paper_verdict(r), "not reproduced");
	counts(2, 1, 1, 0);
}

/* By default, a row has no id. An id that is too long is truncated. */
static void test_ids(void **state)
{
	struct paper_row *r = row(10);

	assert_string_equal(r->id, "");
	assert_ptr_equal(paper_id(r, "gap-%ux%ux%u", 4, 4, 1), r);
	assert_string_equal(r->id, "gap-4x4x1");
	assert_string_equal(r->label, "a row");
	paper_id(r, "%0100u", 1);
	assert_int_equal(strlen(r->id), PAPER_ID_MAX - 1);
	paper_incomparable(figure, "claim", "a claim", "a reason");
	assert_string_equal(figure->rows[1].id, "claim");
	assert_string_equal(figure->rows[1].label, "a claim");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_demands, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tolerance_units, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_number, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_results, setup, teardown),
		cmocka_unit_test_setup_teardown(test_claims, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ids, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
