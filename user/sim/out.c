// SPDX-License-Identifier: GPL-2.0
/* Files that torus-sim writes beside its answer; "-" is standard output. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "out.h"
#include "sim.h"
#include "transport/ranks.h"

/**
 * sim_writable - can a file be written?
 * @option: that names it, for the reason
 * @path: the file
 *
 * Asked before the work begins, so that nobody waits for an hour to hear that it cannot.
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not.
 */
int sim_writable(const char *option, const char *path)
{
	FILE *out = fopen(sim_ranks_silent() ? "/dev/null" : path, "ae");

	if (!out)
		return sim_bad("%s %s: %s", option, path, strerror(errno));
	fclose(out);
	return SIM_OK;
}

/**
 * sim_out_open - begin to write
 * @option: that names the file, for the reason
 * @path: the file
 *
 * Return: where to write; NULL after telling why not.
 */
FILE *sim_out_open(const char *option, const char *path)
{
	/* of several ranks one writes */
	const char *to = sim_ranks_silent() ? "/dev/null" : path;
	FILE *out = strcmp(path, "-") ? fopen(to, "we") : stdout;

	if (!out)
		sim_failed("%s %s: %s", option, path, strerror(errno));
	return out;
}

/**
 * sim_out_close - all is written
 * @out: what sim_out_open() gave
 * @option: that names the file, for the reason
 * @path: the file
 *
 * Return: SIM_OK, or SIM_FAILED after telling why some of it is not there.
 */
int sim_out_close(FILE *out, const char *option, const char *path)
{
	bool bad = ferror(out);

	if (out != stdout)
		bad = fclose(out) || bad;
	return bad ? sim_failed("%s %s: %s", option, path, strerror(errno)) : SIM_OK;
}
