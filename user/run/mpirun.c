// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of Open MPI's mpirun, which starts the ranks of --mpi. The ranks must use the
 * fabric: pml cm sends all messages through mtl ofi, which uses libfabric with the provider torus.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "mpirun.h"
#include "provider.h"

#define NUMBER_BYTES	12
#define FIXED_WORDS	8	/* maximum number of words before the parameters */

/*
 * Parameters of Open MPI. A user's own value, in OMPI_MCA_NAME, must be equal if @must is set;
 * otherwise it replaces ours.
 */
static const struct setting {
	const char *name;
	const char *value;
	bool must;
} settings[] = {
	{ "pml", "cm", true },
	{ "mtl", "ofi", true },
	{ "mtl_ofi_provider_include", "torus", true },
	{ "btl", "self", true },
	/* The provider has no remote access, so one-sided operations are made of messages. */
	{ "osc", "pt2pt", false },
	/* A rank that waits lets other ranks and the fabric have the processor. */
	{ "mpi_yield_when_idle", "1", false },
	/* All ranks run on this host: no program to reach other hosts is needed. */
	{ "plm", "isolated", false },
	{ "orte_base_help_aggregate", "0", false },
};

#define SETTINGS	(sizeof(settings) / sizeof(settings[0]))

/* Return the user's own value of a parameter, or NULL. */
static const char *users_value(const struct setting *setting)
{
	char name[64];

	snprintf(name, sizeof(name), "OMPI_MCA_%s", setting->name);
	return getenv(name);
}

/* Reject a parameter with which the ranks would not use the fabric. */
static bool settings_check(void)
{
	size_t i;

	for (i = 0; i < SETTINGS; i++) {
		const char *value = users_value(&settings[i]);

		if (!settings[i].must || !value || !strcmp(value, settings[i].value))
			continue;
		run_log("OMPI_MCA_%s is \"%s\": must be %s, or not set, with --mpi",
			settings[i].name, value, settings[i].value);
		return false;
	}
	return true;
}

/* Find a program in PATH. Return false if it is not there, or is not Open MPI's. */
static bool find_open_mpi(const char *name, char *path, size_t size, bool *other)
{
	const char *at = getenv("PATH"), *end;
	char *real, *base;
	bool good = false;

	for (; at && *at && !good; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ":");
		snprintf(path, size, "%.*s/%s", (int)(end - at), at, name);
		real = realpath(path, NULL);
		base = real ? strrchr(real, '/') : NULL;
		/* mpirun of Open MPI 4 is a link to this program. */
		good = base && !strcmp(base, "/orterun");
		*other = *other || (base && !good);
		free(real);
	}
	return good;
}

static bool program_find(char *path, size_t size)
{
	bool other = false;

	/* Debian calls it mpirun.openmpi if mpirun is that of another MPI. */
	if (find_open_mpi("mpirun", path, size, &other) ||
	    find_open_mpi("mpirun.openmpi", path, size, &other))
		return true;
	if (other)
		run_log("mpirun: must be that of Open MPI 4 for --mpi, but is that of another MPI");
	else
		run_log("mpirun: not found in PATH: --mpi requires Open MPI 4 (openmpi-bin)");
	return false;
}

/* Append a copy of a word to the command line, which has space. */
static bool add(struct run_mpirun *mpirun, size_t *count, const char *word)
{
	mpirun->words[*count] = strdup(word);
	return mpirun->words[(*count)++];
}

static bool words_add(struct run_mpirun *mpirun, const char *path, uint32_t ranks, bool tag,
		      char **program)
{
	char number[NUMBER_BYTES];
	size_t count = 0, i;
	bool good;

	snprintf(number, sizeof(number), "%u", ranks);
	good = add(mpirun, &count, path) && add(mpirun, &count, "-np") &&
	       add(mpirun, &count, number) && add(mpirun, &count, "--allow-run-as-root") &&
	       add(mpirun, &count, "--oversubscribe") && add(mpirun, &count, "--bind-to") &&
	       add(mpirun, &count, "none") && (!tag || add(mpirun, &count, "--tag-output"));
	for (i = 0; good && i < SETTINGS; i++)
		if (settings[i].must || !users_value(&settings[i]))
			good = add(mpirun, &count, "--mca") &&
			       add(mpirun, &count, settings[i].name) &&
			       add(mpirun, &count, settings[i].value);
	for (; good && *program; program++)
		good = add(mpirun, &count, *program);
	return good;
}

/**
 * run_mpirun_make - find Open MPI and the provider, and make the command line of mpirun
 * @mpirun: [out] the command line; freed by run_mpirun_free(), also on an error
 * @ranks: number of ranks
 * @tag: begin each line of output with the rank, in the form of mpirun
 * @program: program of the ranks and its arguments
 *
 * Return: true, or false after an error message.
 */
bool run_mpirun_make(struct run_mpirun *mpirun, uint32_t ranks, bool tag, char **program)
{
	char path[RUN_PATH_MAX];
	size_t words = 0;

	*mpirun = (struct run_mpirun){ .words = NULL };
	if (!settings_check() || !program_find(path, sizeof(path)) ||
	    !run_provider_find(mpirun))
		return false;
	while (program[words])
		words++;
	mpirun->words = calloc(FIXED_WORDS + 1 + 3 * SETTINGS + words, sizeof(*mpirun->words));
	if (mpirun->words && words_add(mpirun, path, ranks, tag, program))
		return true;
	run_log("out of memory for the command line of mpirun");
	return false;
}

/**
 * run_mpirun_free - free the command line
 * @mpirun: from run_mpirun_make()
 */
void run_mpirun_free(struct run_mpirun *mpirun)
{
	char **word;

	for (word = mpirun->words; word && *word; word++)
		free(*word);
	free(mpirun->words);
	mpirun->words = NULL;
}
