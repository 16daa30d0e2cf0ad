// SPDX-License-Identifier: GPL-2.0
/* The command fabric replace: create a fabric, or give an existing one other keys. */
#include <errno.h>

#include "../netlink/fabric.h"
#include "args.h"
#include "diag.h"
#include "dry_run.h"
#include "fabric_args.h"
#include "fabric_replace.h"
#include "fabric_set.h"
#include "keys.h"
#include "replace.h"

/*
 * Read the keys that the call describes: those of a fabric of a dry run, in which the core has
 * parsed the arguments.
 */
static int wanted_read(struct ctl *ctl, const struct ctl_args *args, const char *name,
		       struct torus_nl_fabric *wanted)
{
	struct restore_file file;
	int status = restore_try_words(ctl, args->words, (unsigned int)args->count, &file);

	if (!status && torus_nl_fabric_get(file.apart, name, wanted)) {
		ctl_error(ctl, "%s", torus_nl_error(file.apart));
		status = CTL_FAILED;
	}
	restore_free(&file);
	return status;
}

/* Delete a fabric that no program uses, and create one with the arguments of the call. */
static int create_again(struct ctl *ctl, struct ctl_args *args, const char *name,
			const char *fixed)
{
	struct replace_side old;
	int status = replace_side_read(ctl, ctl->nl, name, &old);

	if (!status)
		status = replace_delete(ctl, name, fixed);
	if (!status && fabric_add(ctl, args))
		status = replace_undo(ctl, &old);
	replace_side_free(&old);
	return status;
}

/**
 * fabric_replace - create a fabric, or change the keys of the fabric with that name
 * @ctl: the call
 * @args: NAME arch ARCH shape S [KEY VALUE]..
 *
 * A key that is not given gets its default. If a running fabric does not accept a key, and if no
 * program uses the fabric, the fabric is created again. If a program uses it, nothing changes.
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int fabric_replace(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_fabric now, wanted;
	int first = args->at, status, error;
	struct config_keys keys;
	const char *name;

	status = fabric_args_name(ctl, args, &name);
	if (!status)
		status = wanted_read(ctl, args, name, &wanted);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	args->at = first;
	error = torus_nl_fabric_get(ctl->nl, name, &now);
	if (error)
		return error == -ENOENT ? fabric_add(ctl, args) : ctl_failed(ctl);
	config_keys_compare(&now, &wanted, &keys);
	if (*keys.fixed)
		return create_again(ctl, args, name, keys.fixed);
	if (!keys.count) {
		ctl_note(ctl, "nothing to change");
		return CTL_OK;
	}
	return torus_nl_fabric_set(ctl->nl, name, keys.live, keys.count) ? ctl_failed(ctl) :
									   ctl_done(ctl);
}
