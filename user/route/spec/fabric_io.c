// SPDX-License-Identifier: GPL-2.0
/* Load tables into a fabric of the kernel, and read them back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../machine/machine.h"
#include "../../netlink/route.h"
#include "kernel_image.h"
#include "fabric_io.h"

/**
 * xt_live_map() - set up a spec for a fabric of the kernel, with all cables present
 * @spec: [out] freed with xt_spec_free(), also after a failure
 * @why: [out] the reason of a failure
 *
 * Return: true on success; false if the fabric's machine has no routing tables, or without
 * memory.
 */
bool xt_live_map(const struct torus_nl_fabric *fabric, struct xt_spec *spec,
		 struct parse_error *why)
{
	char lack[TORUS_MACHINE_WHY_MAX];

	memset(spec, 0, sizeof(*spec));
	if (torus_machine_demand(fabric->arch, TORUS_MACHINE_TABLES, lack, sizeof(lack)))
		return parse_fail(why, "fabric %s: %s", fabric->name, lack);
	return xt_spec_map(spec, fabric->dims, fabric->mesh, fabric->numbering.split[0], why);
}

/**
 * xt_live_cables() - mark cables as broken in the spec if they are dead in a fabric
 * @name: name of the fabric
 * @spec: [in, out] must have a map
 * @why: [out] the reason of a failure
 *
 * Return: true if the fabric's links could be read.
 */
bool xt_live_cables(struct torus_nl *nl, const char *name, struct xt_spec *spec,
		    struct parse_error *why)
{
	struct torus_nl_link *links;
	uint32_t node;
	size_t count, i;

	if (torus_nl_link_dump_changed(nl, name, &links, &count))
		return parse_fail(why, "fabric %s: %s", name, torus_nl_error(nl));
	for (i = 0; i < count; i++) {
		if (!torus_nl_link_dead(&links[i]))
			continue;
		node = xt_map_find(spec->map, links[i].node);
		if (node != XT_NONE)
			xt_map_set(spec->map, node, links[i].dir, XT_BROKEN);
	}
	free(links);
	return true;
}

/**
 * xt_live_load() - load tables into a fabric atomically
 * @name: name of the fabric
 * @at: tick at which the tables take effect, as for torus_nl_route_load()
 * @why: [out] the reason of a failure
 *
 * Return: true if the kernel accepted the tables.
 */
bool xt_live_load(struct torus_nl *nl, const char *name, const struct xt_tables *tables,
		  const uint64_t *at, struct parse_error *why)
{
	struct parse_error reason;
	size_t bytes;
	void *image = xt_image_make(tables, &bytes, &reason);
	int error;

	if (!image)
		return parse_fail(why, "fabric %s: %s", name, reason.text);
	error = torus_nl_route_load(nl, name, image, bytes, at);
	free(image);
	return !error || parse_fail(why, "fabric %s: %s", name, torus_nl_error(nl));
}

/**
 * xt_live_begin() - load the tables of policy v3 into a new fabric, if its machine has routing
 * tables
 * @name: name of the fabric
 * @why: [out] the reason of a failure
 *
 * Return: true if the tables are loaded, or if the machine needs none.
 */
bool xt_live_begin(struct torus_nl *nl, const char *name, struct parse_error *why)
{
	const char *const words[XT_KEYS] = { NULL };
	struct torus_nl_fabric fabric;
	struct xt_spec spec;
	bool good;

	if (torus_nl_fabric_get(nl, name, &fabric))
		return parse_fail(why, "fabric %s: %s", name, torus_nl_error(nl));
	if (!torus_machine_can(torus_machine_find(fabric.arch), TORUS_MACHINE_TABLES))
		return true;
	good = xt_live_map(&fabric, &spec, why) && xt_spec_words(&spec, words, why) &&
	       xt_spec_compute(&spec, why) &&
	       xt_live_load(nl, name, spec.tables, NULL, why);
	xt_spec_free(&spec);
	return good;
}

/**
 * xt_live_read() - read the current routing tables of a fabric
 * @spec: [out] freed with xt_spec_free(), also after an error
 * @why: [out] the reason of a failure
 *
 * Return: 0; -ENODATA if the fabric has no tables yet; -EINVAL if its machine has none, or without
 * memory for its map; -EBADMSG if the tables are invalid, or without memory for them; or an error
 * of torus_nl_route_get().
 */
int xt_live_read(struct torus_nl *nl, const struct torus_nl_fabric *fabric,
		 struct xt_spec *spec, struct parse_error *why)
{
	void *image = NULL;
	size_t bytes;
	bool good;
	int error;

	if (!xt_live_map(fabric, spec, why))
		return -EINVAL;
	error = torus_nl_route_get(nl, fabric->name, &image, &bytes);
	if (error) {
		parse_fail(why, "fabric %s: %s", fabric->name, torus_nl_error(nl));
		return error;
	}
	good = xt_image_read(image, bytes, spec->map, &spec->tables, why);
	free(image);
	return good ? 0 : -EBADMSG;
}
