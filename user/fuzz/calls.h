/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of an interface that a target makes, counted by kind.  The environment of scripts/fuzz.sh
 * says how many are enough (FUZZ_CALLS) and to which file the numbers go (FUZZ_CALLS_FILE).
 */
#ifndef TORUS_FUZZ_CALLS_H
#define TORUS_FUZZ_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct calls - calls of one kind
 * @name: name of the kind
 * @calls: number of calls
 */
struct calls {
	const char *name;
	uint64_t calls;
};

/**
 * calls_enough() - check whether further calls of a kind are of no use
 * @kinds: all kinds
 * @count: number of kinds
 * @which: index of the kind
 *
 * Return: true if there is a bound and this kind has reached it, or leads the kind with the fewest
 * calls by far, so that all kinds reach the bound at nearly the same time.
 */
bool calls_enough(const struct calls *kinds, uint32_t count, uint32_t which);

/**
 * calls_report() - write the numbers, called after each input
 * @kinds: all kinds
 * @count: number of kinds
 *
 * Writes every few thousand inputs and at the end.  Once all kinds have reached the bound it asks
 * libFuzzer to end.
 */
void calls_report(const struct calls *kinds, uint32_t count);

#endif /* TORUS_FUZZ_CALLS_H */
