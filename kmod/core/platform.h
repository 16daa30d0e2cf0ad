/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only difference between a kernel build and a user build, for example types, allocation,
 * assertions, atomic accesses and the spin barrier's pause. Other code of core and arch must not
 * check which of the two builds it is part of.
 */
#ifndef TORUS_CORE_PLATFORM_H
#define TORUS_CORE_PLATFORM_H

#ifdef __KERNEL__
#include "platform_kernel.h"
#else
#include "platform_user.h"
#endif

/* ABI definitions that the core uses: reasons of drops and stalls, results. */
#include <linux/torus.h>

#define TORUS_NONE	0xffffffffu	/* no node, no packet */

#define torus_likely(x)		__builtin_expect(!!(x), 1)
#define torus_unlikely(x)	__builtin_expect(!!(x), 0)
/*
 * Prefetch a cache line for writing. Use only in torus_inline functions: gcc removes a call of a
 * function that only prefetches.
 */
#define torus_prefetch(p)	__builtin_prefetch((p), 1, 3)
#define torus_inline		static inline __attribute__((always_inline))
#define torus_align		__attribute__((aligned(64)))
/* Function that is rarely called. It is not inlined, so its body does not enlarge its callers. */
#define torus_cold		__attribute__((__noinline__, __cold__))
#define torus_fallthrough	__attribute__((__fallthrough__))
/*
 * For a local array that is written before it is read: prevents a hardened kernel build from
 * clearing the array.
 */
#if __has_attribute(__uninitialized__)
#define torus_uninit		__attribute__((__uninitialized__))
#else
#define torus_uninit
#endif

/* Find the index of the lowest set bit; @x must not be 0. */
torus_inline unsigned int torus_ctz(u64 x)
{
	return (unsigned int)__builtin_ctzll(x);
}

/* Mix 64 bits (one step of splitmix64), to seed streams and to hash deliveries. */
torus_inline u64 torus_mix(u64 x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

#endif /* TORUS_CORE_PLATFORM_H */
