// SPDX-License-Identifier: GPL-2.0
/* Check routing tables before they are loaded, and report the first error. */
#include "../../parse/shape.h"
#include "../xt/check.h"
#include "spec.h"
#include "first_error.h"

static bool name_cycle(const struct xt_map *map, const struct xt_check *check,
		       struct parse_error *why)
{
	const struct xt_channel *first = &check->path[0];
	const uint16_t *at = map->at[first->node];
	char dir[PARSE_DIR_MAX];

	return parse_fail(why,
			  "deadlock: %u channels may wait for each other in a cycle, the first is "
			  "%u,%u,%u %s VC %u", check->path_ends[0], at[0], at[1], at[2],
			  parse_dir_name(first->dir, dir, sizeof(dir)), first->vc);
}

static bool name_failure(const struct xt_map *map, const struct xt_check *check,
			 struct parse_error *why)
{
	const struct xt_failure *bad = &check->failures[0];
	const uint16_t *from = map->at[bad->src], *to = map->at[bad->dst];
	uint64_t lost = check->pairs - check->ends[XT_END_REACHED];

	return parse_fail(why, "%s: the path from %u,%u,%u to %u,%u,%u fails, one of %llu pairs "
			  "that are not reached",
			  xt_end_name(bad->end), from[0], from[1], from[2], to[0],
			  to[1], to[2], (unsigned long long)lost);
}

/**
 * xt_spec_check() - check whether tables may be loaded
 * @tables: the tables; their map states which cables packets may use
 * @why: [out] the first error: a pair of nodes and the fate of its packets; or a cycle of channels;
 *	or a lack of memory
 *
 * Return: true if each pair is reached and no packets can wait for each other in a cycle.
 */
bool xt_spec_check(const struct xt_tables *tables, struct parse_error *why)
{
	struct xt_check check;
	bool clean;

	if (xt_check_init(&check, tables->map))
		return parse_fail(why, "out of memory for the check of the tables of %u nodes",
				  tables->map->nodes);
	xt_check_run(&check, tables);
	clean = xt_check_clean(&check);
	if (!clean && check.nfailures)
		name_failure(tables->map, &check, why);
	else if (!clean)
		name_cycle(tables->map, &check, why);
	xt_check_free(&check);
	return clean;
}
