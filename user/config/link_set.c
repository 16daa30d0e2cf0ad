// SPDX-License-Identifier: GPL-2.0
/* The command link set: change the state of links, and inject faults. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/link.h"
#include "../parse/fault.h"
#include "../parse/parse.h"
#include "core/link/fault.h"
#include "args.h"
#include "link_set.h"
#include "diag.h"
#include "target.h"

/* Netlink attribute for each part of a fault. */
static const struct {
	enum parse_fault_what what;
	enum torus_attr attr;
} fault_attrs[] = {
	{ PARSE_FAULT_STATE, TORUS_A_LINK_STATE },
	{ PARSE_FAULT_SENDER, TORUS_A_LINK_SENDER },
	{ PARSE_FAULT_BER, TORUS_A_LINK_BER },
	{ PARSE_FAULT_DELAY, TORUS_A_LINK_DELAY },
	{ PARSE_FAULT_CORRUPT, TORUS_A_LINK_CORRUPT },
	{ PARSE_FAULT_ESCAPE, TORUS_A_LINK_ESCAPE },
	{ PARSE_FAULT_DROP_ACK, TORUS_A_LINK_DROP_ACK },
	{ PARSE_FAULT_DROP_NACK, TORUS_A_LINK_DROP_NACK },
	{ PARSE_FAULT_CORRUPT_ACK, TORUS_A_LINK_CORRUPT_ACK },
	{ PARSE_FAULT_ECC_SINGLE, TORUS_A_LINK_ECC_SINGLE },
	{ PARSE_FAULT_ECC_DOUBLE, TORUS_A_LINK_ECC_DOUBLE },
	{ PARSE_FAULT_PARITY, TORUS_A_LINK_PARITY },
	{ PARSE_FAULT_AT, TORUS_A_LINK_AT },
	{ PARSE_FAULT_FOR, TORUS_A_LINK_FOR },
};

static void fault_link(const struct parse_fault *fault, const struct target *target,
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

/* Saved state of a node's links before the change, with which the change is undone. */
struct kept_links {
	struct torus_nl_link *links;
	size_t count;
};

/*
 * Set links of the target's node, or of all nodes. If the target has several nodes, skip those
 * without such a link, and save the old state in @kept.
 */
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

/*
 * Check that there is free space for all scheduled faults. Scheduled faults cannot be undone, so
 * check before the first one is set.
 */
static int link_faults_fit(struct ctl *ctl, const struct target *target,
			   const struct parse_fault *fault)
{
	struct torus_nl_link *faults;
	size_t count;

	if (target->nodes.count < 2 || !(fault->has & (PARSE_FAULT_AT | PARSE_FAULT_FOR)))
		return CTL_OK;
	if (torus_nl_fault_dump(ctl->nl, target->name, &faults, &count))
		return ctl_failed(ctl);
	free(faults);
	if (target->nodes.count <= TORUS_FAULTS_MAX - count)
		return CTL_OK;
	ctl_error(ctl,
		  "fabric %s: %zu faults are scheduled, with %zu more there must be at most %u",
		  target->name,
		  count, target->nodes.count, TORUS_FAULTS_MAX);
	return CTL_FAILED;
}

static void links_drop(void *kept)
{
	free(((struct kept_links *)kept)->links);
}

/* Set the links of all nodes of a target, or of none. Scheduled faults are not undone. */
static int links_set(struct ctl *ctl, struct target *target, struct parse_fault *fault)
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

/**
 * link_set - set the state of links, or faults on them
 * @ctl: the call
 * @args: FABRIC NODES DIR|all FAULT..
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int link_set(struct ctl *ctl, struct ctl_args *args)
{
	struct parse_fault fault = { .has = 0 };
	struct parse_error why;
	struct target target;
	const char *word;
	const char *key;
	int status;

	status = target_parse(ctl, args, TARGET_NODE | TARGET_DIR | TARGET_ALL | TARGET_RANGE,
			      &target);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		if (!strcmp(key, "up") || !strcmp(key, "down"))
			return ctl_reject(ctl, "unknown key of a link: %s; to set the state, write "
					  "state %s", key, key);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		if (!parse_fault(&fault, key, word, &why))
			return ctl_reject(ctl, "%s", why.text);
	}
	if (!parse_fault_any(&fault))
		return ctl_usage(ctl, "a fault is missing");
	status = target_find(ctl, &target);
	if (status)
		return status;
	if (target.has_node)
		return links_set(ctl, &target, &fault);
	return link_set_one(ctl, &target, &fault, NULL);
}
