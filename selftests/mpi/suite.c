// SPDX-License-Identifier: GPL-2.0
/* The frame of an MPI test program: steps, checks, and contents of messages. */
#include <stdatomic.h>
#include <stdio.h>

#include "suite.h"

#define REPORTS_MAX	20	/* failures of a rank that are printed */

static atomic_uint failures;
static unsigned int steps_run, steps_failed;

/**
 * suite_check - count and report a failed condition; callable by any thread
 * @good: the condition
 * @text: its text
 * @file: source file
 * @line: line of the check
 *
 * Return: @good.
 */
bool suite_check(bool good, const char *text, const char *file, int line)
{
	const char *name = strrchr(file, '/');
	int rank;

	if (good || atomic_fetch_add(&failures, 1) >= REPORTS_MAX)
		return good;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	fprintf(stderr, "# rank %d: %s:%d: %s\n", rank, name ? name + 1 : file, line, text);
	return false;
}

/**
 * suite_begin - initialize MPI
 * @argc: number of arguments of main()
 * @argv: the arguments
 * @threads: level of thread support, which MPI must provide
 */
void suite_begin(int *argc, char ***argv, int threads)
{
	int provided;

	MPI_Init_thread(argc, argv, threads, &provided);
	CHECK(provided >= threads);
	/* Standard output is a pipe to mpirun: without this, lines would appear only at the end. */
	setvbuf(stdout, NULL, _IOLBF, 0);
}

/**
 * suite_run - run steps one after another, and print the result of each
 * @steps: array of steps
 * @count: number of steps
 */
void suite_run(const struct suite_step *steps, size_t count)
{
	unsigned int before, mine, all;
	int rank, size;
	MPI_Comm comm;
	size_t i;

	for (i = 0; i < count; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		MPI_Comm_rank(comm, &rank);
		MPI_Comm_size(comm, &size);
		before = atomic_load(&failures);
		steps[i].run(comm, rank, size);
		mine = atomic_load(&failures) - before;
		MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
		MPI_Comm_free(&comm);
		steps_run++;
		steps_failed += all != 0;
		if (!rank)
			printf("%sok %u - %s\n", all ? "not " : "", steps_run, steps[i].name);
	}
}

/**
 * suite_end - end MPI, and print the plan
 *
 * Return: exit status of the program.
 */
int suite_end(void)
{
	unsigned int mine = atomic_load(&failures), all;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
	if (!rank)
		printf("1..%u\n", steps_run);
	MPI_Finalize();
	return all || steps_failed;
}

/**
 * suite_alloc - allocate memory, or end the job
 * @bytes: number of bytes
 *
 * Return: the memory, to be freed by free().
 */
void *suite_alloc(size_t bytes)
{
	void *at = malloc(bytes ? bytes : 1);

	if (!at) {
		fprintf(stderr, "# out of memory for %zu bytes\n", bytes);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return at;
}

static uint32_t word_of(uint32_t seed, size_t i)
{
	uint32_t word = seed * 2654435761u ^ (uint32_t)i * 0x9e3779b1u;

	word = (word ^ word >> 15) * 0x85ebca6bu;
	return word ^ word >> 13;
}

/**
 * suite_fill - write the content of a message
 * @at: [out] the content
 * @bytes: number of bytes
 * @seed: seed of the content, from suite_seed()
 */
void suite_fill(void *at, size_t bytes, uint32_t seed)
{
	unsigned char *to = at;
	size_t i;

	for (i = 0; i < bytes; i++)
		to[i] = (unsigned char)(word_of(seed, i / 4) >> i % 4 * 8);
}

/**
 * suite_same - compare all bytes of a message with its content
 * @at: the received bytes
 * @bytes: number of bytes
 * @seed: as in suite_fill()
 *
 * Return: true if all are correct.
 */
bool suite_same(const void *at, size_t bytes, uint32_t seed)
{
	const unsigned char *from = at;
	size_t i;

	for (i = 0; i < bytes; i++)
		if (from[i] != (unsigned char)(word_of(seed, i / 4) >> i % 4 * 8))
			return false;
	return true;
}

/**
 * suite_seed - make the seed of a message, so that a message in the place of another is found
 * @from: its sender
 * @to: its receiver
 * @number: its number among the messages between the two
 *
 * Return: the seed.
 */
uint32_t suite_seed(int from, int to, uint32_t number)
{
	return ((uint32_t)from * 8191 + (uint32_t)to) * 131071 + number + 1;
}
