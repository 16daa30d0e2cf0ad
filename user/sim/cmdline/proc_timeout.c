// SPDX-License-Identifier: GPL-2.0
/*
 * Parse wall times in options, and --rank-timeout: the longest time in which a process may send
 * nothing to the others.
 */
#include "../../parse/time.h"
#include "../../parse/parse.h"
#include "../base/message.h"
#include "proc_timeout.h"
#include "../transport/procs.h"

#define FS_PER_MS	1000000000000ull
#define LEAST_MS	100

/**
 * sim_parse_wall_time - parse a wall time
 * @what: name of the option, for messages
 * @word: the time as it was typed
 * @example: a valid time, for messages
 * @fs: [out] the time in femtoseconds
 *
 * A time in ticks is rejected: ticks are simulated time.
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_parse_wall_time(const char *what, const char *word, const char *example, u64 *fs)
{
	struct parse_time time;
	struct parse_error why;

	if (!parse_time(what, word, &time, &why))
		return sim_reject("%s", why.text);
	if (time.ticks)
		return sim_reject("%s %s: must be a time of this computer, as %s",
				  what, word, example);
	*fs = time.fs;
	return SIM_OK;
}

/**
 * sim_proc_timeout_parse - parse --rank-timeout, and set it
 * @word: the time as it was typed; NULL if the option was not given
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_proc_timeout_parse(const char *word)
{
	int status;
	u64 fs;

	if (!word)
		return SIM_OK;
	status = sim_parse_wall_time("rank-timeout", word, "30s", &fs);
	if (status)
		return status;
	if (fs / FS_PER_MS < LEAST_MS)
		return sim_reject("rank-timeout %s: must be at least %u ms", word, LEAST_MS);
	sim_procs_timeout((u32)(fs / FS_PER_MS));
	return SIM_OK;
}
