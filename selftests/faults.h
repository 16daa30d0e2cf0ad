/* SPDX-License-Identifier: GPL-2.0 */
/* Let allocations fail, on kernels with fault injection. */
#ifndef TORUS_SELFTESTS_FAULTS_H
#define TORUS_SELFTESTS_FAULTS_H

#include "device.h"

#define FAULTS		"/sys/kernel/debug/"

/*
 * Each test checks for fault injection itself: the kselftest harness of Linux 6.1 runs a test even
 * if its fixture has skipped.
 */
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

/* Let allocations that may sleep fail, too, without a log message. */
static inline bool faults_ready(void)
{
	return fault_set("failslab/ignore-gfp-wait", "N") && fault_set("failslab/verbose", "0") &&
	       fault_set("fail_page_alloc/ignore-gfp-wait", "N") &&
	       fault_set("fail_page_alloc/ignore-gfp-highmem", "N") &&
	       fault_set("fail_page_alloc/min-order", "0") &&
	       fault_set("fail_page_alloc/verbose", "0") && fault_set("fail_usercopy/verbose", "0");
}

/* Let the @nth next allocation of a task fail; 0: none. @file: the task's fail-nth file. */
static inline void fail_at(int file, unsigned int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nth);

	/* the copy from user space may be the allocation that fails; the second attempt succeeds */
	if (pwrite(file, text, length, 0) < 0)
		pwrite(file, text, length, 0);
}

/* Cancel the injected fault. Return: true if it has already happened. */
static inline bool fail_over(int file)
{
	char text[16] = "";
	/* reading the file takes one more copy, which may fail */
	bool hit = pread(file, text, sizeof(text) - 1, 0) > 0 && !strtoul(text, NULL, 10);

	fail_at(file, 0);
	return hit;
}

#endif /* TORUS_SELFTESTS_FAULTS_H */
