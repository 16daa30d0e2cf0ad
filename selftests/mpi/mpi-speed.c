// SPDX-License-Identifier: GPL-2.0
/*
 * Time of a ping-pong between ranks 0 and 1, and the rate of a window of messages.
 *
 *	mpi-speed [ROUNDS [BYTES]]
 *
 * Prints one line per length of at most BYTES: "pingpong BYTES NS", the time of half a round trip,
 * then "window 65536 16 NS SENDER RECEIVER": the time of a message in windows of 16, and its CPU
 * time at the sender and at the receiver in ns. ROUNDS: messages of a measurement (1000 of up to
 * 1 KiB, fewer of longer ones).
 */
#include <stdio.h>
#include <time.h>

#include "suite.h"

#define WINDOW		16
#define WINDOW_BYTES	65536
#define LONGEST		(WINDOW * WINDOW_BYTES)	/* a window fills the same buffer */

static const int lengths[] = { 0, 8, 200, 1024, 16384, 65536, LONGEST };

/* Return the CPU time of this process in ns, with the time that the module runs for it. */
static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Exchange @rounds messages. Return: ns of half a round trip. */
static double pingpong(char *at, int bytes, int rounds, int rank)
{
	double begin = 0;
	int i;

	MPI_Barrier(MPI_COMM_WORLD);
	for (i = -rounds / 10 - 1; i < rounds; i++) {
		if (!i)
			begin = MPI_Wtime();
		if (!rank)
			MPI_Send(at, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
		if (rank < 2)
			MPI_Recv(at, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(at, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
	}
	return (MPI_Wtime() - begin) * 1e9 / rounds / 2;
}

/* Send windows of WINDOW messages, each acknowledged. Return: ns of a message. */
static double window(char *at, int rounds, int rank)
{
	MPI_Request requests[WINDOW];
	double begin;
	int i, k;

	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	for (i = 0; i < rounds; i++) {
		for (k = 0; rank < 2 && k < WINDOW; k++) {
			if (rank)
				MPI_Irecv(at + k * WINDOW_BYTES, WINDOW_BYTES, MPI_BYTE, 0, 2,
					  MPI_COMM_WORLD, &requests[k]);
			else
				MPI_Isend(at + k * WINDOW_BYTES, WINDOW_BYTES, MPI_BYTE, 1, 2,
					  MPI_COMM_WORLD, &requests[k]);
		}
		if (rank < 2)
			MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
		if (!rank)
			MPI_Recv(NULL, 0, MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else if (rank == 1)
			MPI_Send(NULL, 0, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
	}
	return (MPI_Wtime() - begin) * 1e9 / rounds / WINDOW;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000, most = argc > 2 ? atoi(argv[2]) : LONGEST;
	int rank, size, n;
	char *at = suite_alloc(LONGEST);
	double ns, cpu, *cpus;
	size_t i;

	suite_begin(&argc, &argv, MPI_THREAD_SINGLE);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size < 2 || rounds < 1) {
		fprintf(stderr, "mpi-speed: %d ranks, %d rounds: must be at least 2 and 1\n", size,
			rounds);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	cpus = suite_alloc(size * sizeof(*cpus));
	memset(at, 1, LONGEST);
	for (i = 0; i < SUITE_COUNT(lengths) && lengths[i] <= most; i++) {
		n = rounds / (1 + lengths[i] / 4096);
		ns = pingpong(at, lengths[i], n ? n : 1, rank);
		if (!rank)
			printf("pingpong %d %.0f\n", lengths[i], ns);
	}
	n = rounds < 100 ? 1 : rounds / 100;
	cpu = cpu_ns();
	ns = most >= WINDOW_BYTES ? window(at, n, rank) : 0;
	cpu = cpu_ns() - cpu;
	MPI_Gather(&cpu, 1, MPI_DOUBLE, cpus, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	if (!rank && ns > 0)
		printf("window %d %d %.0f %.0f %.0f\n", WINDOW_BYTES, WINDOW, ns,
		       cpus[0] / n / WINDOW, cpus[1] / n / WINDOW);
	free(at);
	free(cpus);
	MPI_Finalize();
	return 0;
}
