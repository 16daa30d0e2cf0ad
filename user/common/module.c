// SPDX-License-Identifier: GPL-2.0
/* Compose the command that loads the module, for error messages. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "module.h"

#define MODULE		"torus.ko"
#define NAME_BYTES	(PATH_MAX + sizeof("/" MODULE))

/**
 * torus_module_command - compose the command that loads the module
 * @text: [out] the command
 * @size: bytes of @text
 *
 * For a program in a build tree, the module is in the program's directory, where modprobe does not
 * search.
 *
 * Return: @text.
 */
const char *torus_module_command(char *text, size_t size)
{
	char program[PATH_MAX], module[NAME_BYTES];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	snprintf(module, sizeof(module), "%s/" MODULE, dirname(program));
	if (length > 0 && !access(module, R_OK))
		snprintf(text, size, "insmod %s", module);
	else
		snprintf(text, size, "modprobe torus");
	return text;
}
