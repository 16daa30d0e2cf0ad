// SPDX-License-Identifier: GPL-2.0
/*
 * Ranks that exchange messages without end, until one of them is killed in a transfer.
 *
 *	mpi-killed RANK MS [fork]
 *
 * RANK is killed MS milliseconds after its first exchange, which it reports. With fork, a child of
 * it still runs.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "suite.h"

#define BYTES	20000

static bool forks;

static void die(int signal)
{
	(void)signal;
	if (forks && !fork())
		for (;;)
			pause();
	kill(getpid(), SIGKILL);
}

static void exchange(char *out, char *in, int rank, int size, uint32_t number)
{
	int peer;

	for (peer = 0; peer < size; peer++)
		suite_fill(out + peer * BYTES, BYTES, suite_seed(rank, peer, number));
	MPI_Alltoall(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, MPI_COMM_WORLD);
	for (peer = 0; peer < size; peer++)
		CHECK(suite_same(in + peer * BYTES, BYTES, suite_seed(peer, rank, number)));
}

int main(int argc, char **argv)
{
	int victim = argc > 2 ? atoi(argv[1]) : -1, ms = argc > 2 ? atoi(argv[2]) : 0, rank, size;
	struct itimerval timer = {
		.it_value = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 + 1 },
	};
	uint32_t number = 0;
	char *out, *in;

	suite_begin(&argc, &argv, MPI_THREAD_SINGLE);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (victim < 0 || victim >= size || ms < 0) {
		fprintf(stderr, "mpi-killed: RANK and MS are missing or wrong\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	forks = argc > 3 && !strcmp(argv[3], "fork");
	out = suite_alloc((size_t)size * BYTES);
	in = suite_alloc((size_t)size * BYTES);
	exchange(out, in, rank, size, number++);
	signal(SIGALRM, die);
	if (rank == victim) {
		puts("exchanging");
		setitimer(ITIMER_REAL, &timer, NULL);
	}
	for (;;)
		exchange(out, in, rank, size, number++);
}
