// SPDX-License-Identifier: GPL-2.0
/*
 * Parse FABRIC [NODE [DIR]], the first arguments of most calls. Change the nodes that these
 * arguments name.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../parse/name.h"
#include "../parse/node.h"
#include "../parse/node_set.h"
#include "../parse/shape.h"
#include "../parse/time.h"
#include "../parse/parse.h"
#include "args.h"
#include "node_addr.h"
#include "diag.h"
#include "target.h"

/* Check whether an argument is a keyword, which may follow in place of an optional node. */
static bool target_keyword(const char *word)
{
	static const char *const words[] = {
		"top", "from", "to", "count", "bytes", "buffer", "-w",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static int target_node(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		       struct target *target)
{
	const char *word = args->at < args->count ? args->words[args->at] : NULL;
	struct parse_error why;

	if (!word || ((form & TARGET_MAY_NODE) && target_keyword(word))) {
		if (form & TARGET_NODE)
			return ctl_usage(ctl, "a node is missing");
		return CTL_OK;
	}
	ctl_next(args);
	if (form & TARGET_RANGE) {
		if (!parse_places(word, &target->places, &why))
			return ctl_reject(ctl, "%s", why.text);
		target->ranged = true;
		target->place.all = target->places.all && form & (TARGET_ALL | TARGET_MAY_NODE);
		target->has_node = !target->place.all;
		return CTL_OK;
	}
	if (!parse_place(word, form & TARGET_ALL, &target->place, &why))
		return ctl_reject(ctl, "%s", why.text);
	target->has_node = !target->place.all;
	return CTL_OK;
}

static int target_dir(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		      struct target *target)
{
	const char *word = args->at < args->count ? args->words[args->at] : NULL;
	struct parse_error why;

	if (!word || ((form & TARGET_MAY_DIR) && target_keyword(word))) {
		if (form & TARGET_DIR)
			return ctl_usage(ctl, "a direction is missing");
		return CTL_OK;
	}
	ctl_next(args);
	if ((form & (TARGET_ALL | TARGET_RANGE)) && !strcmp(word, "all"))
		return CTL_OK;
	if (!parse_dir(word, &target->dir, &why))
		return ctl_reject(ctl, "%s", why.text);
	target->has_dir = true;
	return CTL_OK;
}

/**
 * target_parse - parse FABRIC [NODE [DIR]]
 * @form: TARGET_*: required and optional parts
 * @target: [out] the parsed arguments
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int target_parse(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		 struct target *target)
{
	struct parse_error why;
	int status;
	bool named;

	memset(target, 0, sizeof(*target));
	target->name = ctl_next(args);
	if (!target->name)
		return ctl_usage(ctl, "the name of a fabric is missing");
	if (!parse_name(target->name, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (!(form & (TARGET_NODE | TARGET_MAY_NODE)))
		return CTL_OK;
	status = target_node(ctl, args, form, target);
	named = target->has_node || target->place.all;
	if (status || !named || !(form & (TARGET_DIR | TARGET_MAY_DIR)))
		return status;
	return target_dir(ctl, args, form, target);
}

/**
 * target_free - free the list of nodes of a target
 * @target: target from target_find()
 */
void target_free(struct target *target)
{
	free(target->nodes.numbers);
	target->nodes = (struct place_list){ .count = 0 };
}

/**
 * target_find - connect to the module, read the description of the fabric, and find the numbers of
 * the nodes
 * @target: from target_parse(); the fabric and the node numbers are filled in
 *
 * Return: CTL_OK; CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int target_find(struct ctl *ctl, struct target *target)
{
	const struct torus_nl_fabric *fabric = &target->fabric;
	char text[PARSE_DIR_MAX];
	int status;

	status = ctl_connect(ctl);
	if (status)
		return status;
	if (torus_nl_fabric_get(ctl->nl, target->name, &target->fabric))
		return ctl_failed(ctl);
	if (target->has_dir && target->dir / 2 >= fabric->ndims) {
		ctl_error(ctl, "direction %s: fabric %s has %u dimensions",
			  parse_dir_name(target->dir, text, sizeof(text)), target->name,
			  fabric->ndims);
		return CTL_FAILED;
	}
	if (!target->has_node)
		return CTL_OK;
	if (target->ranged) {
		status = place_numbers(ctl, fabric, &target->places, &target->nodes);
		if (!status)
			target->node = target->nodes.numbers[0];
		else
			target_free(target);
		return status;
	}
	return place_number(ctl, fabric, &target->place, &target->node);
}

/**
 * target_each - call a function for each node of a target
 * @target: target from target_find(), with nodes; the list of nodes is freed
 * @one: function that is called for each node, with the node's number in @target->node
 * @arg: argument of @one
 *
 * The first error ends the loop.
 *
 * Return: status of the last call.
 */
int target_each(struct ctl *ctl, struct target *target,
		int (*one)(struct ctl *ctl, struct target *target, void *arg), void *arg)
{
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < target->nodes.count && !status; i++) {
		target->node = target->nodes.numbers[i];
		status = one(ctl, target, arg);
	}
	target_free(target);
	return status;
}

/**
 * target_change - change all nodes of a target, or none
 * @target: target from target_find(), with nodes; freed by the caller
 * @change: the change and its undo
 * @arg: argument of @change
 *
 * If a node is rejected, the nodes changed before it are restored.
 *
 * Return: CTL_OK; CTL_FAILED after an error message if there is no memory; or the status of the
 * rejected node.
 */
int target_change(struct ctl *ctl, struct target *target, const struct target_change *change,
		  void *arg)
{
	size_t count = target->nodes.count, size = change->size, i;
	char *kept = calloc(count, size);
	char where[PLACE_TEXT_MAX];
	int status = CTL_OK;

	if (!kept) {
		ctl_error(ctl, "out of memory for %zu nodes", count);
		return CTL_FAILED;
	}
	for (i = 0; i < count && !status; i++) {
		target->node = target->nodes.numbers[i];
		status = change->one(ctl, target, arg, kept + i * size);
	}
	for (i -= !!status; status && i--;) {
		target->node = target->nodes.numbers[i];
		if (change->undo(ctl, target, arg, kept + i * size))
			ctl_error(ctl, "node %s: cannot restore the old state",
				  place_text(&target->fabric, target->node, where, sizeof(where)));
	}
	for (i = 0; change->drop && i < count; i++)
		change->drop(kept + i * size);
	free(kept);
	return status;
}

/**
 * target_whole - parse a call whose only arguments are a target, and find the fabric
 * @form: as in target_parse()
 * @target: [out] the target, with the module's description of the fabric
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int target_whole(struct ctl *ctl, struct ctl_args *args, unsigned int form, struct target *target)
{
	int status = target_parse(ctl, args, form, target);

	if (!status)
		status = ctl_end(ctl, args);
	return status ? status : target_find(ctl, target);
}

/**
 * target_ticks - convert a time to ticks of the fabric
 * @target: target from target_find()
 *
 * Return: the number of ticks, rounded up.
 */
uint64_t target_ticks(const struct target *target, const struct parse_time *time)
{
	return parse_time_ticks(time, target->fabric.tick_fs);
}
