// SPDX-License-Identifier: GPL-2.0
/*
 * Rank 1 sends many messages before rank 0 receives the first: the last one is received first.
 *
 *	mpi-flood [LONG [SHORT]]
 *
 * LONG messages of 64 KiB (10000), then SHORT messages of 8 bytes (100000). Every byte is checked.
 * Prints the peak of memory of ranks 0 and 1, in KiB above the peak of a rank that does nothing.
 */
#include <stdio.h>

#include "suite.h"

#define LONG_BYTES	65536
#define TAG_LAST	1	/* the last message, which is received first */

/*
 * Long message @i is the part of one array from byte @i on: so the sender needs no array for each,
 * and no two messages are equal.
 */
static unsigned char byte_of(size_t at)
{
	return (unsigned char)((uint32_t)at * 2654435761u >> 23);
}

static char *long_array(int count)
{
	char *array = suite_alloc(LONG_BYTES + count);
	size_t i;

	for (i = 0; i < (size_t)LONG_BYTES + count; i++)
		array[i] = (char)byte_of(i);
	return array;
}

static uint64_t short_of(int i)
{
	return (i + 1) * 0x9e3779b97f4a7c15ull;
}

/* Return this process's peak of memory in KiB. */
static long peak_kib(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	long kib = -1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

static void send_all(int longs, int shorts)
{
	MPI_Request *requests = suite_alloc(longs * sizeof(*requests));
	char *array = long_array(longs);
	uint64_t word;
	int i;

	for (i = 0; i < longs; i++)
		MPI_Isend(array + i, LONG_BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
	for (i = 0; i < shorts; i++) {
		word = short_of(i);
		MPI_Send(&word, sizeof(word), MPI_BYTE, 0, i == shorts - 1 ? TAG_LAST : 2,
			 MPI_COMM_WORLD);
	}
	/* Rank 0 begins to receive now. */
	MPI_Send(NULL, 0, MPI_BYTE, 2, 3, MPI_COMM_WORLD);
	MPI_Waitall(longs, requests, MPI_STATUSES_IGNORE);
	free(requests);
	free(array);
}

static void receive_short(int i, int tag)
{
	uint64_t word;

	MPI_Recv(&word, sizeof(word), MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(word == short_of(i));
}

static void receive_all(int longs, int shorts)
{
	char *array = long_array(longs), *in = suite_alloc(LONG_BYTES);
	int i;

	MPI_Recv(NULL, 0, MPI_BYTE, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	receive_short(shorts - 1, TAG_LAST);
	for (i = 0; i < longs; i++) {
		MPI_Recv(in, LONG_BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		CHECK(!memcmp(in, array + i, LONG_BYTES));
	}
	for (i = 0; i < shorts - 1; i++)
		receive_short(i, 2);
	free(array);
	free(in);
}

int main(int argc, char **argv)
{
	int longs = argc > 1 ? atoi(argv[1]) : 10000, shorts = argc > 2 ? atoi(argv[2]) : 100000;
	long peak, peaks[3];
	int rank, size;

	suite_begin(&argc, &argv, MPI_THREAD_SINGLE);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != 3 || longs < 1 || shorts < 1) {
		fprintf(stderr, "mpi-flood: %d ranks, %d and %d messages: must be 3 ranks, and at "
			"least 1\n", size, longs, shorts);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	if (rank == 1) {
		send_all(longs, shorts);
	} else if (rank == 2) {
		/* Notify rank 0 when all messages were sent. Rank 0 waits in MPI until then. */
		MPI_Recv(NULL, 0, MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(NULL, 0, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
	} else {
		receive_all(longs, shorts);
	}
	peak = peak_kib();
	MPI_Gather(&peak, 1, MPI_LONG, peaks, 1, MPI_LONG, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%d messages of %d bytes, %d of 8: receiver %ld KiB, sender %ld KiB\n",
		       longs, LONG_BYTES, shorts, peaks[0] - peaks[2], peaks[1] - peaks[2]);
	return suite_end();
}
