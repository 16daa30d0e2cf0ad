// SPDX-License-Identifier: GPL-2.0
/* Communicators: split, made of groups, duplicated, between two groups, and grids. */
#include "steps.h"

/* Exchange a message round the ring of a communicator, and check it. */
static void ring(MPI_Comm comm, uint32_t number)
{
	char in[5000], out[5000];
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	suite_fill(out, sizeof(out), suite_seed(rank, (rank + 1) % size, number));
	MPI_Sendrecv(out, sizeof(out), MPI_BYTE, (rank + 1) % size, 1, in, sizeof(in), MPI_BYTE,
		     (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
	CHECK(suite_same(in, sizeof(in), suite_seed((rank + size - 1) % size, rank, number)));
}

/* Even and odd ranks in reverse order; a rank without a communicator. */
void step_split(MPI_Comm comm, int rank, int size)
{
	int part_rank, part_size, sum, one = 1;
	MPI_Comm part;

	MPI_Comm_split(comm, rank % 2, -rank, &part);
	MPI_Comm_rank(part, &part_rank);
	MPI_Comm_size(part, &part_size);
	CHECK(part_size == (size + 1 - rank % 2) / 2);
	CHECK(part_rank == part_size - 1 - rank / 2);
	ring(part, 1 + rank % 2);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part);
	CHECK(sum == part_size);
	MPI_Comm_free(&part);
	MPI_Comm_split(comm, rank ? 1 : MPI_UNDEFINED, 0, &part);
	CHECK((part == MPI_COMM_NULL) == !rank);
	if (part == MPI_COMM_NULL)
		return;
	ring(part, 3);
	MPI_Comm_free(&part);
}

/* A communicator of every second rank, made from a group. */
void step_groups(MPI_Comm comm, int rank, int size)
{
	int range[1][3] = { { 0, size - 1, 2 } }, place, same;
	MPI_Group all, evens, rest;
	MPI_Comm part;

	MPI_Comm_group(comm, &all);
	MPI_Group_range_incl(all, 1, range, &evens);
	MPI_Group_difference(all, evens, &rest);
	MPI_Group_rank(evens, &place);
	CHECK(place == (rank % 2 ? MPI_UNDEFINED : rank / 2));
	MPI_Comm_create(comm, rank % 2 ? rest : evens, &part);
	ring(part, 4 + rank % 2);
	MPI_Comm_compare(comm, part, &same);
	CHECK(size == 1 || same == MPI_UNEQUAL);
	MPI_Comm_free(&part);
	MPI_Group_free(&all);
	MPI_Group_free(&evens);
	MPI_Group_free(&rest);
}

/* Messages with one tag in two communicators of the same ranks do not mix. */
void step_contexts(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, in[8], out[8], i;
	MPI_Request requests[8];
	MPI_Comm twins[2];

	for (i = 0; i < 2; i++)
		MPI_Comm_dup(comm, &twins[i]);
	for (i = 0; i < 8; i++) {
		out[i] = rank * 100 + i;
		MPI_Isend(&out[i], 1, MPI_INT, next, 1, twins[i % 2], &requests[i]);
	}
	/* Receive from the second communicator first. */
	for (i = 7; i >= 0; i--)
		MPI_Recv(&in[i], 1, MPI_INT, i % 3 ? last : MPI_ANY_SOURCE, 1, twins[i % 2],
			 MPI_STATUS_IGNORE);
	/* Receives 7, 5, 3, 1 get messages 1, 3, 5, 7; receives 6, 4, 2, 0 get 0, 2, 4, 6. */
	for (i = 0; i < 8; i++)
		CHECK(in[i] == last * 100 + (i % 2 ? 8 - i : 6 - i));
	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
	for (i = 0; i < 2; i++)
		MPI_Comm_free(&twins[i]);
}

/* Two groups that send to each other, then form one. */
void step_intercommunicator(MPI_Comm comm, int rank, int size)
{
	int odd = rank % 2, place, peers, merged_size, number = rank, got, i;
	MPI_Comm part, other, merged;
	MPI_Request *requests;

	if (size < 2)
		return;
	MPI_Comm_split(comm, odd, rank, &part);
	MPI_Intercomm_create(part, 0, comm, !odd, 12, &other);
	MPI_Comm_remote_size(other, &peers);
	MPI_Comm_rank(other, &place);
	CHECK(peers == (size + odd) / 2);
	requests = suite_alloc(peers * sizeof(*requests));
	for (i = 0; i < peers; i++)
		MPI_Isend(&number, 1, MPI_INT, i, 3, other, &requests[i]);
	for (i = 0; i < peers; i++) {
		MPI_Recv(&got, 1, MPI_INT, i, 3, other, MPI_STATUS_IGNORE);
		CHECK(got == 2 * i + !odd);
	}
	MPI_Waitall(peers, requests, MPI_STATUSES_IGNORE);
	number = odd ? -1 : 4000;
	MPI_Bcast(&number, 1, MPI_INT, odd ? 0 : place ? MPI_PROC_NULL : MPI_ROOT, other);
	CHECK(number == 4000);
	MPI_Intercomm_merge(other, odd, &merged);
	MPI_Comm_size(merged, &merged_size);
	CHECK(merged_size == size);
	ring(merged, 9);
	free(requests);
	MPI_Comm_free(&merged);
	MPI_Comm_free(&other);
	MPI_Comm_free(&part);
}

/* A grid that is a ring in one dimension, and its rows. */
void step_cartesian(MPI_Comm comm, int rank, int size)
{
	int dims[2] = {}, wrap[2] = { 1, 0 }, keep[2] = { 0, 1 }, at[2], from, to, got, edge, n;
	MPI_Comm grid, row;

	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(comm, 2, dims, wrap, 0, &grid);
	MPI_Cart_coords(grid, rank, 2, at);
	MPI_Cart_shift(grid, 0, 1, &from, &to);
	MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &got, 1, MPI_INT, from, 1, grid, MPI_STATUS_IGNORE);
	CHECK(got == from && got == (at[0] + dims[0] - 1) % dims[0] * dims[1] + at[1]);
	MPI_Cart_shift(grid, 1, 1, &from, &to);
	edge = -5;
	MPI_Sendrecv(&rank, 1, MPI_INT, to, 2, &edge, 1, MPI_INT, from, 2, grid,
		     MPI_STATUS_IGNORE);
	CHECK(edge == (at[1] ? rank - 1 : -5));
	MPI_Cart_sub(grid, keep, &row);
	MPI_Comm_size(row, &n);
	CHECK(n == dims[1]);
	ring(row, 20 + at[0]);
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
}
