// SPDX-License-Identifier: GPL-2.0
/* The endings of file names: a file must not claim a form that an option does not write. */
#include <string.h>

#include "extension.h"
#include "sim.h"

/* Forms that programs know by these endings.  Any other ending claims nothing. */
static const char *const forms[] = {
	".csv", ".eps", ".gif", ".gz", ".html", ".jpeg", ".jpg", ".json", ".jsonl", ".pcapng",
	".pdf", ".png", ".ps", ".svg", ".tsv", ".txt", ".webp", ".xz", ".zip",
};

/* Is an ending among those of a list, like ".csv .svg"? */
static bool listed(const char *list, const char *ending)
{
	const char *at = strstr(list, ending);

	return at && (!at[strlen(ending)] || at[strlen(ending)] == ' ');
}

/**
 * sim_extension - check that an option writes the form that a file's ending names
 * @option: the option, for the reason
 * @path: the file
 * @writes: endings of the forms that the option writes, a blank between them
 *
 * Return: SIM_OK, or SIM_USAGE after reporting why not.
 */
int sim_extension(const char *option, const char *path, const char *writes)
{
	const char *ending = strrchr(path, '.');
	size_t i;

	for (i = 0; ending && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(ending, forms[i]) && !listed(writes, ending))
			return sim_bad("%s %s: cannot write %s, must end in one of: %s", option,
				       path, ending, writes);
	return SIM_OK;
}
