// SPDX-License-Identifier: GPL-2.0
/*
 * Change fabrics that exist to the configuration in a file.
 *
 * A running fabric is changed if it accepts all differences. Otherwise it is created again, but
 * only if no program uses it: the module decides that when the fabric is deleted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../machine/machine.h"
#include "../netlink/fabric.h"
#include "../route/spec/fabric_io.h"
#include "change.h"
#include "diag.h"
#include "dry_run.h"
#include "keys.h"
#include "replace.h"
#include "side.h"

/*
 * Maximum number of passes over the differences of a running fabric. The second one sets what a
 * change of the first has overwritten: the key ber replaces the rates of single links.
 */
#define PASSES	4

/**
 * struct replace_change - a fabric that must be changed
 * @now: the fabric as it is
 * @wanted: the fabric of the dry run
 * @keys: their differences; @fixed also has other differences that a running fabric rejects
 */
struct replace_change {
	struct replace_side now;
	struct replace_side wanted;
	struct config_keys keys;
};

/* ----------------------------------------------------------------- differences */

/* Check whether only this side has a line of a kind. */
static bool only_kind(const struct config_side *side, enum config_kind kind)
{
	size_t i;

	for (i = 0; i < side->config.count; i++)
		if (!side->lines[i].same && side->lines[i].line->kind == kind)
			return true;
	return false;
}

/**
 * replace_side_read - read the configuration of a fabric, with its routing tables
 * @ctl: the call, for error messages
 * @nl: session with the fabric
 * @name: name of the fabric
 * @side: [out] freed with replace_side_free(), also after a failure; without lines if the fabric
 *    does not exist
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int replace_side_read(struct ctl *ctl, struct torus_nl *nl, const char *name,
		      struct replace_side *side)
{
	const struct torus_nl_fabric *fabric = &side->config.fabric;
	struct parse_error why;
	int status;

	side->tables = (struct xt_spec){ .map = NULL };
	status = config_side_read(ctl, nl, name, &side->config);
	if (status || !side->config.there ||
	    !torus_machine_can(torus_machine_find(fabric->arch), TORUS_MACHINE_TABLES) ||
	    !xt_live_read(nl, fabric, &side->tables, &why))
		return status;
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

/* Free the configuration of a fabric. */
void replace_side_free(struct replace_side *side)
{
	config_side_free(&side->config);
	xt_spec_free(&side->tables);
}

static void change_free(struct replace_change *change)
{
	replace_side_free(&change->now);
	replace_side_free(&change->wanted);
}

/*
 * Read the differences of a fabric. @differ: [out] false if there are none; then there is nothing
 * to free.
 */
static int change_read(struct ctl *ctl, const struct restore_file *file, const char *name,
		       struct replace_change *change, bool *differ)
{
	struct config_side *now = &change->now.config, *wanted = &change->wanted.config;
	int status;

	*change = (struct replace_change){ .keys.count = 0 };
	*differ = false;
	status = replace_side_read(ctl, ctl->nl, name, &change->now);
	if (!status && !now->there) {
		ctl_error(ctl, "fabric %s: another program has deleted it meanwhile", name);
		status = CTL_FAILED;
	}
	if (!status)
		status = replace_side_read(ctl, file->apart, name, &change->wanted);
	if (!status)
		*differ = !config_sides_match(now, wanted);
	if (status || !*differ) {
		change_free(change);
		return status;
	}
	config_keys_compare(&now->fabric, &wanted->fabric, &change->keys);
	if (only_kind(now, CONFIG_JOB))
		config_keys_fixed(&change->keys, "job");
	if (only_kind(now, CONFIG_FAULT) || only_kind(wanted, CONFIG_FAULT))
		config_keys_fixed(&change->keys, "scheduled faults");
	return CTL_OK;
}

/**
 * replace_read - read the differences between a file and the fabrics that exist
 * @ctl: the call, connected
 * @file: the configuration after a dry run with RESTORE_MODULE; lines of the fabrics that exist are
 *    skipped
 * @replace: [out] the fabrics that differ; freed with replace_free(), also after a failure
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int replace_read(struct ctl *ctl, const struct restore_file *file, struct replace *replace)
{
	struct replace_change *change;
	int status = CTL_OK;
	bool differ;
	size_t i;

	*replace = (struct replace){ .count = 0 };
	for (i = 0; i < file->count && !status; i++) {
		if (!file->lines[i].makes || !file->lines[i].skip)
			continue;
		change = torus_array_add(&replace->changes, &replace->count);
		if (!change) {
			ctl_error(ctl, "out of memory for the changes");
			return CTL_FAILED;
		}
		status = change_read(ctl, file, file->lines[i].words[2], change, &differ);
		replace->count -= status || !differ;
	}
	return status;
}

/* Free the changes. */
void replace_free(struct replace *replace)
{
	while (replace->count)
		change_free(&replace->changes[--replace->count]);
	free(replace->changes);
	*replace = (struct replace){ .count = 0 };
}

/* ------------------------------------------------------------ a running fabric */

/* Load tables into a running fabric. */
static int tables_load(struct ctl *ctl, const char *name, const struct xt_spec *tables)
{
	struct parse_error why;

	if (xt_live_load(ctl->nl, name, tables->tables, NULL, &why))
		return CTL_OK;
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

/* Make one pass over the differences between a running fabric and a wanted one. */
static int pass(struct ctl *ctl, struct config_side *now, const struct config_side *wanted,
		const struct xt_spec *tables)
{
	const char *name = wanted->fabric.name;
	struct config_keys keys;
	struct config change;
	int status = CTL_OK;

	config_keys_compare(&now->fabric, &wanted->fabric, &keys);
	if (keys.count)
		return torus_nl_fabric_set(ctl->nl, name, keys.live, keys.count) ?
		       ctl_failed(ctl) : CTL_OK;
	if (only_kind(now, CONFIG_ROUTE) || only_kind(wanted, CONFIG_ROUTE))
		status = tables_load(ctl, name, tables);
	if (status)
		return status;
	status = config_change_lines(ctl, now, wanted, &change);
	if (!status)
		status = config_change_run(ctl, &change);
	config_free(&change);
	return status;
}

/* Change a running fabric until it has the wanted configuration. */
static int change_live(struct ctl *ctl, struct replace_side *wanted)
{
	const char *name = wanted->config.fabric.name;
	struct config_side now;
	int status, passes;
	bool done;

	for (passes = 0; passes <= PASSES; passes++) {
		status = config_side_read(ctl, ctl->nl, name, &now);
		done = !status && now.there && config_sides_match(&now, &wanted->config);
		if (!status && !done && passes < PASSES)
			status = pass(ctl, &now, &wanted->config, &wanted->tables);
		config_side_free(&now);
		if (status || done)
			return status;
	}
	ctl_error(ctl, "fabric %s: still differs from the file after the change", name);
	return CTL_FAILED;
}

static int replace_live(struct ctl *ctl, struct replace_change *change)
{
	int status = change_live(ctl, &change->wanted);

	if (!status)
		return CTL_OK;
	if (change_live(ctl, &change->now))
		ctl_error(ctl, "fabric %s: was changed in part", change->now.config.fabric.name);
	return CTL_FAILED;
}

/* --------------------------------------------------------------- a new fabric */

/**
 * replace_delete - delete a fabric that no program uses, because a new one is necessary
 * @ctl: the call, connected
 * @name: name of the fabric
 * @fixed: names of the keys that require a new fabric
 *
 * Return: CTL_OK, or CTL_FAILED after an error message: then the fabric is unchanged.
 */
int replace_delete(struct ctl *ctl, const char *name, const char *fixed)
{
	int error = torus_nl_fabric_del_unused(ctl->nl, name);

	if (error != -EBUSY)
		return error ? ctl_failed(ctl) : CTL_OK;
	ctl_error(ctl, "fabric %s: not changed: a new fabric is required for %s, but %s", name,
		  fixed, torus_nl_error(ctl->nl));
	return CTL_FAILED;
}

/* Run the lines of one fabric. After an error, delete the fabric if it was created. */
static int run_lines_of(struct ctl *ctl, const struct restore_file *file, const char *name)
{
	bool made = false;
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < file->count && !status; i++) {
		if (strcmp(file->lines[i].words[2], name))
			continue;
		status = restore_run(ctl, file, &file->lines[i]);
		made |= !status;
	}
	if (status && made)
		torus_nl_fabric_del(ctl->nl, name);
	return status;
}

/**
 * replace_undo - create a fabric again that was deleted in vain
 * @ctl: the call, connected
 * @old: its configuration
 *
 * Return: CTL_FAILED, also after an error message if the fabric could not be created.
 */
int replace_undo(struct ctl *ctl, struct replace_side *old)
{
	const struct torus_nl_fabric *fabric = &old->config.fabric;
	int status = restore_copy(ctl, ctl->nl, fabric);
	struct parse_error why;

	if (!status && !xt_live_begin(ctl->nl, fabric->name, &why)) {
		ctl_error(ctl, "%s", why.text);
		status = CTL_FAILED;
	}
	if (!status)
		status = change_live(ctl, old);
	if (status)
		ctl_error(ctl, "fabric %s: was deleted, and could not be restored", fabric->name);
	return CTL_FAILED;
}

static int replace_new(struct ctl *ctl, const struct restore_file *file,
		       struct replace_change *change)
{
	const char *name = change->now.config.fabric.name;

	if (replace_delete(ctl, name, change->keys.fixed))
		return CTL_FAILED;
	return run_lines_of(ctl, file, name) ? replace_undo(ctl, &change->now) : CTL_OK;
}

/**
 * replace_run - change the fabrics that differ from a file
 * @ctl: the call, connected
 * @file: the configuration
 * @replace: the differences from replace_read()
 * @report: function that receives a message for each fabric that was changed or created again
 *
 * A fabric that rejects a change gets its old configuration again. A fabric that a program uses is
 * never deleted. After an error, the next fabric is changed.
 *
 * Return: CTL_OK, or CTL_FAILED after an error message for each fabric that was not changed.
 */
int replace_run(struct ctl *ctl, const struct restore_file *file, const struct replace *replace,
		void (*report)(const char *fabric, const char *format, ...))
{
	struct replace_change *change;
	int status = CTL_OK, one;

	for (change = replace->changes; change < replace->changes + replace->count; change++) {
		bool again = *change->keys.fixed;

		one = again ? replace_new(ctl, file, change) : replace_live(ctl, change);
		if (!one)
			report(change->now.config.fabric.name, again ? "created again" : "changed");
		status = status ? status : one;
	}
	return status;
}
