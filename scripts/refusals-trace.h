/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before everything else in the copy of the tree that scripts/refusals.py trace has
 * prepared: each place that refuses says so first. Programs append its name to the file that
 * TORUS_REFUSALS names, the module tells it to the kernel's log, the first times.
 */
#ifndef TORUS_REFUSALS_TRACE_H
#define TORUS_REFUSALS_TRACE_H

#ifndef __ASSEMBLER__
#ifdef __KERNEL__

int _printk(const char *format, ...);

#define torus_refusal_seen(place)						\
do {										\
	static unsigned int _seen;						\
										\
	if (_seen++ < 3)							\
		_printk("\0017torus-refusal %s\n", place);			\
} while (0)

#else

#include <sys/syscall.h>

/* Declared as the C library does: including its headers here would fix the feature macros. */
long syscall(long number, ...);
char *getenv(const char *name);
unsigned long strlen(const char *text);
int *__errno_location(void);

static inline __attribute__((unused)) void torus_refusal_tell(const char *place)
{
	const char *file = getenv("TORUS_REFUSALS");
	int before = *__errno_location();
	long fd;

	if (!file)
		return;
	/* O_WRONLY | O_CREAT | O_APPEND of the generic ABI */
	fd = syscall(SYS_openat, -100, file, 01 | 0100 | 02000, 0666);
	if (fd >= 0) {
		syscall(SYS_write, fd, place, strlen(place));
		syscall(SYS_close, fd);
	}
	*__errno_location() = before;
}

#define torus_refusal_seen(place)						\
do {										\
	static int _seen;							\
										\
	if (!_seen) {								\
		_seen = 1;							\
		torus_refusal_tell(place "\n");					\
	}									\
} while (0)

#endif
#endif
#endif
