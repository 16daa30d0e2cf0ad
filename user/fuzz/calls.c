// SPDX-License-Identifier: GPL-2.0
/* Implementation of calls.h. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"

#define INPUTS	4096	/* number of inputs between two writes of the counts */
#define AHEAD	20000	/* greatest lead of a kind, in calls, over the kind with the fewest calls */

static const struct calls *all;
static uint32_t number;

static uint64_t bound(void)
{
	static uint64_t calls;
	static bool asked;
	const char *word;

	if (!asked) {
		word = getenv("FUZZ_CALLS");
		calls = word ? strtoull(word, NULL, 10) : 0;
	}
	asked = true;
	return calls;
}

bool calls_enough(const struct calls *kinds, uint32_t count, uint32_t which)
{
	uint64_t least = UINT64_MAX;
	uint32_t i;

	if (!bound())
		return false;
	for (i = 0; i < count; i++)
		if (kinds[i].calls < least)
			least = kinds[i].calls;
	return kinds[which].calls > least + AHEAD || kinds[which].calls >= bound();
}

static void write_all(void)
{
	const char *path = getenv("FUZZ_CALLS_FILE");
	FILE *file = path ? fopen(path, "w") : NULL;
	uint32_t i;

	if (!file)
		return;
	for (i = 0; i < number; i++)
		fprintf(file, "%s %llu\n", all[i].name, (unsigned long long)all[i].calls);
	fclose(file);
}

void calls_report(const struct calls *kinds, uint32_t count)
{
	static uint32_t inputs;
	uint32_t i;

	if (!inputs) {
		all = kinds;
		number = count;
		atexit(write_all);
	}
	if (!(++inputs % INPUTS))
		write_all();
	for (i = 0; i < count; i++)
		if (kinds[i].calls < bound() || !bound())
			return;
	write_all();
	/* libFuzzer, started by scripts/fuzz.sh, ends after this input */
	raise(SIGUSR1);
}
