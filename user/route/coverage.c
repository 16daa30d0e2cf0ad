// SPDX-License-Identifier: GPL-2.0
/*
 * Count the ways in which pairs of nodes are reached, over one or many sets of faults.
 *
 * Nearly all pairs have a clear deterministic path. To find such a pair, compare the hops in each
 * dimension with the number of live links in a row. One comparison in z serves all destinations of
 * a z line. Pairs that are not found in this way are checked one by one.
 */
#include <errno.h>
#include <string.h>
#include "coverage.h"

#define PROGRESS_EVERY	64	/* number of fault sets between two calls of progress() */

struct walk {
	struct torus_route_map *map;
	struct route_cdg *depend;
	struct route_counts *counts;
	uint32_t from;
};

static void walk_count_pair(struct walk *walk, uint32_t to)
{
	struct route_counts *counts = walk->counts;
	struct torus_route_choice choice;

	if (to == walk->from || !torus_route_node_alive(walk->map, to))
		return;
	counts->pairs++;
	torus_route_choose(walk->map, walk->from, to, 0, NULL, &choice);
	switch (choice.kind) {
	case TORUS_ROUTE_PATH:
		counts->path++;
		break;
	case TORUS_ROUTE_ADAPTIVE:
		counts->adaptive++;
		route_cdg_add(walk->depend, walk->from, to, choice.leg[0].hints);
		break;
	case TORUS_ROUTE_RELAY:
		counts->relay++;
		if (!choice.leg[0].deterministic)
			route_cdg_add(walk->depend, walk->from, choice.relay,
				      choice.leg[0].hints);
		if (!choice.leg[1].deterministic)
			route_cdg_add(walk->depend, choice.relay, to, choice.leg[1].hints);
		break;
	default:
		counts->blocked++;
		counts->from = walk->from;
		counts->to = to;
	}
}

/*
 * Check whether all links are live on at least one of the two ways along @dim from @node, whose
 * coordinate is @from, to coordinate @to.
 */
static bool walk_line_clear(const struct torus_route_map *map, uint32_t node, uint32_t dim,
			    uint32_t from, uint32_t to)
{
	const uint16_t *run = map->run + (size_t)node * DIRS + 2 * dim;

	return from == to || run[0] >= route_hops(map, 2 * dim, from, to) ||
	       run[1] >= route_hops(map, 2 * dim + 1, from, to);
}

/*
 * Count the pairs of the source walk->from with the nodes on the z line through @node, which has z
 * coordinate @z. The path from the source to @node must be clear.
 */
static void walk_count_line(struct walk *walk, uint32_t node, uint32_t z)
{
	const struct torus_route_map *map = walk->map;
	const uint16_t *run = map->run + (size_t)node * DIRS + 4;
	uint32_t length = map->dims[2], to;

	if (run[0] + run[1] + 1u >= length) {
		walk->counts->pairs += length;
		walk->counts->path += length;
		return;
	}
	node -= z * map->stride[2];
	for (to = 0; to < length; to++)
		walk_count_pair(walk, node + to * map->stride[2]);
}

static void walk_count_from(struct walk *walk, uint32_t from)
{
	const struct torus_route_map *map = walk->map;
	uint32_t at[DIMS], x, y, z;

	walk->from = from;
	route_coords(map, from, at);
	for (x = 0; x < map->dims[0]; x++) {
		uint32_t corner = from + (x - at[0]) * map->stride[0];
		bool clear = walk_line_clear(map, from, 0, at[0], x);

		for (y = 0; y < map->dims[1]; y++) {
			uint32_t end = corner + (y - at[1]) * map->stride[1];

			/*
			 * The source's own line is counted pair by pair, because this line contains
			 * the source, which is not a destination.
			 */
			if (end != from && clear && walk_line_clear(map, corner, 1, at[1], y)) {
				walk_count_line(walk, end, at[2]);
				continue;
			}
			for (z = 0; z < map->dims[2]; z++)
				walk_count_pair(walk, end + (z - at[2]) * map->stride[2]);
		}
	}
}

/**
 * route_count_pairs() - count how all pairs of living nodes are reached
 * @depend: [in, out] dependency check of the same map, cleared by the caller; waits of the dynamic
 *    packets in use are added
 * @counts: [in, out] the numbers of this map are added
 */
void route_count_pairs(struct torus_route_map *map, struct route_cdg *depend,
		       struct route_counts *counts)
{
	struct walk walk = { .map = map, .depend = depend, .counts = counts };
	uint32_t from;

	for (from = 0; from < map->nodes; from++)
		if (torus_route_node_alive(map, from))
			walk_count_from(&walk, from);
	counts->sets++;
	if (!route_cdg_acyclic(depend, NULL))
		counts->circles++;
}

static bool set_colinear(const struct torus_route_map *map, uint32_t a, uint32_t b)
{
	uint32_t p[DIMS], q[DIMS];

	route_coords(map, a, p);
	route_coords(map, b, q);
	return (p[0] != q[0]) + (p[1] != q[1]) + (p[2] != q[2]) <= 1;
}

static bool set_allowed(const struct route_survey *survey, const uint32_t *set, uint32_t n)
{
	uint32_t i;

	for (i = 0; i + 1 < n; i++)
		if (set[i] == set[n - 1] ||
		    (!survey->colinear && set_colinear(survey->map, set[i], set[n - 1])))
			return false;
	return true;
}

static int set_look_at(struct route_survey *survey, struct route_cdg *depend,
		       const uint32_t *set)
{
	struct route_counts *counts = &survey->counts;
	uint64_t bad = counts->blocked + counts->circles;
	uint32_t i;

	for (i = 0; i < survey->faults; i++)
		if (torus_route_kill_node(survey->map, set[i]))
			return -ENOMEM;
	route_cdg_clear(depend);
	route_count_pairs(survey->map, depend, counts);
	torus_route_revive(survey->map);
	if (counts->blocked + counts->circles > bad) {
		memcpy(survey->bad, set, survey->faults * sizeof(*set));
		survey->has_bad = true;
	}
	if (survey->progress && counts->sets % PROGRESS_EVERY == 0)
		survey->progress(survey);
	return 0;
}

/* Draw a random number with the generator splitmix64. */
static uint64_t sample_draw(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* maximum number of random draws for one set of faults before -ENOENT */
#define DRAWS_MAX	100000

static int survey_run_samples(struct route_survey *survey, struct route_cdg *depend)
{
	uint64_t state = survey->seed, i;
	uint32_t set[ROUTE_FAULTS_MAX], n, draws;
	int ret;

	for (i = 0; i < survey->samples; i++) {
		for (n = 0, draws = 0; n < survey->faults; draws++) {
			set[n] = (uint32_t)(sample_draw(&state) % survey->map->nodes);
			n = set_allowed(survey, set, n + 1) ? n + 1 : 0;
			if (draws == DRAWS_MAX)
				return -ENOENT;
		}
		ret = set_look_at(survey, depend, set);
		if (ret)
			return ret;
	}
	return 0;
}

static uint32_t moved(const struct torus_route_map *map, uint32_t node, uint32_t origin)
{
	uint32_t p[DIMS], q[DIMS], dim;

	route_coords(map, node, p);
	route_coords(map, origin, q);
	for (dim = 0; dim < DIMS; dim++)
		p[dim] = (p[dim] + map->dims[dim] - q[dim]) % map->dims[dim];
	return route_number(map, p);
}

/*
 * Check that no translation of a set is smaller in lexicographic order. The survey uses only the
 * smallest of all sets that are translations of each other.
 */
static bool set_first_of_moved(const struct torus_route_map *map, const uint32_t *set, uint32_t n)
{
	uint32_t other[ROUTE_FAULTS_MAX], i, j, k;

	for (i = 1; i < n; i++) {
		for (j = 0; j < n; j++) {
			uint32_t node = moved(map, set[j], set[i]);

			for (k = j; k && other[k - 1] > node; k--)
				other[k] = other[k - 1];
			other[k] = node;
		}
		for (j = 0; j < n && other[j] == set[j]; j++)
			;
		if (j < n && other[j] < set[j])
			return false;
	}
	return true;
}

static int survey_run_all(struct route_survey *survey, struct route_cdg *depend)
{
	uint32_t nodes = survey->map->nodes, n = survey->faults, i = 0;
	uint32_t set[ROUTE_FAULTS_MAX] = { 0 };
	bool torus = !survey->map->mesh;
	int ret;

	if (!n)
		return set_look_at(survey, depend, set);
	for (;;) {
		/*
		 * On a torus, only sets that contain node 0 are surveyed: each other set is a
		 * translation of such a set.
		 */
		if (set[i] >= nodes || (torus && !i && set[0])) {
			if (!i)
				return 0;
			set[--i]++;
		} else if (!set_allowed(survey, set, i + 1)) {
			set[i]++;
		} else if (i + 1 < n) {
			set[i + 1] = set[i] + 1;
			i++;
		} else {
			if (!torus || set_first_of_moved(survey->map, set, n)) {
				ret = set_look_at(survey, depend, set);
				if (ret)
					return ret;
			}
			set[i]++;
		}
	}
}

/**
 * route_survey_run() - survey sets of dead nodes
 * @survey: [in, out] the parameters; results are overwritten
 *
 * Without samples all sets that @colinear allows are surveyed. On a torus without mesh dimensions,
 * only one set of each group of translations is surveyed.
 *
 * Return: 0, -EINVAL (too many faults), -ENOENT (no set, or fewer than @samples, found), -ENOMEM.
 */
int route_survey_run(struct route_survey *survey)
{
	struct route_cdg depend;
	int ret;

	if (survey->faults > ROUTE_FAULTS_MAX || survey->faults > survey->map->nodes)
		return -EINVAL;
	memset(&survey->counts, 0, sizeof(survey->counts));
	survey->counts.from = TORUS_ROUTE_NONE;
	survey->counts.to = TORUS_ROUTE_NONE;
	survey->has_bad = false;
	ret = route_cdg_init(&depend, survey->map);
	if (ret)
		return ret;
	if (survey->samples)
		ret = survey_run_samples(survey, &depend);
	else
		ret = survey_run_all(survey, &depend);
	route_cdg_free(&depend);
	if (survey->progress)
		survey->progress(survey);
	return ret ? ret : survey->counts.sets ? 0 : -ENOENT;
}
