/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Count the calls of an interface that a fuzz target makes, by kind. scripts/fuzz.sh sets the
 * required number in FUZZ_CALLS, and the output file in FUZZ_CALLS_FILE.
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
 * calls_enough() - check whether further calls of a kind are unnecessary
 * @kinds: all kinds
 * @count: number of kinds
 * @which: index of the kind
 *
 * Return: true if FUZZ_CALLS is set and this kind has reached it, or is far ahead of the kind with
 * the fewest calls. Thus all kinds reach the number at nearly the same time.
 */
bool calls_enough(const struct calls *kinds, uint32_t count, uint32_t which);

/**
 * calls_report() - write the counts; called after each input
 * @kinds: all kinds
 * @count: number of kinds
 *
 * Writes every few thousand inputs and at the end. Stops libFuzzer when all kinds have reached
 * FUZZ_CALLS.
 */
void calls_report(const struct calls *kinds, uint32_t count);

#endif /* TORUS_FUZZ_CALLS_H */
