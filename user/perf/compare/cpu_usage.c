// SPDX-License-Identifier: GPL-2.0
/* Measure processor time and context switches of this process and of a fabric's threads. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "perf.h"
#include "cpu_usage.h"

/**
 * cpu_usage_own - read the processor time of this process
 * @usage: [out] processor time and context switches
 */
void cpu_usage_own(struct usage *usage)
{
	struct timespec time = { 0 };
	struct rusage used = { 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	getrusage(RUSAGE_SELF, &used);
	usage->cpu_ns = time.tv_sec * 1000000000ull + time.tv_nsec;
	usage->switches = used.ru_nvcsw + used.ru_nivcsw;
}

static bool read_line(const char *process, const char *name, char *line, int room)
{
	char path[300];
	FILE *file;
	bool got;

	snprintf(path, sizeof(path), "/proc/%s/%s", process, name);
	file = fopen(path, "r");
	if (!file)
		return false;
	got = fgets(line, room, file);
	fclose(file);
	return got;
}

/*
 * Check whether a thread belongs to the fabric. The name of the fabric's first thread is
 * torus/NAME. The names of the other threads add a colon and a number.
 */
static bool is_engine(const char *comm, const char *fabric)
{
	size_t length = strlen(fabric);

	return !strncmp(comm, "torus/", 6) && !strncmp(comm + 6, fabric, length) &&
	       (comm[6 + length] == '\n' || comm[6 + length] == ':');
}

/**
 * cpu_usage_engine - read the processor time of a fabric's threads
 * @fabric: name of the fabric, or NULL for none
 * @usage: [out] processor time and context switches, as counted by the scheduler
 *
 * Return: true if this process can see at least one of the threads.
 */
bool cpu_usage_engine(const char *fabric, struct usage *usage)
{
	bool seen = false;
	unsigned long long ran, waited, times;
	struct dirent *entry;
	char line[128];
	DIR *all;

	*usage = (struct usage) { 0 };
	all = fabric ? opendir("/proc") : NULL;
	while (all && (entry = readdir(all))) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    !read_line(entry->d_name, "comm", line, sizeof(line)) ||
		    !is_engine(line, fabric) ||
		    !read_line(entry->d_name, "schedstat", line, sizeof(line)) ||
		    sscanf(line, "%llu %llu %llu", &ran, &waited, &times) != 3)
			continue;
		usage->cpu_ns += ran;
		usage->switches += times;
		seen = true;
	}
	if (all)
		closedir(all);
	return seen;
}

/**
 * cpu_usage_since - compute the usage since an earlier time
 * @usage: [in, out] the current usage; replaced by the difference
 * @from: usage at the earlier time
 */
void cpu_usage_since(struct usage *usage, const struct usage *from)
{
	usage->cpu_ns -= from->cpu_ns;
	usage->switches -= from->switches;
}
