/* SPDX-License-Identifier: GPL-2.0 */
/* Read the input of a fuzz target in pieces. After its end, all values are zero. */
#ifndef TORUS_FUZZ_TAKE_H
#define TORUS_FUZZ_TAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Abort if a condition is false: the fuzzer then saves the input. */
#define fuzz_demand(condition)								\
do {											\
	if (!(condition)) {								\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);		\
		abort();								\
	}										\
} while (0)

/**
 * struct fuzz_input - unread part of an input
 * @at: next byte
 * @left: number of unread bytes
 */
struct fuzz_input {
	const uint8_t *at;
	size_t left;
};

static inline void fuzz_take(struct fuzz_input *input, void *bytes, size_t size)
{
	size_t there = size < input->left ? size : input->left;

	memset(bytes, 0, size);
	if (!there)
		return;
	memcpy(bytes, input->at, there);
	input->at += there;
	input->left -= there;
}

static inline uint8_t fuzz_u8(struct fuzz_input *input)
{
	uint8_t value;

	fuzz_take(input, &value, sizeof(value));
	return value;
}

static inline uint32_t fuzz_u32(struct fuzz_input *input)
{
	uint32_t value;

	fuzz_take(input, &value, sizeof(value));
	return value;
}

/* Read one byte and convert it to a number below @end. */
static inline uint32_t fuzz_below(struct fuzz_input *input, uint32_t end)
{
	return fuzz_u8(input) % end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* TORUS_FUZZ_TAKE_H */
