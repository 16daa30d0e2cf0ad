// SPDX-License-Identifier: GPL-2.0
/* Endings of the names of output files: a file must not claim a format that is not written. */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "extension.h"

/* Formats that programs know by these endings.  Any other ending claims nothing. */
static const char *const formats[] = {
	".csv", ".eps", ".gif", ".gz", ".html", ".jpeg", ".jpg", ".json", ".jsonl", ".pcapng",
	".pdf", ".png", ".ps", ".svg", ".tsv", ".txt", ".webp", ".xz", ".zip",
};

/* Is an ending among those of a list, like ".csv .svg"? */
static bool listed(const char *list, const char *ending)
{
	size_t length = strlen(ending);
	const char *at = list;

	while ((at = strstr(at, ending)) && at[length] && at[length] != ' ')
		at += length;
	return at;
}

/**
 * torus_extension_wrong - check that the format is written that the ending of a name claims
 * @path: the file; a device or a pipe may have any name
 * @writes: endings of the formats that are written, separated by blanks
 *
 * Return: NULL, or the ending in @path of a format that is not written.
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
