// SPDX-License-Identifier: GPL-2.0
/* Tables into fabrics and out of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../machine/machine.h"
#include "../../netlink/route.h"
#include "image.h"
#include "live.h"

/**
 * xt_live_map() - begin a target: the machine that a fabric is, with all its cables
 * @fabric: the fabric
 * @target: gets it; to be freed, whatever comes back
 * @why: gets the reason
 *
 * Return: whether the fabric is one of tables, and there is memory.
 */
bool xt_live_map(const struct torus_nl_fabric *fabric, struct xt_target *target,
		 struct word_why *why)
{
	char lack[TORUS_MACHINE_WHY_MAX];

	memset(target, 0, sizeof(*target));
	if (torus_machine_demand(fabric->arch, TORUS_MACHINE_TABLES, lack, sizeof(lack)))
		return word_refuse(why, "fabric %s: %s", fabric->name, lack);
	return xt_target_map(target, fabric->dims, fabric->mesh, fabric->numbering.split[0], why);
}

/**
 * xt_live_cables() - break the cables that are dead in a fabric
 * @nl: the session
 * @name: the fabric
 * @target: with its map
 * @why: gets the reason
 *
 * Return: whether they could be asked for.
 */
bool xt_live_cables(struct torus_nl *nl, const char *name, struct xt_target *target,
		    struct word_why *why)
{
	struct torus_nl_link *links;
	uint32_t node;
	size_t count, i;

	if (torus_nl_link_dump_changed(nl, name, &links, &count))
		return word_refuse(why, "fabric %s: %s", name, torus_nl_error(nl));
	for (i = 0; i < count; i++) {
		if (!torus_nl_link_dead(&links[i]))
			continue;
		node = xt_map_find(target->map, links[i].node);
		if (node != XT_NONE)
			xt_map_set(target->map, node, links[i].dir, XT_BROKEN);
	}
	free(links);
	return true;
}

/**
 * xt_live_load() - give a fabric tables, all of them or none
 * @nl: the session
 * @name: the fabric
 * @tables: the tables
 * @at: as torus_nl_route_load() has it
 * @why: gets the reason
 *
 * Return: whether it has taken them.
 */
bool xt_live_load(struct torus_nl *nl, const char *name, const struct xt_tables *tables,
		  const uint64_t *at, struct word_why *why)
{
	struct word_why reason;
	size_t bytes;
	void *image = xt_image_make(tables, &bytes, &reason);
	int error;

	if (!image)
		return word_refuse(why, "fabric %s: %s", name, reason.text);
	error = torus_nl_route_load(nl, name, image, bytes, at);
	free(image);
	return !error || word_refuse(why, "fabric %s: %s", name, torus_nl_error(nl));
}

/**
 * xt_live_begin() - give a new fabric version 3's tables, if its machine has any
 * @nl: the session
 * @name: the fabric
 * @why: gets the reason
 *
 * Return: whether it has them, or needs none.
 */
bool xt_live_begin(struct torus_nl *nl, const char *name, struct word_why *why)
{
	const char *const words[XT_KEYS] = { NULL };
	struct torus_nl_fabric fabric;
	struct xt_target target;
	bool good;

	if (torus_nl_fabric_get(nl, name, &fabric))
		return word_refuse(why, "fabric %s: %s", name, torus_nl_error(nl));
	if (!torus_machine_can(torus_machine_find(fabric.arch), TORUS_MACHINE_TABLES))
		return true;
	good = xt_live_map(&fabric, &target, why) && xt_target_words(&target, words, why) &&
	       xt_target_compute(&target, why) &&
	       xt_live_load(nl, name, target.tables, NULL, why);
	xt_target_free(&target);
	return good;
}

/**
 * xt_live_read() - the tables of a fabric as they are
 * @nl: the session
 * @fabric: the fabric
 * @target: gets them; to be freed, whatever comes back
 * @why: gets the reason
 *
 * Return: 0; -ENODATA when it has none; -EINVAL of a machine without tables, -EBADMSG of tables
 * that make no sense, or what torus_nl_route_get() has failed with.
 */
int xt_live_read(struct torus_nl *nl, const struct torus_nl_fabric *fabric,
		 struct xt_target *target, struct word_why *why)
{
	void *image = NULL;
	size_t bytes;
	bool good;
	int error;

	if (!xt_live_map(fabric, target, why))
		return -EINVAL;
	error = torus_nl_route_get(nl, fabric->name, &image, &bytes);
	if (error) {
		word_refuse(why, "fabric %s: %s", fabric->name, torus_nl_error(nl));
		return error;
	}
	good = xt_image_read(image, bytes, target->map, &target->tables, why);
	free(image);
	return good ? 0 : -EBADMSG;
}
