/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one seam between a kernel and a user build: types, allocation,
 * assertion, logging, the spin barrier's pause, and the watching hook.
 * Nothing else in core or arch may ask which of the two it is.
 */
#ifndef TORUS_CORE_ENV_H
#define TORUS_CORE_ENV_H

#ifdef __KERNEL__
#include "env_kernel.h"
#else
#include "env_user.h"
#endif

/* Names of the ABI that the core itself speaks: drop and stall reasons, results. */
#include <linux/torus.h>

#define TORUS_NONE	0xffffffffu	/* no node, no packet */

#define torus_likely(x)		__builtin_expect(!!(x), 1)
#define torus_unlikely(x)	__builtin_expect(!!(x), 0)
/* In functions that are torus_inline: gcc drops calls of one that does nothing but fetch. */
#define torus_prefetch(p)	__builtin_prefetch((p), 1, 3)
#define torus_inline		static inline __attribute__((always_inline))
#define torus_align		__attribute__((aligned(64)))
/* Rarely called, and to cost its callers no registers when it is not. */
#define torus_cold		__attribute__((__noinline__, __cold__))
#define torus_fallthrough	__attribute__((__fallthrough__))
/* A local array that is written before it is read: kernels are compiled to clear what is not. */
#if __has_attribute(__uninitialized__)
#define torus_uninit		__attribute__((__uninitialized__))
#else
#define torus_uninit
#endif

/* Index of the lowest set bit; @x is not 0. */
torus_inline unsigned int torus_ctz(u64 x)
{
	return (unsigned int)__builtin_ctzll(x);
}

/* The 64-bit mix that seeds streams and hashes deliveries (splitmix64's finalizer). */
torus_inline u64 torus_mix(u64 x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

#endif /* TORUS_CORE_ENV_H */
