// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory there is.  Linux promises more than it has, and then kills; so
 * it is asked before a fabric is made, and while one grows.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cgroup.h"
#include "memory.h"

#define UNLIMITED	(~0ull)

/* The first number of a file, UNLIMITED if it has none. */
static u64 file_number(const char *path)
{
	FILE *file = fopen(path, "re");
	u64 value = UNLIMITED;

	if (!file)
		return UNLIMITED;
	if (fscanf(file, "%llu", &value) != 1)	/* "max" */
		value = UNLIMITED;
	fclose(file);
	return value;
}

/* What the kernel says could be had without swapping. */
static u64 system_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	u64 kib = UNLIMITED;
	char line[128];

	if (!file)
		return UNLIMITED;
	while (kib == UNLIMITED && fgets(line, sizeof(line), file))
		sscanf(line, "MemAvailable: %llu kB", &kib);
	fclose(file);
	return kib == UNLIMITED ? UNLIMITED : kib * 1024;
}

/* What is left of a limit. */
static u64 limit_left(u64 limit, u64 used)
{
	if (limit == UNLIMITED || used == UNLIMITED)
		return UNLIMITED;
	return used < limit ? limit - used : 0;
}

/* What ulimit -v leaves. */
static u64 process_available(void)
{
	u64 pages = file_number("/proc/self/statm");
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    pages == UNLIMITED)
		return UNLIMITED;
	return limit_left(limit.rlim_cur, pages * sysconf(_SC_PAGESIZE));
}

/**
 * sim_memory_available - memory that can be had now
 *
 * Return: bytes; 2^64 - 1 if nobody knows.
 */
u64 sim_memory_available(void)
{
	u64 least = system_available();
	u64 group = sim_cgroup_available("");
	u64 process = process_available();

	if (group < least)
		least = group;
	return process < least ? process : least;
}

/**
 * sim_memory_peak - the most memory that this program has had
 *
 * Return: bytes.
 */
u64 sim_memory_peak(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		return 0;
	return (u64)usage.ru_maxrss * 1024;
}
