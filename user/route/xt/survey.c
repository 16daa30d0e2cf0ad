// SPDX-License-Identifier: GPL-2.0
/* Survey sets of broken cables: for each set, make routing tables and check the tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "dateline.h"
#include "explain.h"
#include "build_tables.h"
#include "survey.h"

#define PROGRESS_EVERY	16	/* number of sets between two calls of progress() */

/* State of a survey. */
struct survey_work {
	struct xt_survey *survey;
	struct xt_next_hops plan;
	struct xt_check check;
	struct xt_link *all;	/* the live cables */
	uint32_t count;
	uint32_t usual[XT_DIMS];	/* datelines before the cables of a set are broken */
};

/**
 * xt_survey_cables() - count the live cables of a machine
 */
uint32_t xt_survey_cables(const struct xt_map *map)
{
	uint32_t node, dir, count = 0;

	for (node = 0; node < map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir += 2)
			count += xt_live(map, node, dir);
	return count;
}

static void list_cables(struct survey_work *work)
{
	const struct xt_map *map = work->survey->route->map;
	uint32_t node, dir;

	for (node = 0; node < map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir += 2)
			if (xt_live(map, node, dir))
				work->all[work->count++] = (struct xt_link){ node, dir };
}

static void keep_failures(struct survey_work *work, const struct xt_check *check)
{
	struct xt_survey *survey = work->survey;
	uint32_t i, first = survey->nfailures;

	for (i = 0; i < check->nfailures && survey->nfailures < XT_FAILURES; i++) {
		survey->sets_of[survey->nfailures] = survey->sets;
		survey->failures[survey->nfailures++] = check->failures[i];
	}
	xt_name_failures(survey->route, &work->plan, survey->failures + first,
			 survey->nfailures - first);
}

static int keep_path(struct xt_survey *survey, const struct xt_check *check)
{
	if (survey->path || !check->cycles)
		return 0;
	survey->path = malloc(check->path_ends[0] * sizeof(*survey->path));
	if (!survey->path)
		return -ENOMEM;
	memcpy(survey->path, check->path, check->path_ends[0] * sizeof(*survey->path));
	survey->npath = check->path_ends[0];
	return 0;
}

/* Make and check tables while the cables of a set are broken, and add up the results. */
static int survey_set(struct survey_work *work, const uint32_t *set)
{
	struct xt_survey *survey = work->survey;
	struct xt_check *check = &work->check;
	struct xt_tables *tables;
	struct xt_made made;
	uint64_t bytes;
	uint32_t i;
	int ret;

	if (survey->automatic)
		xt_datelines_auto(survey->route, &work->plan);
	survey->moved += memcmp(work->usual, survey->route->dateline, sizeof(work->usual)) != 0;
	ret = xt_tables_make(survey->route, &tables, &made);
	if (ret)
		return ret;
	xt_check_run(check, tables);
	bytes = xt_tables_bytes(tables);
	xt_tables_free(tables);
	if (bytes > survey->most_bytes)
		survey->most_bytes = bytes;
	survey->made.goals += made.goals;
	survey->made.searched += made.searched;
	survey->made.unreached += made.unreached;
	survey->pairs += check->pairs;
	for (i = 0; i < XT_ENDS; i++)
		survey->ends[i] += check->ends[i];
	survey->cycles += check->cycles > 0;
	survey->clean += xt_check_clean(check);
	if (!xt_check_clean(check) && !survey->has_bad) {
		survey->has_bad = true;
		for (i = 0; i < survey->cables; i++)
			survey->bad[i] = work->all[set[i]];
	}
	keep_failures(work, check);
	survey->sets++;
	return keep_path(survey, check);
}

static int take_out(struct survey_work *work, const uint32_t *set)
{
	struct xt_survey *survey = work->survey;
	struct xt_map *map = survey->route->map;
	uint32_t i;
	int ret;

	for (i = 0; i < survey->cables; i++)
		xt_map_set(map, work->all[set[i]].node, work->all[set[i]].dir, XT_BROKEN);
	xt_route_settle(survey->route);
	ret = survey_set(work, set);
	for (i = 0; i < survey->cables; i++)
		xt_map_set(map, work->all[set[i]].node, work->all[set[i]].dir, XT_LIVE);
	xt_route_settle(survey->route);
	if (survey->progress && survey->sets % PROGRESS_EVERY == 0)
		survey->progress(survey);
	return ret;
}

/* Draw a random number with the generator splitmix64. */
static uint64_t draw(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static int run_samples(struct survey_work *work)
{
	struct xt_survey *survey = work->survey;
	uint64_t state = survey->seed, i;
	uint32_t set[XT_CABLES_MAX], n, j;
	int ret = 0;

	for (i = 0; i < survey->samples && !ret; i++) {
		for (n = 0; n < survey->cables;) {
			set[n] = (uint32_t)(draw(&state) % work->count);
			for (j = 0; j < n && set[j] != set[n]; j++)
				;
			n += j == n;
		}
		ret = take_out(work, set);
	}
	return ret;
}

static int run_all(struct survey_work *work)
{
	uint32_t n = work->survey->cables, set[XT_CABLES_MAX] = { 0 }, i;
	int ret = 0;

	for (i = 0; i < n; i++)
		set[i] = i;
	while (!ret) {
		ret = take_out(work, set);
		for (i = n; i && set[i - 1] == work->count - (n - i + 1); i--)
			;
		if (!i)
			break;
		for (set[i - 1]++; i < n; i++)
			set[i] = set[i - 1] + 1;
	}
	return ret;
}

/**
 * xt_survey_run() - make and check tables for sets of broken cables
 * @survey: [in, out] the parameters; the results are added to the caller's values
 *
 * Return: 0, -EINVAL (more than XT_CABLES_MAX cables or than the live ones), -ENOMEM.
 */
int xt_survey_run(struct xt_survey *survey)
{
	struct survey_work work = { .survey = survey };
	const struct xt_map *map = survey->route->map;
	uint32_t cables = xt_survey_cables(map);
	int ret;

	if (survey->cables > XT_CABLES_MAX || survey->cables > cables)
		return -EINVAL;
	work.all = malloc((cables + 1) * sizeof(*work.all));
	ret = xt_next_hops_init(&work.plan, map);
	if (!ret)
		ret = xt_check_init(&work.check, map);
	if (!work.all)
		ret = -ENOMEM;
	if (!ret) {
		list_cables(&work);
		if (survey->automatic)
			xt_datelines_auto(survey->route, &work.plan);
		memcpy(work.usual, survey->route->dateline, sizeof(work.usual));
		ret = survey->samples ? run_samples(&work) : run_all(&work);
	}
	xt_check_free(&work.check);
	xt_next_hops_free(&work.plan);
	free(work.all);
	return ret;
}

/**
 * xt_survey_free() - free the results of a survey
 */
void xt_survey_free(struct xt_survey *survey)
{
	free(survey->path);
	survey->path = NULL;
}
