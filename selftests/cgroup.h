/* SPDX-License-Identifier: GPL-2.0 */
/* A memory cgroup for the processes of a test. */
#ifndef TORUS_SELFTESTS_CGROUP_H
#define TORUS_SELFTESTS_CGROUP_H

#include <sys/mount.h>
#include <sys/stat.h>
#include "kernel_file.h"

#define GROUPS	"/tmp/selftest-cgroup"
#define GROUP	GROUPS "/own"

/* Remove the cgroup. It must have no processes left. */
static inline void cgroup_end(void)
{
	rmdir(GROUP);
	umount(GROUPS);
	rmdir(GROUPS);
}

/* Create the cgroup. Return: false on error, or without memory cgroups of version 2. */
static inline bool cgroup_begin(void)
{
	mkdir(GROUPS, 0700);
	if (!mount("none", GROUPS, "cgroup2", 0, NULL) &&
	    put_in(GROUPS "/cgroup.subtree_control", "+memory") && !mkdir(GROUP, 0700))
		return true;
	cgroup_end();
	return false;
}

#endif /* TORUS_SELFTESTS_CGROUP_H */
