// SPDX-License-Identifier: GPL-2.0
/* torusctl link: the state of links, the faults on them, their CRCs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/counter.h"
#include "../netlink/link.h"
#include "../report/add.h"
#include "../words/fault.h"
#include "../words/words.h"
#include "core/link/fault.h"
#include "call.h"
#include "ctl.h"
#include "linkprint.h"
#include "output.h"
#include "place.h"
#include "say.h"
#include "target.h"

/* What was typed, as netlink says it. */
static const struct {
	enum word_fault_what what;
	enum torus_attr attr;
} fault_attrs[] = {
	{ WORD_FAULT_STATE, TORUS_A_LINK_STATE },
	{ WORD_FAULT_SENDER, TORUS_A_LINK_SENDER },
	{ WORD_FAULT_BER, TORUS_A_LINK_BER },
	{ WORD_FAULT_DELAY, TORUS_A_LINK_DELAY },
	{ WORD_FAULT_CORRUPT, TORUS_A_LINK_CORRUPT },
	{ WORD_FAULT_ESCAPE, TORUS_A_LINK_ESCAPE },
	{ WORD_FAULT_DROP_ACK, TORUS_A_LINK_DROP_ACK },
	{ WORD_FAULT_DROP_NACK, TORUS_A_LINK_DROP_NACK },
	{ WORD_FAULT_CORRUPT_ACK, TORUS_A_LINK_CORRUPT_ACK },
	{ WORD_FAULT_ECC_SINGLE, TORUS_A_LINK_ECC_SINGLE },
	{ WORD_FAULT_ECC_DOUBLE, TORUS_A_LINK_ECC_DOUBLE },
	{ WORD_FAULT_PARITY, TORUS_A_LINK_PARITY },
	{ WORD_FAULT_AT, TORUS_A_LINK_AT },
	{ WORD_FAULT_FOR, TORUS_A_LINK_FOR },
};

static void fault_link(const struct word_fault *fault, const struct target *target,
		       struct torus_nl_link *link)
{
	size_t i;

	*link = (struct torus_nl_link) {
		.node = target->node, .dir = target->dir,
		.state = fault->up, .sender = fault->sender, .ber = fault->ber,
		.corrupt = fault->corrupt, .escape = fault->escape,
		.drop_ack = fault->drop_ack, .corrupt_ack = fault->corrupt_ack,
		.drop_nack = fault->drop_nack,
		.ecc_single = fault->ecc_single, .ecc_double = fault->ecc_double,
		.parity = fault->parity,
		.delay_ticks = target_ticks(target, &fault->delay),
		.at_ticks = target_ticks(target, &fault->at),
		.for_ticks = target_ticks(target, &fault->lasting),
	};
	for (i = 0; i < ARRAY_SIZE(fault_attrs); i++)
		if (fault->has & fault_attrs[i].what)
			link->present |= TORUS_NL_HAS(fault_attrs[i].attr);
	if (target->has_node)
		link->present |= TORUS_NL_HAS(TORUS_A_NODE);
	if (target->has_dir)
		link->present |= TORUS_NL_HAS(TORUS_A_DIR);
}

/* The links of a node before they were set. */
struct kept_links {
	struct torus_nl_link *links;
	size_t count;
};

/* Of several nodes those that have the link; only then @kept is needed. */
static int link_set_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	struct kept_links *before = kept;
	struct torus_nl_link link;
	bool several = target->nodes.count > 1;
	int error;

	if (several && torus_nl_link_dump(ctl->nl, target->name, &target->node, &before->links,
					  &before->count))
		return ctl_failed(ctl);
	fault_link(arg, target, &link);
	error = torus_nl_link_set(ctl->nl, target->name, &link);
	if (!error || (several && error == -ENOLINK))
		return ctl_done(ctl);
	return ctl_failed(ctl);
}

static int link_restore_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	const struct kept_links *before = kept;
	struct torus_nl_link set;
	int status = CTL_OK;
	size_t i;

	fault_link(arg, target, &set);
	for (i = 0; i < before->count; i++) {
		struct torus_nl_link link = before->links[i];

		if (target->has_dir && link.dir != target->dir)
			continue;
		link.sender = torus_nl_link_sender(&link);
		link.present = set.present | TORUS_NL_HAS(TORUS_A_NODE) |
			       TORUS_NL_HAS(TORUS_A_DIR);
		if (torus_nl_link_set(ctl->nl, target->name, &link))
			status = CTL_FAILED;
	}
	return status;
}

/* Faults for later cannot be taken back: that all of them fit is asked before. */
static int link_faults_fit(struct ctl *ctl, const struct target *target,
			   const struct word_fault *fault)
{
	struct torus_nl_link *faults;
	size_t count;

	if (target->nodes.count < 2 || !(fault->has & (WORD_FAULT_AT | WORD_FAULT_FOR)))
		return CTL_OK;
	if (torus_nl_fault_dump(ctl->nl, target->name, &faults, &count))
		return ctl_failed(ctl);
	free(faults);
	if (target->nodes.count <= TORUS_FAULTS_MAX - count)
		return CTL_OK;
	ctl_tell(ctl, "fabric %s: %zu faults are scheduled, %zu more are at most %u", target->name,
		 count, target->nodes.count, TORUS_FAULTS_MAX);
	return CTL_FAILED;
}

static void links_drop(void *kept)
{
	free(((struct kept_links *)kept)->links);
}

/* Of the nodes that were typed, all or none. */
static int links_set(struct ctl *ctl, struct target *target, struct word_fault *fault)
{
	static const struct target_change change = {
		.one = link_set_one, .undo = link_restore_one, .drop = links_drop,
		.size = sizeof(struct kept_links),
	};
	int status = link_faults_fit(ctl, target, fault);

	if (!status)
		status = target_change(ctl, target, &change, fault);
	target_free(target);
	return status;
}

static int link_set(struct ctl *ctl, struct ctl_args *args)
{
	struct word_fault fault = { .has = 0 };
	struct word_why why;
	struct target target;
	const char *word;
	const char *key;
	int status;

	status = target_parse(ctl, args, TARGET_NODE | TARGET_DIR | TARGET_ALL | TARGET_RANGE,
			      &target);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		if (!word_fault(&fault, key, word, &why))
			return ctl_bad(ctl, "%s", why.text);
	}
	if (!word_fault_any(&fault))
		return ctl_usage(ctl, "there is nothing to set");
	status = target_find(ctl, &target);
	if (status)
		return status;
	if (target.has_node)
		return links_set(ctl, &target, &fault);
	return link_set_one(ctl, &target, &fault, NULL);
}

/* The links of node, or the one that was named, into the list @arg or as text. */
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
		output_item(list, link_json(ctl, &target->fabric, &links[i]), link_form);
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

static bool link_carried(const struct torus_nl_link *link)
{
	size_t vc;

	for (vc = 0; vc < TORUS_VCS_MAX; vc++)
		if (link->counters.packets[vc])
			return true;
	return false;
}

/*
 * The links that have carried packets without a CRC: with crc lazy, those of the core's
 * own workload.  A CRC that has begun is 0 only by a chance of 2^-32.
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
		*uncounted += link_carried(&links[i]) && !links[i].tx_crc && !links[i].rx_crc;
	free(links);
	return CTL_OK;
}

/*
 * The links that differ are printed one by one, so that their text needs no memory.  What was not
 * computed is neither equal nor not: null.
 */
static void check_print(const struct ctl *ctl, const struct target *target, uint64_t links,
			const struct torus_nl_link *differ, size_t count, size_t uncounted)
{
	struct json_object *list = ctl->json ? json_object_new_array() : NULL;
	struct json_object *doc = json_object_new_object();
	size_t i;

	for (i = 0; i < count; i++)
		output_item(list, link_json(ctl, &target->fabric, &differ[i]), link_form);
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
	.help = "links: state, faults, the CRCs of both ends",
	.details = "NODES = coordinates like 1,2,3 or a number, each a range like 0-3 or all if "
		   "that is meant; all\n"
		   "DIR = x+ x- y+ y- ..\n"
		   "FAULT = state up|down | ber P | corrupt N | escape N | drop-ack N |\n"
		   "        drop-nack N | corrupt-ack N | ecc-single N | ecc-double N |\n"
		   "        parity N | delay TICKS | sender on|off|dead\n"
		   "N = the next N packets; TICKS may be a time: 20us\n"
		   "ecc-*, parity: read so from the buffers at the link's far end\n"
		   "Receivers and retransmissions are stopped by register link_control\n",
	.commands = commands,
};
