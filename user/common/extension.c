// SPDX-License-Identifier: GPL-2.0
/*
 * Check the file name extensions of output files. Reject a name whose extension claims another
 * format.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "extension.h"

/* Known extensions. A file with any other extension may have any format. */
static const char *const formats[] = {
	".csv", ".eps", ".gif", ".gz", ".html", ".jpeg", ".jpg", ".json", ".jsonl", ".pcapng",
	".pdf", ".png", ".ps", ".svg", ".tsv", ".txt", ".webp", ".xz", ".zip",
};

/* Check whether an extension is in a list like ".csv .svg". */
static bool listed(const char *list, const char *ending)
{
	size_t length = strlen(ending);
	const char *at = list;

	while ((at = strstr(at, ending)) && at[length] && at[length] != ' ')
		at += length;
	return at;
}

/**
 * torus_extension_wrong - check that a program can write the format that a file's extension names
 * @path: the file; a device or a pipe may have any name
 * @writes: extensions of the formats that the program can write, separated by blanks
 *
 * Return: NULL, or the file's extension if the program cannot write its format.
 */
const char *torus_extension_wrong(const char *path, const char *writes)
{
	const char *ending = strrchr(path, '.');
	struct stat there;
	size_t i;

	for (i = 0; ending && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(ending, formats[i]))
			break;
	if (!ending || i == sizeof(formats) / sizeof(formats[0]) || listed(writes, ending) ||
	    (!stat(path, &there) && !S_ISREG(there.st_mode)))
		return NULL;
	return ending;
}
