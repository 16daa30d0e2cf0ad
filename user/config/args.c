// SPDX-License-Identifier: GPL-2.0
/* Take the arguments of a call one after another. */
#include "args.h"
#include "diag.h"

/**
 * ctl_next - take the next argument
 *
 * Return: the argument, or NULL after the last one.
 */
const char *ctl_next(struct ctl_args *args)
{
	return args->at < args->count ? args->words[args->at++] : NULL;
}

/**
 * ctl_end - check that no argument is left
 *
 * Return: CTL_OK, or CTL_USAGE after an error message that names the first unexpected argument.
 */
int ctl_end(struct ctl *ctl, struct ctl_args *args)
{
	if (args->at < args->count)
		return ctl_usage(ctl, "unexpected argument: %s", args->words[args->at]);
	return CTL_OK;
}
