/* SPDX-License-Identifier: GPL-2.0 */
/* User build of platform.h. */
#ifndef TORUS_CORE_PLATFORM_USER_H
#define TORUS_CORE_PLATFORM_USER_H

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;

#define TORUS_HUGE	((size_t)1 << 21)
/*
 * Minimum size of an allocation by mmap(). The system places such memory at the first access, near
 * the thread that runs the domain. With the address sanitizer the minimum is larger, because the
 * sanitizer checks only malloc().
 */
#ifdef __SANITIZE_ADDRESS__
#define TORUS_PIECE	TORUS_HUGE
#else
#define TORUS_PIECE	((size_t)1 << 17)
#endif

/*
 * Allocate zeroed memory. Large pieces are mapped with huge pages: accesses to a whole fabric are
 * random, and with small pages each access would miss the TLB.
 */
static inline void *torus_alloc(size_t bytes)
{
	size_t whole = (bytes + TORUS_HUGE - 1) & ~(TORUS_HUGE - 1), skip;
	char *p;

	/* calloc() aligns to 16 bytes only, torus_align requires 64 */
	if (bytes < TORUS_PIECE) {
		p = aligned_alloc(64, bytes ? (bytes + 63) & ~(size_t)63 : 64);
		return p ? memset(p, 0, bytes) : NULL;
	}
	/* no huge pages: a small allocation may use only a part of its memory */
	if (bytes < TORUS_HUGE) {
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		return p == MAP_FAILED ? NULL : p;
	}
	p = mmap(NULL, whole + TORUS_HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	skip = -(size_t)p & (TORUS_HUGE - 1);
	if (skip)
		munmap(p, skip);
	munmap(p + skip + whole, TORUS_HUGE - skip);
	madvise(p + skip, whole, MADV_HUGEPAGE);
	return p + skip;
}

/* Allocate memory during a run: in a user build the same as torus_alloc(). */
static inline void *torus_grow(size_t bytes)
{
	return torus_alloc(bytes);
}

static inline void torus_free(void *p, size_t bytes)
{
	if (!p)
		return;
	if (bytes < TORUS_PIECE)
		free(p);
	else if (bytes < TORUS_HUGE)
		munmap(p, bytes);
	else
		munmap(p, (bytes + TORUS_HUGE - 1) & ~(TORUS_HUGE - 1));
}

/* Allocate memory during a run. Only the kernel build has a limit. */
static inline void *torus_grow_counted(size_t bytes)
{
	return torus_grow(bytes);
}

static inline bool torus_growth_spare(u64 bytes)
{
	return true;
}

static inline void torus_free_counted(void *p, size_t bytes)
{
	torus_free(p, bytes);
}

#define torus_assert(cond)	assert(cond)
/*
 * Pause in a spin loop. If the processor has no such instruction, use a compiler barrier, which
 * makes the loop load again.
 */
#if defined(__x86_64__) || defined(__i386__)
#define torus_relax()		__builtin_ia32_pause()
#elif defined(__aarch64__)
#define torus_relax()		__asm__ __volatile__("yield" ::: "memory")
#else
#define torus_relax()		__asm__ __volatile__("" ::: "memory")
#endif

/*
 * Count the bits set. The compiler's builtin uses an instruction only if all processors that the
 * program supports have it, and otherwise calls a library function.
 */
static inline unsigned int torus_popcount(u64 x)
{
	x -= (x >> 1) & 0x5555555555555555ull;
	x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
	return (unsigned int)((x * 0x0101010101010101ull) >> 56);
}

static inline unsigned int torus_popcount32(u32 x)
{
	x -= (x >> 1) & 0x55555555;
	x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f;
	return x * 0x01010101u >> 24;
}

#define torus_yield()		sched_yield()
#define torus_cancelled()	false
#define torus_breathe()		do { } while (0)

#define torus_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define torus_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define torus_load(p)		__atomic_load_n(p, __ATOMIC_RELAXED)
#define torus_store(p, v)	__atomic_store_n(p, v, __ATOMIC_RELAXED)
#define torus_fetch_add(p, v)	__atomic_fetch_add(p, v, __ATOMIC_ACQ_REL)
#define torus_fetch_or(p, v)	__atomic_fetch_or(p, v, __ATOMIC_ACQ_REL)
#define torus_fetch_and(p, v)	__atomic_fetch_and(p, v, __ATOMIC_ACQ_REL)
#define torus_exchange(p, v)	__atomic_exchange_n(p, v, __ATOMIC_ACQ_REL)

static inline int scnprintf(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static inline int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	return n < 0 ? 0 : (size_t)n < size ? n : size ? (int)size - 1 : 0;
}

#endif
