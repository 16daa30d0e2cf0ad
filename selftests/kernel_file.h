/* SPDX-License-Identifier: GPL-2.0 */
/* Read numbers from text files of the kernel, and write words to them. */
#ifndef TORUS_SELFTESTS_KERNEL_FILE_H
#define TORUS_SELFTESTS_KERNEL_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool put_in(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/*
 * Return: the number after @key, the first word of a line; if @key is NULL, the number at the start
 * of the file. -1 if there is no such line.
 */
static inline long long number_in(const char *path, const char *key)
{
	char line[128], found[64];
	long long value, got = -1;
	FILE *file = fopen(path, "r");

	while (file && got < 0 && fgets(line, sizeof(line), file)) {
		if (!key)
			got = atoll(line);
		else if (sscanf(line, "%63s %lld", found, &value) == 2 && !strcmp(found, key))
			got = value;
	}
	if (file)
		fclose(file);
	return got;
}

/* Return: memory available to programs, in KiB. */
static inline long available_kib(void)
{
	return number_in("/proc/meminfo", "MemAvailable:");
}

#endif /* TORUS_SELFTESTS_KERNEL_FILE_H */
