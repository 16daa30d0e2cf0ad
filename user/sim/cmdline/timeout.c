// SPDX-License-Identifier: GPL-2.0
/* Times as they pass here, not in the machine; --rank-timeout: how long a rank may say nothing. */
#include "../../words/time.h"
#include "../../words/words.h"
#include "../base/message.h"
#include "timeout.h"
#include "../transport/ranks.h"

#define FS_PER_MS	1000000000000ull
#define LEAST_MS	100

/**
 * sim_time_here - understand a time as it passes here
 * @what: the option
 * @word: as it was typed
 * @example: one that could have been
 * @fs: gets it, in femtoseconds
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not: one of ticks too, which pass in a machine.
 */
int sim_time_here(const char *what, const char *word, const char *example, u64 *fs)
{
	struct word_time time;
	struct word_why why;

	if (!word_time(what, word, &time, &why))
		return sim_bad("%s", why.text);
	if (time.ticks)
		return sim_bad("%s %s: a time as it passes here, as %s", what, word, example);
	*fs = time.fs;
	return SIM_OK;
}

/**
 * sim_timeout_take - understand --rank-timeout, and go by it
 * @word: as it was typed; NULL: it was not
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not.
 */
int sim_timeout_take(const char *word)
{
	int status;
	u64 fs;

	if (!word)
		return SIM_OK;
	status = sim_time_here("rank-timeout", word, "30s", &fs);
	if (status)
		return status;
	if (fs / FS_PER_MS < LEAST_MS)
		return sim_bad("rank-timeout %s: at least %u ms", word, LEAST_MS);
	sim_ranks_timeout((u32)(fs / FS_PER_MS));
	return SIM_OK;
}
