/* SPDX-License-Identifier: GPL-2.0 */
/* The frame of an MPI test program: steps, checks, and contents of messages. */
#ifndef TORUS_SELFTESTS_MPI_SUITE_H
#define TORUS_SELFTESTS_MPI_SUITE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A step of a test program. All ranks run it; @run has a communicator of all ranks for itself. */
struct suite_step {
	const char *name;
	void (*run)(MPI_Comm comm, int rank, int size);
};

/*
 * Check a condition. A failure is counted and reported with the rank and the line; the step
 * continues, so that the other ranks need not wait for this one.
 */
#define CHECK(condition) suite_check(condition, #condition, __FILE__, __LINE__)

bool suite_check(bool good, const char *text, const char *file, int line);
void suite_begin(int *argc, char ***argv, int threads);
void suite_run(const struct suite_step *steps, size_t count);
int suite_end(void);

void *suite_alloc(size_t bytes);
void suite_fill(void *at, size_t bytes, uint32_t seed);
bool suite_same(const void *at, size_t bytes, uint32_t seed);
uint32_t suite_seed(int from, int to, uint32_t number);

#define SUITE_COUNT(array)	(sizeof(array) / sizeof((array)[0]))

#endif /* TORUS_SELFTESTS_MPI_SUITE_H */
