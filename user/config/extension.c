// SPDX-License-Identifier: GPL-2.0
/* Check that the ending of an output file's name agrees with the format that is written. */
#include "../common/extension.h"
#include "extension.h"
#include "diag.h"

/**
 * output_extension - check the ending of an output file's name
 * @key: argument before the file name, for the error message; or ""
 * @path: name of the file
 * @writes: endings of the formats that the caller can write, separated by blanks
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int output_extension(struct ctl *ctl, const char *key, const char *path, const char *writes)
{
	const char *wrong = torus_extension_wrong(path, writes);

	return wrong ? ctl_reject(ctl, "%s%s%s: cannot write a file of type %s, the name must end "
				  "in one of: %s", key,
				  *key ? " " : "", path, wrong, writes) : CTL_OK;
}
