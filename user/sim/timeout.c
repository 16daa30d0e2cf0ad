// SPDX-License-Identifier: GPL-2.0
/* --rank-timeout: how long a rank may say nothing. */
#include "../words/words.h"
#include "sim.h"
#include "timeout.h"
#include "transport/ranks.h"

#define FS_PER_MS	1000000000000ull
#define LEAST_MS	100

/**
 * sim_timeout_take - understand --rank-timeout, and go by it
 * @word: as it was typed; NULL: it was not
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not.
 */
int sim_timeout_take(const char *word)
{
	struct word_time time;
	struct word_why why;

	if (!word)
		return SIM_OK;
	if (!word_time("rank-timeout", word, &time, &why))
		return sim_bad("%s", why.text);
	if (time.ticks)
		return sim_bad("rank-timeout %s: a time as it passes here, as 30s", word);
	if (time.fs / FS_PER_MS < LEAST_MS)
		return sim_bad("rank-timeout %s: at least %u ms", word, LEAST_MS);
	sim_ranks_timeout((u32)(time.fs / FS_PER_MS));
	return SIM_OK;
}
