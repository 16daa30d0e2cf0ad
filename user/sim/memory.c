// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory there is.  Linux promises more than it has, and then kills; so
 * it is asked before a fabric is made, and while one grows.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory.h"

#define UNLIMITED	(~0ull)
#define GROUP_MAX	512	/* bytes of a control group's name */

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

/* Bytes of the page cache that a control group's memory.stat counts. */
static u64 group_cache(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[128];
	u64 cache = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "file %llu", &cache) == 1)
			break;
	fclose(file);
	return cache;
}

/* What the control group (version 2) leaves; page cache counts as used, but gives way. */
static u64 group_available(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[GROUP_MAX];
	char path[GROUP_MAX + 64];
	u64 used;
	u64 left;

	if (!file)
		return UNLIMITED;
	line[0] = '\0';
	while (fgets(line, sizeof(line), file) && strncmp(line, "0::", 3))
		line[0] = '\0';
	fclose(file);
	if (!line[0])
		return UNLIMITED;
	line[strcspn(line, "\n")] = '\0';
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/memory.current", line + 3);
	used = file_number(path);
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/memory.max", line + 3);
	left = limit_left(file_number(path), used);
	if (left == UNLIMITED)
		return UNLIMITED;
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/memory.stat", line + 3);
	return left + group_cache(path);
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
	u64 group = group_available();
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
