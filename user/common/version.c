// SPDX-License-Identifier: GPL-2.0
/* The version of all programs. */
#include "version.h"

/**
 * torus_version - return the version: the content of the file VERSION at the top of the tree
 *
 * Return: a static string.
 */
const char *torus_version(void)
{
	return TORUS_VERSION;
}
