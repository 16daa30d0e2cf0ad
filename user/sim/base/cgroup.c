// SPDX-License-Identifier: GPL-2.0
/*
 * Memory limits of the control groups that this process belongs to.
 *
 * The limit of a group includes all its descendants. The limits of this process's group and of
 * all its ancestors up to the mount point are read. Both cgroup version 2 and the memory
 * controller of version 1 are supported.
 */
#include <stdio.h>
#include <string.h>

#include "cgroup.h"

#define UNLIMITED	(~0ull)
#define LINE_MAX_BYTES	8192
#define PATH_BYTES	4096

/* File names of a cgroup version. @cache: scanf format of the page cache line in memory.stat. */
struct cgroup_version {
	const char *type;		/* file system type */
	/* mount option that selects the controller; NULL if none is needed */
	const char *option;
	const char *limit, *usage;
	const char *cache;
};

static const struct cgroup_version versions[] = {
	{ "cgroup2", NULL, "memory.max", "memory.current", "file %llu" },
	{ "cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
	  "total_cache %llu" },
};

/* Read the first number of a file; UNLIMITED if the file contains "max" or cannot be read. */
static u64 cgroup_number(const char *directory, const char *name)
{
	char path[PATH_BYTES];
	u64 value = UNLIMITED;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path))
		return UNLIMITED;
	file = fopen(path, "re");
	if (!file)
		return UNLIMITED;
	if (fscanf(file, "%llu", &value) != 1)
		value = UNLIMITED;
	fclose(file);
	return value;
}

/* Read the bytes of page cache from a group's memory.stat. */
static u64 cgroup_cache(const char *directory, const char *format)
{
	char path[PATH_BYTES], line[LINE_MAX_BYTES];
	u64 cache = 0;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/memory.stat", directory) >= (int)sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, format, &cache) == 1)
			break;
	fclose(file);
	return cache;
}

/*
 * Bytes available within one group's limit. The kernel counts page cache as used but reclaims it
 * when needed, so the page cache is added.
 */
static u64 cgroup_left(const struct cgroup_version *version, const char *directory)
{
	u64 limit = cgroup_number(directory, version->limit);
	u64 used = cgroup_number(directory, version->usage);

	if (limit == UNLIMITED || used == UNLIMITED)
		return UNLIMITED;
	return (used < limit ? limit - used : 0) + cgroup_cache(directory, version->cache);
}

/* Check whether @word is an item of the comma-separated @list, which may end with a newline. */
static bool cgroup_listed(const char *list, const char *word)
{
	size_t bytes = strlen(word);
	const char *at;

	for (at = list; (at = strstr(at, word)); at += bytes)
		if ((at == list || at[-1] == ',') && strchr(",\n", at[bytes]))
			return true;
	return false;
}

/**
 * cgroup_mount() - find the mount point of a version's hierarchy
 * @root: directory that contains proc; "" outside tests
 * @version: cgroup version
 * @top: [out] name of the group that is mounted at the mount point, PATH_BYTES bytes
 * @point: [out] the mount point, PATH_BYTES bytes
 *
 * A line of mountinfo is: ID PARENT DEVICE TOP POINT OPTIONS ... - TYPE SOURCE OPTIONS.
 *
 * Return: true if the hierarchy is mounted.
 */
static bool cgroup_mount(const char *root, const struct cgroup_version *version, char *top,
			 char *point)
{
	char line[LINE_MAX_BYTES], type[64], options[1024], path[PATH_BYTES];
	bool found = false;
	const char *rest;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		rest = strstr(line, " - ");
		if (!rest || sscanf(rest + 3, "%63s %*s %1023s", type, options) != 2 ||
		    strcmp(type, version->type) ||
		    (version->option && !cgroup_listed(options, version->option)))
			continue;
		found = sscanf(line, "%*s %*s %*s %4095s %4095s", top, point) == 2;
	}
	fclose(file);
	return found;
}

/*
 * Find this process's group in a version's hierarchy; @group has PATH_BYTES bytes. Return false
 * if there is none.
 */
static bool cgroup_own(const char *root, const struct cgroup_version *version, char *group)
{
	char line[LINE_MAX_BYTES], path[PATH_BYTES], *controllers, *name;
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		controllers = strchr(line, ':');
		name = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!name)
			continue;
		*name++ = '\0';
		controllers++;
		name[strcspn(name, "\n")] = '\0';
		found = version->option ? cgroup_listed(controllers, version->option) :
					  !*controllers;
		if (found)
			snprintf(group, PATH_BYTES, "%s", name);
	}
	fclose(file);
	return found;
}

/* The least memory available in this process's group and its ancestors up to the mount point. */
static u64 cgroup_least(const char *root, const struct cgroup_version *version)
{
	char top[PATH_BYTES], point[PATH_BYTES], group[PATH_BYTES], directory[3 * PATH_BYTES];
	const char *below = group;
	u64 least = UNLIMITED, left;
	size_t shortest;
	char *end;

	if (!cgroup_own(root, version, group) || !cgroup_mount(root, version, top, point))
		return UNLIMITED;
	/*
	 * In a container, the mount point may show only the subtree @top, while /proc names groups
	 * from the host's root: remove @top from the name.
	 */
	if (strcmp(top, "/") && !strncmp(group, top, strlen(top)))
		below += strlen(top);
	if (strstr(below, "..") || !strcmp(below, "/"))
		below = "";
	shortest = (size_t)snprintf(directory, sizeof(directory), "%s%s", root, point);
	snprintf(directory + shortest, sizeof(directory) - shortest, "%s", below);
	for (;;) {
		left = cgroup_left(version, directory);
		least = left < least ? left : least;
		end = strrchr(directory, '/');
		if (strlen(directory) <= shortest || !end)
			return least;
		*end = '\0';
	}
}

/**
 * sim_cgroup_available() - memory that the control groups leave for this process
 * @root: prefix of /proc and of the mount points; "" outside tests
 *
 * Return: bytes; 2^64 - 1 without a limit.
 */
u64 sim_cgroup_available(const char *root)
{
	u64 least = UNLIMITED, left;
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		left = cgroup_least(root, &versions[i]);
		least = left < least ? left : least;
	}
	return least;
}
