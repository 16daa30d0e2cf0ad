// SPDX-License-Identifier: GPL-2.0
/* torusctl link: print the state, the faults and the CRCs of links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/counter.h"
#include "../netlink/link.h"
#include "../report/json.h"
#include "../config/ctl.h"
#include "../config/link_set.h"
#include "print/link.h"
#include "objects.h"
#include "print/output.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "target_list.h"

/*
 * Print the links of one node or of all nodes, in one direction or in all directions. @arg: JSON
 * list, or NULL for text.
 */
static int links_print(struct ctl *ctl, struct target *target, void *arg)
{
	struct json_object *list = arg;
	struct torus_nl_link *links;
	struct torus_nl_link one;
	size_t count = 1;
	size_t i;
	int error;

	if (target->has_node && target->has_dir) {
		error = torus_nl_link_get(ctl->nl, target->name, target->node, target->dir, &one);
		if (error == -ENOLINK && target->nodes.count > 1)
			return CTL_OK;
		links = &one;
	} else {
		error = torus_nl_link_dump(ctl->nl, target->name,
					   target->has_node ? &target->node : NULL, &links,
					   &count);
	}
	if (error)
		return ctl_failed(ctl);
	for (i = 0; i < count; i++) {
		if (target->has_dir && links[i].dir != target->dir)
			continue;
		report_item(list, link_json(ctl, &target->fabric, &links[i]), link_form);
	}
	if (links != &one)
		free(links);
	return ctl_done(ctl);
}

static int link_show(struct ctl *ctl, struct ctl_args *args)
{
	return target_list(ctl, args, TARGET_MAY_NODE | TARGET_MAY_DIR | TARGET_RANGE, links_print,
			   links_print);
}

static bool link_transmitted(const struct torus_nl_link *link)
{
	size_t vc;

	for (vc = 0; vc < TORUS_VCS_MAX; vc++)
		if (link->counters.packets[vc])
			return true;
	return false;
}

/*
 * Count the links that sent packets without a CRC. With `crc lazy`, the core computes no CRCs for
 * the packets of its own workload. A link without a CRC has CRC 0; a computed CRC is 0 only with
 * probability 2^-32.
 */
static int links_uncounted(struct ctl *ctl, const struct target *target, size_t *uncounted)
{
	struct torus_nl_link *links;
	size_t count;
	size_t i;

	*uncounted = 0;
	if (strcmp(torus_nl_fabric_param(&target->fabric, "crc"), "lazy"))
		return CTL_OK;
	if (torus_nl_link_dump(ctl->nl, target->name, NULL, &links, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count; i++)
		*uncounted += link_transmitted(&links[i]) && !links[i].tx_crc && !links[i].rx_crc;
	free(links);
	return CTL_OK;
}

/*
 * Print each link whose CRCs differ on its own, because a text of all links would need much memory.
 * In JSON, "equal" is null if some CRCs were not computed and all others agree.
 */
static void check_print(const struct ctl *ctl, const struct target *target, uint64_t links,
			const struct torus_nl_link *differ, size_t count, size_t uncounted)
{
	struct json_object *list = ctl->json ? json_object_new_array() : NULL;
	struct json_object *doc = json_object_new_object();
	size_t i;

	for (i = 0; i < count; i++)
		report_item(list, link_json(ctl, &target->fabric, &differ[i]), link_form);
	report_add_text(doc, "fabric", target->name);
	report_add_u64(doc, "links", links);
	json_object_object_add(doc, "equal", uncounted && !count ? NULL :
			       json_object_new_boolean(!count));
	report_add_u64(doc, "not_computed", uncounted);
	json_object_object_add(doc, "differ", ctl->json ? list : json_object_new_uint64(count));
	output_answer(ctl, doc, "{links} links, {?differ}the CRCs of {differ} differ{:}"
		      "{?not_computed}the CRCs of {not_computed} not computed (crc lazy){:}"
		      "all CRCs equal{/}{/}\n");
}

static int link_check(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_fabric_counters counters;
	struct torus_nl_link *differ;
	struct target target;
	size_t uncounted;
	size_t count;
	int status;

	status = target_whole(ctl, args, TARGET_FABRIC, &target);
	if (status)
		return status;
	if (torus_nl_counter_get(ctl->nl, target.name, &counters))
		return ctl_failed(ctl);
	status = links_uncounted(ctl, &target, &uncounted);
	if (status)
		return status;
	if (torus_nl_link_check(ctl->nl, target.name, &differ, &count))
		return ctl_failed(ctl);
	check_print(ctl, &target, counters.links, differ, count, uncounted);
	free(differ);
	ctl_done(ctl);
	return count ? CTL_FAILED : CTL_OK;
}

static const struct ctl_command commands[] = {
	{ "show", "FABRIC [NODES [DIR|all]]", link_show },
	{ "set", "FABRIC NODES DIR|all FAULT... [at TICK] [for TICKS]", link_set },
	{ "check", "FABRIC", link_check },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_link = {
	.name = "link",
	.help = "links: state, faults, CRCs of sender and receiver",
	.details = "NODES = coordinates like 1,2,3 or a number; each may be a range like 0-3,\n"
		   "        or all\n"
		   "DIR = x+ x- y+ y- ..\n"
		   "FAULT = state up|down | ber P | corrupt N | escape N | drop-ack N |\n"
		   "        drop-nack N | corrupt-ack N | ecc-single N | ecc-double N |\n"
		   "        parity N | delay TICKS | sender on|off|dead\n"
		   "N = the next N packets; TICKS may be a time: 20us\n"
		   "ecc-* and parity damage packets in the buffers at the receiver of the link\n"
		   "Register link_control stops receivers and retransmissions\n",
	.commands = commands,
};
