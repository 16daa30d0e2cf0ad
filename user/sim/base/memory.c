// SPDX-License-Identifier: GPL-2.0
/*
 * The memory that is available to this process. Linux overcommits memory and kills processes
 * later, so the available memory is checked before a fabric is created and while it grows.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cgroup.h"
#include "memory.h"

#define UNLIMITED	(~0ull)

/* Read the first number of a file; UNLIMITED if there is none. */
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

/* Memory that the kernel can provide without swapping (MemAvailable). */
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

/* Bytes left below a limit; UNLIMITED if one of the values is unknown. */
static u64 limit_left(u64 limit, u64 used)
{
	if (limit == UNLIMITED || used == UNLIMITED)
		return UNLIMITED;
	return used < limit ? limit - used : 0;
}

/* Address space left below the limit of ulimit -v. */
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
 * sim_memory_available - memory that this process can still allocate
 *
 * Return: bytes; 2^64 - 1 if no limit is known.
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
 * sim_memory_peak - peak resident memory of this process
 *
 * Return: bytes; 0 if unknown.
 */
u64 sim_memory_peak(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		return 0;
	return (u64)usage.ru_maxrss * 1024;
}
