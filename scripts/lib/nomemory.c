// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded by check.d/nomemory.sh: the NOMEMORY-th allocation of the program itself, not of
 * a library that it uses, fails.  How many there were is written to NOMEMORY_COUNT, a file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long count, fails;

/* Where the program's code is: the first mapping of /proc/self/exe that is executable. */
static uintptr_t first, last;

__attribute__((constructor)) static void begin(void)
{
	char line[512], path[256];
	FILE *maps = fopen("/proc/self/maps", "r");
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *word = getenv("NOMEMORY");

	path[length > 0 ? length : 0] = '\0';
	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long from, to;
		char flags[8];

		if (sscanf(line, "%lx-%lx %7s", &from, &to, flags) == 3 && flags[2] == 'x' &&
		    strstr(line, path)) {
			first = from;
			last = to;
			break;
		}
	}
	if (maps)
		fclose(maps);
	fails = word ? strtoul(word, NULL, 10) : 0;
	/* What the program starts has the memory it wants. */
	unsetenv("LD_PRELOAD");
	count = 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *file = getenv("NOMEMORY_COUNT");
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	if (fd >= 0) {
		dprintf(fd, "%lu\n", count);
		close(fd);
	}
}

static int refuse(void *caller)
{
	if ((uintptr_t)caller < first || (uintptr_t)caller >= last ||
	    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != fails)
		return 0;
	errno = ENOMEM;
	return 1;
}

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t number, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

void *malloc(size_t bytes)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_calloc(number, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	return refuse(__builtin_return_address(0)) ? NULL : __libc_memalign(align, bytes);
}

void *reallocarray(void *old, size_t number, size_t bytes)
{
	size_t all;

	if (refuse(__builtin_return_address(0)) || __builtin_mul_overflow(number, bytes, &all))
		return NULL;
	return __libc_realloc(old, all);
}

char *strdup(const char *text)
{
	char *copy = refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(strlen(text) + 1);

	return copy ? strcpy(copy, text) : NULL;
}
