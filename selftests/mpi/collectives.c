// SPDX-License-Identifier: GPL-2.0
/* Collective operations, with short and long messages and every root. */
#include "steps.h"

static const int lengths[] = { 0, 1, 5, 1000, 9000 };

#define LENGTH_MAX	9000
#define LENGTHS		((int)SUITE_COUNT(lengths))

/* Return the value of element @i at rank @rank. */
static int value_of(int rank, int i)
{
	return rank * 7919 + i * 31 + (rank ^ i);
}

static int *values(int rank, int count)
{
	int *at = suite_alloc(count * sizeof(*at)), i;

	for (i = 0; i < count; i++)
		at[i] = value_of(rank, i);
	return at;
}

static bool values_are(const int *at, int rank, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (at[i] != value_of(rank, i))
			return false;
	return true;
}

static int sum_of(int size, int i)
{
	int sum = 0, rank;

	for (rank = 0; rank < size; rank++)
		sum += value_of(rank, i);
	return sum;
}

static int maximum_of(int size, int i)
{
	int maximum = value_of(0, i), rank;

	for (rank = 1; rank < size; rank++)
		if (value_of(rank, i) > maximum)
			maximum = value_of(rank, i);
	return maximum;
}

/* Broadcasts of every root; barriers between them. */
void step_broadcast(MPI_Comm comm, int rank, int size)
{
	int *at = suite_alloc(LENGTH_MAX * sizeof(*at)), *own = values(rank, LENGTH_MAX), root, i;

	for (i = 0; i < LENGTHS; i++)
		for (root = 0; root < size; root++) {
			memcpy(at, own, LENGTH_MAX * sizeof(*at));
			MPI_Bcast(at, lengths[i], MPI_INT, root, comm);
			CHECK(values_are(at, root, lengths[i]));
			CHECK(values_are(own, rank, LENGTH_MAX));
			MPI_Barrier(comm);
		}
	free(own);
	free(at);
}

/* An operation that is associative, but not commutative. */
static void first_of_pair(void *in, void *inout, int *count, MPI_Datatype *type)
{
	const int *a = in;
	int *b = inout, i;

	(void)type;
	/* Keep the first element of the left operand and the second one of the right operand. */
	for (i = 0; i < *count; i++)
		b[2 * i] = a[2 * i];
}

/* Reductions of sums, also in place, and of an operation that is not commutative. */
void step_reductions(MPI_Comm comm, int rank, int size)
{
	int *own = values(rank, LENGTH_MAX), *at = suite_alloc(LENGTH_MAX * sizeof(*at)), i, k;
	struct { double value; int rank; } best = { -(rank * 3 % 7), rank }, found;
	int pair[2] = { rank, rank }, ends[2], root = size / 2;
	MPI_Datatype pairs;
	MPI_Op op;

	for (i = 0; i < LENGTHS; i++) {
		MPI_Allreduce(own, at, lengths[i], MPI_INT, MPI_SUM, comm);
		for (k = 0; k < lengths[i]; k++)
			CHECK(at[k] == sum_of(size, k));
		memcpy(at, own, LENGTH_MAX * sizeof(*at));
		MPI_Reduce(rank == root ? MPI_IN_PLACE : at, at, lengths[i], MPI_INT, MPI_SUM,
			   root, comm);
		for (k = 0; rank == root && k < lengths[i]; k++)
			CHECK(at[k] == sum_of(size, k));
		memcpy(at, own, LENGTH_MAX * sizeof(*at));
		MPI_Allreduce(MPI_IN_PLACE, at, lengths[i], MPI_INT, MPI_MAX, comm);
		for (k = 0; k < lengths[i]; k++)
			CHECK(at[k] == maximum_of(size, k));
	}
	MPI_Allreduce(&best, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
	CHECK(found.value == 0 && found.rank == 0);
	MPI_Type_contiguous(2, MPI_INT, &pairs);
	MPI_Type_commit(&pairs);
	MPI_Op_create(first_of_pair, 0, &op);
	MPI_Allreduce(pair, ends, 1, pairs, op, comm);
	CHECK(ends[0] == 0 && ends[1] == size - 1);
	MPI_Op_free(&op);
	MPI_Type_free(&pairs);
	free(own);
	free(at);
}

/* Prefix sums, and reductions of which each rank gets a part. */
void step_scans(MPI_Comm comm, int rank, int size)
{
	int *own = values(rank, 900 * size), *at = suite_alloc(900 * size * sizeof(*at));
	int *counts = suite_alloc(size * sizeof(*counts)), i, first = 0;

	MPI_Scan(own, at, 900, MPI_INT, MPI_SUM, comm);
	for (i = 0; i < 900; i++)
		CHECK(at[i] == sum_of(rank + 1, i));
	MPI_Exscan(own, at, 900, MPI_INT, MPI_SUM, comm);
	for (i = 0; rank && i < 900; i++)
		CHECK(at[i] == sum_of(rank, i));
	MPI_Reduce_scatter_block(own, at, 900, MPI_INT, MPI_SUM, comm);
	for (i = 0; i < 900; i++)
		CHECK(at[i] == sum_of(size, rank * 900 + i));
	for (i = 0; i < size; i++) {
		counts[i] = (i + 1) % 5 * 60;
		first += i < rank ? counts[i] : 0;
	}
	MPI_Reduce_scatter(own, at, counts, MPI_INT, MPI_SUM, comm);
	for (i = 0; i < counts[rank]; i++)
		CHECK(at[i] == sum_of(size, first + i));
	free(counts);
	free(own);
	free(at);
}

/* Gather, scatter and allgather of equal blocks. */
void step_gather_scatter(MPI_Comm comm, int rank, int size)
{
	int *own = values(rank, LENGTH_MAX), *all, *at, i, peer, root = size - 1, n;

	all = suite_alloc((size_t)size * LENGTH_MAX * sizeof(*all));
	at = suite_alloc(LENGTH_MAX * sizeof(*at));
	for (i = 0; i < LENGTHS; i++) {
		n = lengths[i];
		memset(all, 0xff, (size_t)size * n * sizeof(*all));
		MPI_Gather(own, n, MPI_INT, all, n, MPI_INT, root, comm);
		for (peer = 0; rank == root && peer < size; peer++)
			CHECK(values_are(all + (size_t)peer * n, peer, n));
		MPI_Scatter(all, n, MPI_INT, at, n, MPI_INT, root, comm);
		CHECK(values_are(at, rank, n));
		memset(all, 0xff, (size_t)size * n * sizeof(*all));
		MPI_Allgather(own, n, MPI_INT, all, n, MPI_INT, comm);
		for (peer = 0; peer < size; peer++)
			CHECK(values_are(all + (size_t)peer * n, peer, n));
	}
	free(own);
	free(all);
	free(at);
}

/* The same with a block of its own length for each rank, and gaps between the blocks. */
void step_unequal_blocks(MPI_Comm comm, int rank, int size)
{
	int *own = values(rank, 3000), *all, *counts, *from, peer, at = 0, mine;

	counts = suite_alloc(size * sizeof(*counts));
	from = suite_alloc(size * sizeof(*from));
	for (peer = 0; peer < size; peer++) {
		counts[peer] = peer * 977 % 3000;
		from[peer] = at + 3;
		at += counts[peer] + 3;
	}
	mine = counts[rank];
	all = suite_alloc((at + 3) * sizeof(*all));
	memset(all, 0xff, (at + 3) * sizeof(*all));
	MPI_Gatherv(own, mine, MPI_INT, all, counts, from, MPI_INT, 0, comm);
	for (peer = 0; !rank && peer < size; peer++)
		CHECK(values_are(all + from[peer], peer, counts[peer]) &&
		      all[from[peer] - 1] == -1);
	memset(own, 0, 3000 * sizeof(*own));
	MPI_Scatterv(all, counts, from, MPI_INT, own, mine, MPI_INT, 0, comm);
	CHECK(values_are(own, rank, mine));
	memset(all, 0xff, (at + 3) * sizeof(*all));
	MPI_Allgatherv(own, mine, MPI_INT, all, counts, from, MPI_INT, comm);
	for (peer = 0; peer < size; peer++)
		CHECK(values_are(all + from[peer], peer, counts[peer]) &&
		      all[from[peer] - 1] == -1);
	free(own);
	free(all);
	free(counts);
	free(from);
}

/* Every rank sends a block to every rank: of one length, then of many. */
void step_alltoall(MPI_Comm comm, int rank, int size)
{
	static const int blocks[] = { 1, 100, 5000 };
	char *in = suite_alloc(size * 20000ul), *out = suite_alloc(size * 20000ul);
	int *counts = suite_alloc(4 * size * sizeof(*counts)), peer, i, n;

	for (i = 0; i < (int)SUITE_COUNT(blocks); i++) {
		n = blocks[i];
		for (peer = 0; peer < size; peer++)
			suite_fill(out + peer * n, n, suite_seed(rank, peer, i));
		MPI_Alltoall(out, n, MPI_BYTE, in, n, MPI_BYTE, comm);
		for (peer = 0; peer < size; peer++)
			CHECK(suite_same(in + peer * n, n, suite_seed(peer, rank, i)));
	}
	for (peer = 0; peer < size; peer++) {
		counts[peer] = (rank + 2 * peer) * 501 % 19000;
		counts[size + peer] = peer * 20000;
		counts[2 * size + peer] = (peer + 2 * rank) * 501 % 19000;
		counts[3 * size + peer] = peer * 20000;
		suite_fill(out + peer * 20000, counts[peer], suite_seed(rank, peer, 8));
	}
	MPI_Alltoallv(out, counts, counts + size, MPI_BYTE, in, counts + 2 * size,
		      counts + 3 * size, MPI_BYTE, comm);
	for (peer = 0; peer < size; peer++)
		CHECK(suite_same(in + peer * 20000, counts[2 * size + peer],
				 suite_seed(peer, rank, 8)));
	free(counts);
	free(in);
	free(out);
}

/* Several collective operations in progress at once, with other messages between them. */
void step_nonblocking(MPI_Comm comm, int rank, int size)
{
	int *own = values(rank, 4000), *sum = suite_alloc(4000 * sizeof(*sum));
	int *cast = values(rank, 4000), *all = suite_alloc((size_t)size * 4000 * sizeof(*all));
	int next = (rank + 1) % size, last = (rank + size - 1) % size, token = rank, got, i;
	MPI_Request requests[4];

	MPI_Iallreduce(own, sum, 4000, MPI_INT, MPI_SUM, comm, &requests[0]);
	MPI_Ibcast(cast, 4000, MPI_INT, size - 1, comm, &requests[1]);
	MPI_Iallgather(own, 4000, MPI_INT, all, 4000, MPI_INT, comm, &requests[2]);
	MPI_Ibarrier(comm, &requests[3]);
	MPI_Sendrecv(&token, 1, MPI_INT, next, 1, &got, 1, MPI_INT, last, 1, comm,
		     MPI_STATUS_IGNORE);
	CHECK(got == last);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	for (i = 0; i < 4000; i++)
		CHECK(sum[i] == sum_of(size, i));
	CHECK(values_are(cast, size - 1, 4000));
	for (i = 0; i < size; i++)
		CHECK(values_are(all + (size_t)i * 4000, i, 4000));
	free(own);
	free(sum);
	free(cast);
	free(all);
}
