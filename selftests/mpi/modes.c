// SPDX-License-Identifier: GPL-2.0
/* All modes of sending, with messages of all lengths, between all neighbours of a ring. */
#include "steps.h"

static const int lengths[] = { 0, 1, 7, 64, 240, 255, 4096, 16384, 16385, 65537, 300001 };

#define LENGTH_MAX	300001
#define LENGTHS		((int)SUITE_COUNT(lengths))

/* The modes of a message that is received by a receive that was posted before it is sent. */
enum mode { SEND, SSEND, BSEND, RSEND, ISEND, ISSEND, IBSEND, IRSEND, MODES };

static void send_one(enum mode mode, const void *at, int bytes, int to, int tag, MPI_Comm comm)
{
	MPI_Request request = MPI_REQUEST_NULL;

	switch (mode) {
	case SEND:
		MPI_Send(at, bytes, MPI_BYTE, to, tag, comm);
		break;
	case SSEND:
		MPI_Ssend(at, bytes, MPI_BYTE, to, tag, comm);
		break;
	case BSEND:
		MPI_Bsend(at, bytes, MPI_BYTE, to, tag, comm);
		break;
	case RSEND:
		MPI_Rsend(at, bytes, MPI_BYTE, to, tag, comm);
		break;
	case ISEND:
		MPI_Isend(at, bytes, MPI_BYTE, to, tag, comm, &request);
		break;
	case ISSEND:
		MPI_Issend(at, bytes, MPI_BYTE, to, tag, comm, &request);
		break;
	case IBSEND:
		MPI_Ibsend(at, bytes, MPI_BYTE, to, tag, comm, &request);
		break;
	default:
		MPI_Irsend(at, bytes, MPI_BYTE, to, tag, comm, &request);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Check a received message and its status. */
static void check_one(const void *at, int bytes, int from, int to, int tag,
		      const MPI_Status *status)
{
	int count;

	MPI_Get_count(status, MPI_BYTE, &count);
	CHECK(count == bytes);
	CHECK(status->MPI_SOURCE == from);
	CHECK(status->MPI_TAG == tag);
	CHECK(suite_same(at, bytes, suite_seed(from, to, tag)));
}

/* Send one message of each length to the next rank, in one mode, to receives posted before. */
static void ring(enum mode mode, MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i;
	char *in = suite_alloc(LENGTH_MAX), *out = suite_alloc(LENGTH_MAX);
	MPI_Request request;
	MPI_Status status;

	for (i = 0; i < LENGTHS; i++) {
		memset(in, 0x55, lengths[i]);
		suite_fill(out, lengths[i], suite_seed(rank, next, i));
		MPI_Irecv(in, lengths[i], MPI_BYTE, last, i, comm, &request);
		/* A ready send requires that its receive was posted. */
		if (mode == RSEND || mode == IRSEND)
			MPI_Barrier(comm);
		send_one(mode, out, lengths[i], next, i, comm);
		MPI_Wait(&request, &status);
		check_one(in, lengths[i], last, rank, i, &status);
	}
	free(in);
	free(out);
}

/* Send messages of all lengths, in all modes, round a ring. */
void step_modes(MPI_Comm comm, int rank, int size)
{
	int bytes = LENGTH_MAX + MPI_BSEND_OVERHEAD, mode;
	void *buffer = suite_alloc(2 * bytes);

	MPI_Buffer_attach(buffer, 2 * bytes);
	for (mode = SEND; mode < MODES; mode++)
		ring(mode, comm, rank, size);
	MPI_Buffer_detach(&buffer, &bytes);
	free(buffer);
}

/* Combined sends and receives, also in place, and to no process. */
void step_sendrecv(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i;
	char *in = suite_alloc(LENGTH_MAX), *out = suite_alloc(LENGTH_MAX);
	MPI_Status status;

	for (i = 0; i < LENGTHS; i++) {
		suite_fill(out, lengths[i], suite_seed(rank, next, i));
		MPI_Sendrecv(out, lengths[i], MPI_BYTE, next, i, in, lengths[i], MPI_BYTE, last, i,
			     comm, &status);
		check_one(in, lengths[i], last, rank, i, &status);
		MPI_Sendrecv_replace(out, lengths[i], MPI_BYTE, next, i, last, i, comm, &status);
		check_one(out, lengths[i], last, rank, i, &status);
	}
	MPI_Sendrecv(out, 1, MPI_BYTE, MPI_PROC_NULL, 0, in, 1, MPI_BYTE, MPI_PROC_NULL, 0, comm,
		     &status);
	CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
	free(in);
	free(out);
}

/* Persistent requests, started several times, one by one and together. */
void step_persistent(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, round;
	char *in[LENGTHS], *out[LENGTHS];
	MPI_Request requests[2 * LENGTHS];
	MPI_Status statuses[2 * LENGTHS];

	for (i = 0; i < LENGTHS; i++) {
		in[i] = suite_alloc(lengths[i]);
		out[i] = suite_alloc(lengths[i]);
		MPI_Recv_init(in[i], lengths[i], MPI_BYTE, last, i, comm, &requests[2 * i]);
		if (i % 2)
			MPI_Ssend_init(out[i], lengths[i], MPI_BYTE, next, i, comm,
				       &requests[2 * i + 1]);
		else
			MPI_Send_init(out[i], lengths[i], MPI_BYTE, next, i, comm,
				      &requests[2 * i + 1]);
	}
	for (round = 0; round < 3; round++) {
		for (i = 0; i < LENGTHS; i++)
			suite_fill(out[i], lengths[i], suite_seed(rank, next, i));
		if (round)
			MPI_Startall(2 * LENGTHS, requests);
		for (i = 0; !round && i < 2 * LENGTHS; i++)
			MPI_Start(&requests[i]);
		MPI_Waitall(2 * LENGTHS, requests, statuses);
		for (i = 0; i < LENGTHS; i++) {
			check_one(in[i], lengths[i], last, rank, i, &statuses[2 * i]);
			memset(in[i], 0, lengths[i]);
		}
	}
	for (i = 0; i < 2 * LENGTHS; i++)
		MPI_Request_free(&requests[i]);
	for (i = 0; i < LENGTHS; i++) {
		free(in[i]);
		free(out[i]);
	}
}

/* Messages to oneself, sent before and after their receive is posted. */
void step_self(MPI_Comm comm, int rank, int size)
{
	char *in = suite_alloc(LENGTH_MAX), *out = suite_alloc(LENGTH_MAX);
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int i, late;

	(void)size;
	for (i = 0; i < 2 * LENGTHS; i++) {
		late = i % 2;
		suite_fill(out, lengths[i / 2], suite_seed(rank, rank, i));
		if (late)
			MPI_Isend(out, lengths[i / 2], MPI_BYTE, rank, i, comm, &requests[1]);
		MPI_Irecv(in, lengths[i / 2], MPI_BYTE, rank, i, comm, &requests[0]);
		if (!late)
			MPI_Isend(out, lengths[i / 2], MPI_BYTE, rank, i, comm, &requests[1]);
		MPI_Waitall(2, requests, statuses);
		check_one(in, lengths[i / 2], rank, rank, i, &statuses[0]);
	}
	free(in);
	free(out);
}

/* Send one long message to every rank at once, and receive one of each. */
void step_all_pairs(MPI_Comm comm, int rank, int size)
{
	char *in = suite_alloc((size_t)size * 65537), *out = suite_alloc((size_t)size * 65537);
	MPI_Request *requests = suite_alloc(2 * size * sizeof(*requests));
	int peer, done, left;

	for (peer = 0; peer < size; peer++) {
		suite_fill(out + peer * 65537ul, 65537, suite_seed(rank, peer, 9));
		MPI_Irecv(in + peer * 65537ul, 65537, MPI_BYTE, peer, 9, comm, &requests[peer]);
	}
	for (peer = 0; peer < size; peer++)
		MPI_Isend(out + peer * 65537ul, 65537, MPI_BYTE, peer, 9, comm,
			  &requests[size + peer]);
	for (left = 2 * size; left; left--) {
		MPI_Waitany(2 * size, requests, &done, MPI_STATUS_IGNORE);
		if (done < size)
			CHECK(suite_same(in + done * 65537ul, 65537, suite_seed(done, rank, 9)));
	}
	free(requests);
	free(in);
	free(out);
}
