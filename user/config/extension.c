// SPDX-License-Identifier: GPL-2.0
/* The endings of file names, which must fit the format that is written. */
#include "../common/extension.h"
#include "extension.h"
#include "diag.h"

/**
 * output_extension - check that the format is written that the ending of a file's name claims
 * @ctl: the call
 * @key: the word before the file, for the error message; or ""
 * @path: the file
 * @writes: endings of the formats that are written, separated by blanks
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int output_extension(struct ctl *ctl, const char *key, const char *path, const char *writes)
{
	const char *wrong = torus_extension_wrong(path, writes);

	return wrong ? ctl_reject(ctl, "%s%s%s: cannot write %s, must end in one of: %s", key,
				  *key ? " " : "", path, wrong, writes) : CTL_OK;
}
