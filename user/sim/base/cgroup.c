// SPDX-License-Identifier: GPL-2.0
/*
 * Memory limits of the control groups that this process belongs to.
 *
 * A group's limit holds for all groups below it, so the groups from this process's own up to the
 * root of the mounted hierarchy are read, of version 2 and of the memory controller of version 1.
 */
#include <stdio.h>
#include <string.h>

#include "cgroup.h"

#define UNLIMITED	(~0ull)
#define LINE_MAX_BYTES	8192
#define PATH_BYTES	4096

/* The files of a version, and the line of memory.stat that counts the page cache. */
struct cgroup_version {
	const char *type;		/* of the file system */
	const char *option;		/* that its mount must have, NULL for any */
	const char *limit, *usage;
	const char *cache;
};

static const struct cgroup_version versions[] = {
	{ "cgroup2", NULL, "memory.max", "memory.current", "file %llu" },
	{ "cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
	  "total_cache %llu" },
};

/* The first number of a file; UNLIMITED if the file has none ("max") or is not there. */
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

/* Bytes of the page cache that memory.stat counts. */
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

/* Bytes that the limit of one group leaves. The page cache counts as used, but is given up. */
static u64 cgroup_left(const struct cgroup_version *version, const char *directory)
{
	u64 limit = cgroup_number(directory, version->limit);
	u64 used = cgroup_number(directory, version->usage);

	if (limit == UNLIMITED || used == UNLIMITED)
		return UNLIMITED;
	return (used < limit ? limit - used : 0) + cgroup_cache(directory, version->cache);
}

/* Is @word one of the words of @list, which commas separate and a line or the string ends? */
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
 * cgroup_mount() - find where a version's hierarchy is mounted
 * @root: directory in which proc is looked for
 * @version: the version
 * @top: [out] the group at the mount point, PATH_BYTES bytes
 * @point: [out] the mount point, PATH_BYTES bytes
 *
 * Return: true if it is mounted. A line of mountinfo is: ID PARENT DEVICE TOP POINT OPTIONS ...
 * - TYPE SOURCE OPTIONS.
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

/* This process's group in a version's hierarchy, PATH_BYTES bytes; false if it has none. */
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

/* The least that a hierarchy's groups leave, from this process's own to the top. */
static u64 cgroup_least(const char *root, const struct cgroup_version *version)
{
	char top[PATH_BYTES], point[PATH_BYTES], group[PATH_BYTES], directory[3 * PATH_BYTES];
	const char *below = group;
	u64 least = UNLIMITED, left;
	size_t shortest;
	char *end;

	if (!cgroup_own(root, version, group) || !cgroup_mount(root, version, top, point))
		return UNLIMITED;
	/* A container may see only its part of the hierarchy, under the whole one's names. */
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
 * sim_cgroup_available() - memory that control groups let this process have
 * @root: directory in which /proc and the mount points are looked for; "" outside tests
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
