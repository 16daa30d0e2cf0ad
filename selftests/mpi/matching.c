// SPDX-License-Identifier: GPL-2.0
/* Matching: order, wildcards, probes, cancelled and truncated receives. */
#include "steps.h"

#define MESSAGES	60
#define LONG_BYTES	40000

/* Return the length of message @i: short ones and some that are announced. */
static int length_of(int i)
{
	return i % 10 == 9 ? LONG_BYTES : i * 13;
}

/* Return the bytes of all messages to one rank. */
static size_t bytes_of_all(void)
{
	size_t bytes = 0;
	int i;

	for (i = 0; i < MESSAGES; i++)
		bytes += length_of(i);
	return bytes;
}

/* Send MESSAGES messages to each rank, with tags 0, @tag_step, 2 * @tag_step .. */
static void send_all(MPI_Comm comm, int rank, int size, int tag_step, char *out,
		     MPI_Request *requests)
{
	int peer, i;

	for (i = 0; i < MESSAGES; i++)
		for (peer = 0; peer < size; peer++) {
			suite_fill(out, length_of(i), suite_seed(rank, peer, i));
			MPI_Isend(out, length_of(i), MPI_BYTE, peer, i * tag_step, comm,
				  &requests[i * size + peer]);
			out += length_of(i);
		}
}

static char *out_alloc(int size, MPI_Request **requests)
{
	*requests = suite_alloc(sizeof(**requests) * MESSAGES * size);
	return suite_alloc(size * bytes_of_all());
}

/* Messages of one sender with one tag arrive in the order of sending, whatever their length. */
void step_order(MPI_Comm comm, int rank, int size)
{
	MPI_Request *requests;
	char *out = out_alloc(size, &requests), *in = suite_alloc(LONG_BYTES);
	MPI_Status status;
	int peer, i, count;

	send_all(comm, rank, size, 0, out, requests);
	for (peer = 0; peer < size; peer++)
		for (i = 0; i < MESSAGES; i++) {
			MPI_Recv(in, LONG_BYTES, MPI_BYTE, peer, 0, comm, &status);
			MPI_Get_count(&status, MPI_BYTE, &count);
			CHECK(count == length_of(i));
			CHECK(suite_same(in, length_of(i), suite_seed(peer, rank, i)));
		}
	MPI_Waitall(MESSAGES * size, requests, MPI_STATUSES_IGNORE);
	free(requests);
	free(out);
	free(in);
}

/* Any source and any tag: each sender's messages arrive in order. */
void step_wildcards(MPI_Comm comm, int rank, int size)
{
	MPI_Request *requests;
	char *out = out_alloc(size, &requests), *in = suite_alloc(LONG_BYTES);
	int *next = calloc(size, sizeof(*next)), i, from;
	MPI_Status status;

	send_all(comm, rank, size, 1, out, requests);
	for (i = 0; i < MESSAGES * size; i++) {
		MPI_Recv(in, LONG_BYTES, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
		from = status.MPI_SOURCE;
		if (!CHECK(from >= 0 && from < size))
			continue;
		CHECK(status.MPI_TAG == next[from]);
		CHECK(suite_same(in, length_of(next[from]), suite_seed(from, rank, next[from])));
		next[from]++;
	}
	for (i = 0; i < size; i++)
		CHECK(next[i] == MESSAGES);
	MPI_Waitall(MESSAGES * size, requests, MPI_STATUSES_IGNORE);
	free(requests);
	free(next);
	free(out);
	free(in);
}

/* The last tag first: all other messages are unexpected. Half of the receives take any source. */
void step_tags_backwards(MPI_Comm comm, int rank, int size)
{
	MPI_Request *requests;
	char *out = out_alloc(size, &requests), *in = suite_alloc(LONG_BYTES);
	MPI_Status status;
	int peer, i, from;

	send_all(comm, rank, size, 1, out, requests);
	for (i = MESSAGES - 1; i >= 0; i--)
		for (peer = 0; peer < size; peer++) {
			MPI_Recv(in, LONG_BYTES, MPI_BYTE, i % 2 ? MPI_ANY_SOURCE : peer, i, comm,
				 &status);
			from = status.MPI_SOURCE;
			CHECK(i % 2 || from == peer);
			CHECK(suite_same(in, length_of(i), suite_seed(from, rank, i)));
		}
	MPI_Waitall(MESSAGES * size, requests, MPI_STATUSES_IGNORE);
	free(requests);
	free(out);
	free(in);
}

/* A probe reports source, tag and length, and the receive after it gets this message. */
void step_probe(MPI_Comm comm, int rank, int size)
{
	MPI_Request *requests;
	char *out = out_alloc(size, &requests), *in = suite_alloc(LONG_BYTES);
	int i, count, found = 0, from;
	MPI_Status status;

	MPI_Iprobe(MPI_ANY_SOURCE, 4711, comm, &found, &status);
	CHECK(!found);
	send_all(comm, rank, size, 1, out, requests);
	for (i = 0; i < MESSAGES * size; i++) {
		found = i % 2;
		if (found)
			MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
		while (!found)
			MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &status);
		MPI_Get_count(&status, MPI_BYTE, &count);
		CHECK(count == length_of(status.MPI_TAG));
		from = status.MPI_SOURCE;
		MPI_Recv(in, count, MPI_BYTE, from, status.MPI_TAG, comm, &status);
		CHECK(suite_same(in, count, suite_seed(from, rank, status.MPI_TAG)));
	}
	MPI_Waitall(MESSAGES * size, requests, MPI_STATUSES_IGNORE);
	free(requests);
	free(out);
	free(in);
}

/* A message of a matched probe is received by its handle, and by no other receive. */
void step_matched_probe(MPI_Comm comm, int rank, int size)
{
	int last = (rank + size - 1) % size, next = (rank + 1) % size, i, count, found;
	char *in = suite_alloc(LONG_BYTES), *out = suite_alloc(3ul * LONG_BYTES);
	MPI_Request requests[3], receive;
	MPI_Message message;
	MPI_Status status;

	MPI_Improbe(MPI_ANY_SOURCE, 4711, comm, &found, &message, &status);
	CHECK(!found);
	for (i = 0; i < 3; i++) {
		suite_fill(out + i * LONG_BYTES, LONG_BYTES - i, suite_seed(rank, next, i));
		MPI_Isend(out + i * LONG_BYTES, i == 1 ? 100 : LONG_BYTES - i, MPI_BYTE, next, 5,
			  comm, &requests[i]);
	}
	MPI_Mprobe(last, 5, comm, &message, &status);
	MPI_Get_count(&status, MPI_BYTE, &count);
	CHECK(count == LONG_BYTES);
	/* The second message is the next one that a receive finds. */
	MPI_Recv(in, LONG_BYTES, MPI_BYTE, last, 5, comm, &status);
	MPI_Get_count(&status, MPI_BYTE, &count);
	CHECK(count == 100 && suite_same(in, 100, suite_seed(last, rank, 1)));
	MPI_Mrecv(in, LONG_BYTES, MPI_BYTE, &message, &status);
	CHECK(suite_same(in, LONG_BYTES, suite_seed(last, rank, 0)));
	for (found = 0; !found;)
		MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, &status);
	MPI_Imrecv(in, LONG_BYTES, MPI_BYTE, &message, &receive);
	MPI_Wait(&receive, &status);
	CHECK(status.MPI_SOURCE == last && suite_same(in, LONG_BYTES - 2,
						      suite_seed(last, rank, 2)));
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	free(in);
	free(out);
}

/* A receive is cancelled or completed, never both, and a cancelled one takes no message. */
void step_cancel(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, cancelled, i, value;
	MPI_Request requests[8], send;
	int in[8] = {};
	MPI_Status status;

	for (i = 0; i < 8; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, i % 4 ? last : MPI_ANY_SOURCE, 7, comm, &requests[i]);
	/* The even ones go: the first message is for receive 1. */
	for (i = 0; i < 8; i += 2) {
		MPI_Cancel(&requests[i]);
		MPI_Wait(&requests[i], &status);
		MPI_Test_cancelled(&status, &cancelled);
		CHECK(cancelled);
	}
	MPI_Barrier(comm);
	for (i = 1; i < 8; i += 2) {
		value = rank * 100 + i;
		MPI_Isend(&value, 1, MPI_INT, next, 7, comm, &send);
		MPI_Wait(&requests[i], &status);
		MPI_Test_cancelled(&status, &cancelled);
		CHECK(!cancelled && in[i] == last * 100 + i && !in[i - 1]);
		MPI_Wait(&send, MPI_STATUS_IGNORE);
	}
	/* A message that has arrived was matched: its receive completes. */
	value = 4712;
	MPI_Irecv(&in[0], 1, MPI_INT, last, 8, comm, &requests[0]);
	MPI_Ssend(&value, 1, MPI_INT, next, 8, comm);
	MPI_Barrier(comm);
	MPI_Cancel(&requests[0]);
	MPI_Wait(&requests[0], &status);
	MPI_Test_cancelled(&status, &cancelled);
	CHECK(!cancelled && in[0] == 4712);
}

/* A receive that is too short fails, changes nothing after its buffer, and the next one works. */
void step_truncation(MPI_Comm comm, int rank, int size)
{
	static const int sent[] = { 11, 5000, LONG_BYTES };
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, kind, got;
	char *in = suite_alloc(LONG_BYTES), *out = suite_alloc(LONG_BYTES);
	MPI_Request requests[2];

	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	/* Open MPI itself writes too much if a rank truncates a message to itself over tcp. */
	for (i = 0; size > 1 && i < 6; i++) {
		memset(in, 0x33, LONG_BYTES);
		suite_fill(out, sent[i / 2], suite_seed(rank, next, i));
		/* Half of them are posted in time. */
		if (i % 2)
			MPI_Irecv(in, 10, MPI_BYTE, last, i, comm, &requests[0]);
		MPI_Barrier(comm);
		MPI_Isend(out, sent[i / 2], MPI_BYTE, next, i, comm, &requests[1]);
		if (!(i % 2))
			MPI_Irecv(in, 10, MPI_BYTE, last, i, comm, &requests[0]);
		got = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
		MPI_Error_class(got, &kind);
		CHECK(got != MPI_SUCCESS && kind == MPI_ERR_TRUNCATE);
		CHECK(in[10] == 0x33 && !memcmp(in + 10, in + 11, LONG_BYTES - 11));
		CHECK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE) == MPI_SUCCESS);
		MPI_Sendrecv(out, 10, MPI_BYTE, next, i, in, 10, MPI_BYTE, last, i, comm,
			     MPI_STATUS_IGNORE);
		CHECK(suite_same(in, 10, suite_seed(last, rank, i)));
	}
	free(in);
	free(out);
}

/* Test, Testall, Testsome, Waitsome and Request_get_status over many receives. */
void step_completion(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, done, n, done_list[40];
	MPI_Request in_requests[40], out_requests[40];
	int in[40], out[40], seen[40] = {}, left;

	for (i = 0; i < 40; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, last, i, comm, &in_requests[i]);
	MPI_Testall(40, in_requests, &done, MPI_STATUSES_IGNORE);
	CHECK(!done);
	MPI_Test(&in_requests[0], &done, MPI_STATUS_IGNORE);
	CHECK(!done);
	MPI_Barrier(comm);
	for (i = 39; i >= 0; i--) {
		out[i] = rank * 1000 + i;
		MPI_Isend(&out[i], 1, MPI_INT, next, i, comm, &out_requests[i]);
	}
	for (done = 0; !done;)
		MPI_Request_get_status(in_requests[3], &done, MPI_STATUS_IGNORE);
	CHECK(in[3] == last * 1000 + 3);
	for (left = 40; left > 0; left -= n) {
		if (left % 2)
			MPI_Testsome(40, in_requests, &n, done_list, MPI_STATUSES_IGNORE);
		else
			MPI_Waitsome(40, in_requests, &n, done_list, MPI_STATUSES_IGNORE);
		for (i = 0; i < n; i++)
			CHECK(!seen[done_list[i]]++ &&
			      in[done_list[i]] == last * 1000 + done_list[i]);
	}
	for (done = 0; !done;)
		MPI_Testall(40, out_requests, &done, MPI_STATUSES_IGNORE);
}
