// SPDX-License-Identifier: GPL-2.0
/* The commands that configure a fabric: fabric add and fabric set. */
#include "../route/spec/fabric_io.h"
#include "../netlink/fabric.h"
#include "../parse/parse.h"
#include "args.h"
#include "fabric_set.h"
#include "fabric_args.h"
#include "diag.h"

/**
 * fabric_add - create a fabric, and load routing tables if its machine needs them
 * @ctl: the call
 * @args: NAME arch ARCH shape S [KEY VALUE]..
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int fabric_add(struct ctl *ctl, struct ctl_args *args)
{
	struct fabric_args wanted = { .mesh = NULL };
	struct parse_error why;
	const char *word;
	const char *key;
	int status;

	status = fabric_args_name(ctl, args, &wanted.spec.name);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		status = fabric_args_word(ctl, &wanted, key, word);
		if (status)
			return status;
	}
	status = fabric_args_make(ctl, &wanted);
	if (status)
		return status;
	if (xt_live_begin(ctl->nl, wanted.spec.name, &why))
		return ctl_done(ctl);
	/* delete the new fabric, because its routing tables could not be loaded */
	torus_nl_fabric_del(ctl->nl, wanted.spec.name);
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

/**
 * fabric_set - set parameters of a fabric
 * @ctl: the call
 * @args: NAME KEY VALUE [KEY VALUE]..
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int fabric_set(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t count = 0;
	const char *name;
	const char *word;
	const char *key;
	int status;

	status = fabric_args_name(ctl, args, &name);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		status = fabric_args_param(ctl, key, word, params, &count);
		if (status)
			return status;
	}
	if (!count)
		return ctl_usage(ctl, "a parameter is missing");
	status = ctl_connect(ctl);
	if (status)
		return status;
	return torus_nl_fabric_set(ctl->nl, name, params, count) ? ctl_failed(ctl) : ctl_done(ctl);
}
