// SPDX-License-Identifier: GPL-2.0
/* The words of a call, taken one after the other. */
#include "args.h"
#include "diag.h"

/**
 * ctl_next - take the next word
 * @args: the words
 *
 * Return: it, or NULL after the last.
 */
const char *ctl_next(struct ctl_args *args)
{
	return args->at < args->count ? args->words[args->at++] : NULL;
}

/**
 * ctl_end - see that every word was taken
 * @ctl: the call
 * @args: the words
 *
 * Return: CTL_OK, or CTL_USAGE after telling of the first left over.
 */
int ctl_end(struct ctl *ctl, struct ctl_args *args)
{
	if (args->at < args->count)
		return ctl_usage(ctl, "%s: one word too many", args->words[args->at]);
	return CTL_OK;
}
