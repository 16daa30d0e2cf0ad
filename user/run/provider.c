// SPDX-License-Identifier: GPL-2.0
/*
 * Find the provider, by which libfabric uses a fabric. libfabric loads every file *-fi.so in the
 * directories of FI_PROVIDER_PATH or, if it is not set, in its own directory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "mpirun.h"
#include "provider.h"

#define PROVIDER	"torus-fi.so"

/* Check whether the provider is in a directory. */
static bool in_directory(struct run_mpirun *mpirun, const char *directory, size_t length)
{
	int bytes = snprintf(mpirun->provider, sizeof(mpirun->provider), "%.*s/%s", (int)length,
			     directory, PROVIDER);

	return bytes < (int)sizeof(mpirun->provider) && !access(mpirun->provider, R_OK);
}

/* Search the directories of the user's FI_PROVIDER_PATH. */
static bool in_path(struct run_mpirun *mpirun, const char *path)
{
	const char *at, *end;

	for (at = path; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ":");
		if (in_directory(mpirun, at, end - at))
			return true;
	}
	run_log("FI_PROVIDER_PATH is \"%s\": must contain a directory with the provider %s", path,
		PROVIDER);
	return false;
}

/* Search the directory of torus-run itself, so that a tree that is not installed works. */
static bool in_own_directory(struct run_mpirun *mpirun)
{
	char own[RUN_PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (bytes <= 0)
		return false;
	own[bytes] = '\0';
	slash = strrchr(own, '/');
	if (!slash || !in_directory(mpirun, own, slash - own))
		return false;
	snprintf(mpirun->provider_path, sizeof(mpirun->provider_path), "%.*s", (int)(slash - own),
		 own);
	return true;
}

/**
 * run_provider_find - find the provider
 * @mpirun: [out] file of the provider, and the value for FI_PROVIDER_PATH
 *
 * Return: true, or false after an error message.
 */
bool run_provider_find(struct run_mpirun *mpirun)
{
	static const char directory[] = TORUS_LIBDIR "/libfabric";
	const char *path = getenv("FI_PROVIDER_PATH");

	if (path && *path)
		return in_path(mpirun, path);
	if (in_own_directory(mpirun))
		return true;
	if (in_directory(mpirun, directory, strlen(directory))) {
		snprintf(mpirun->provider_path, sizeof(mpirun->provider_path), "%s", directory);
		return true;
	}
	run_log("provider %s: not found next to torus-run or in %s: install libfabric-torus, or "
		"set FI_PROVIDER_PATH to its directory", PROVIDER, directory);
	return false;
}

/**
 * run_provider_fault - check whether the provider that was found is still there
 * @mpirun: from run_provider_find()
 * @text: [out] what is wrong
 * @size: bytes of @text
 *
 * Return: @text, or NULL if nothing is wrong.
 */
const char *run_provider_fault(const struct run_mpirun *mpirun, char *text, size_t size)
{
	if (!access(mpirun->provider, R_OK))
		return NULL;
	snprintf(text, size, "provider %s: %s", mpirun->provider, strerror(errno));
	return text;
}
