/* SPDX-License-Identifier: GPL-2.0 */
/* Allocations that fail, where the kernel has fault injection. */
#ifndef TORUS_SELFTESTS_FAULTS_H
#define TORUS_SELFTESTS_FAULTS_H

#include "device.h"

#define FAULTS		"/sys/kernel/debug/"

/* Said by each test, first of all: the harness of 6.1 goes on behind a fixture that skips. */
#define NO_FAULTS	"this kernel has no fault injection"

static inline bool fault_set(const char *name, const char *value)
{
	char path[80];
	int fd;
	bool good;

	snprintf(path, sizeof(path), FAULTS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	good = fd >= 0 && write(fd, value, strlen(value)) > 0;
	if (fd >= 0)
		close(fd);
	return good;
}

/* Allocations that may sleep fail as well, and nothing is said of it. */
static inline bool faults_ready(void)
{
	return fault_set("failslab/ignore-gfp-wait", "N") && fault_set("failslab/verbose", "0") &&
	       fault_set("fail_page_alloc/ignore-gfp-wait", "N") &&
	       fault_set("fail_page_alloc/ignore-gfp-highmem", "N") &&
	       fault_set("fail_page_alloc/min-order", "0") &&
	       fault_set("fail_page_alloc/verbose", "0") && fault_set("fail_usercopy/verbose", "0");
}

/* The @nth allocation of the task of @file shall fail; 0: none. */
static inline void fail_at(int file, unsigned int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nth);

	/* to take it back is a copy that may fail, too, and is the last one */
	if (pwrite(file, text, length, 0) < 0)
		pwrite(file, text, length, 0);
}

/* Has it failed?  None shall any more. */
static inline bool fail_over(int file)
{
	char text[16] = "";
	/* to ask takes one more copy */
	bool hit = pread(file, text, sizeof(text) - 1, 0) > 0 && !strtoul(text, NULL, 10);

	fail_at(file, 0);
	return hit;
}

#endif /* TORUS_SELFTESTS_FAULTS_H */
