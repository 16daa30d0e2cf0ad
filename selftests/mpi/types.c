// SPDX-License-Identifier: GPL-2.0
/* Derived types: bytes between their elements are neither sent nor written. */
#include "steps.h"

#define ROWS	60
#define COLUMNS	50

/* Fill an array of int with numbers that name their sender and their place. */
static void number(int *at, int count, int rank)
{
	int i;

	for (i = 0; i < count; i++)
		at[i] = rank * 1000000 + i;
}

/* Columns of a matrix are sent as vectors and received as a row, and the other way round. */
void step_vector(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, column;
	static int matrix[ROWS * COLUMNS], got[ROWS * COLUMNS];
	MPI_Datatype type;
	MPI_Status status;
	int row[ROWS], count;

	MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &type);
	MPI_Type_commit(&type);
	number(matrix, ROWS * COLUMNS, rank);
	for (column = 0; column < COLUMNS; column += 7) {
		MPI_Sendrecv(matrix + column, 1, type, next, column, row, ROWS, MPI_INT, last,
			     column, comm, &status);
		for (i = 0; i < ROWS; i++)
			CHECK(row[i] == last * 1000000 + i * COLUMNS + column);
		memset(got, 0xff, sizeof(got));
		MPI_Sendrecv(row, ROWS, MPI_INT, last, 100 + column, got + column, 1, type, next,
			     100 + column, comm, &status);
		MPI_Get_count(&status, type, &count);
		CHECK(count == 1);
		for (i = 0; i < ROWS * COLUMNS; i++)
			CHECK(got[i] == (i % COLUMNS == column ? matrix[i] : -1));
	}
	MPI_Type_free(&type);
}

struct mixed {
	char letter;
	double real;
	short pair[2];
	char tail[3];
};

/* Arrays of a struct with gaps. */
void step_struct(MPI_Comm comm, int rank, int size)
{
	const int lengths[] = { 1, 1, 2, 3 };
	const MPI_Aint at[] = {
		offsetof(struct mixed, letter), offsetof(struct mixed, real),
		offsetof(struct mixed, pair), offsetof(struct mixed, tail),
	};
	const MPI_Datatype types[] = { MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_CHAR };
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, count;
	struct mixed out[2000], in[2000];
	MPI_Datatype packed, type;
	MPI_Status status;

	MPI_Type_create_struct(4, lengths, at, types, &packed);
	MPI_Type_create_resized(packed, 0, sizeof(struct mixed), &type);
	MPI_Type_commit(&type);
	memset(in, 0x11, sizeof(in));
	memset(out, 0x22, sizeof(out));
	for (i = 0; i < 2000; i++) {
		out[i].letter = (char)(rank + i);
		out[i].real = rank + i / 8.0;
		out[i].pair[0] = (short)(i - rank);
		out[i].pair[1] = (short)(i * 3);
		memcpy(out[i].tail, "end", 3);
	}
	MPI_Sendrecv(out, 1500, type, next, 1, in, 2000, type, last, 1, comm, &status);
	MPI_Get_count(&status, type, &count);
	CHECK(count == 1500);
	MPI_Get_elements(&status, type, &count);
	CHECK(count == 1500 * 7);
	for (i = 0; i < 1500; i++) {
		CHECK(in[i].letter == (char)(last + i) && in[i].real == last + i / 8.0);
		CHECK(in[i].pair[0] == (short)(i - last) && in[i].pair[1] == (short)(i * 3));
		CHECK(!memcmp(in[i].tail, "end", 3));
		CHECK(((char *)&in[i])[1] == 0x11);
	}
	for (i = 1500; i < 2000; i++)
		CHECK(in[i].letter == 0x11);
	MPI_Type_free(&packed);
	MPI_Type_free(&type);
}

/* A box of a three-dimensional array. */
void step_subarray(MPI_Comm comm, int rank, int size)
{
	const int whole[] = { 8, 20, 24 }, part[] = { 3, 11, 13 }, from[] = { 2, 4, 6 };
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, x, y, z;
	static int out[8 * 20 * 24], in[8 * 20 * 24];
	MPI_Datatype type;
	bool inside;

	MPI_Type_create_subarray(3, whole, part, from, MPI_ORDER_C, MPI_INT, &type);
	MPI_Type_commit(&type);
	number(out, 8 * 20 * 24, rank);
	memset(in, 0xff, sizeof(in));
	MPI_Sendrecv(out, 1, type, next, 2, in, 1, type, last, 2, comm, MPI_STATUS_IGNORE);
	for (i = 0; i < 8 * 20 * 24; i++) {
		x = i / (20 * 24) - from[0];
		y = i / 24 % 20 - from[1];
		z = i % 24 - from[2];
		inside = x >= 0 && x < part[0] && y >= 0 && y < part[1] && z >= 0 && z < part[2];
		CHECK(in[i] == (inside ? last * 1000000 + i : -1));
	}
	MPI_Type_free(&type);
}

/* Blocks of unequal lengths, in an order that is not that of their addresses. */
void step_indexed(MPI_Comm comm, int rank, int size)
{
	const int lengths[] = { 3, 0, 700, 1, 4500 }, at[] = { 6000, 0, 10, 2, 1000 };
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, block, k = 0;
	static int out[6100], in[6100], flat[5204];
	MPI_Datatype type;

	MPI_Type_indexed(5, lengths, at, MPI_INT, &type);
	MPI_Type_commit(&type);
	number(out, 6100, rank);
	MPI_Sendrecv(out, 1, type, next, 3, flat, 5204, MPI_INT, last, 3, comm, MPI_STATUS_IGNORE);
	for (block = 0; block < 5; block++)
		for (i = 0; i < lengths[block]; i++, k++)
			CHECK(flat[k] == last * 1000000 + at[block] + i);
	memset(in, 0xff, sizeof(in));
	MPI_Sendrecv(flat, 5204, MPI_INT, last, 4, in, 1, type, next, 4, comm, MPI_STATUS_IGNORE);
	for (block = 0; block < 5; block++)
		for (i = 0; i < lengths[block]; i++)
			CHECK(in[at[block] + i] == rank * 1000000 + at[block] + i);
	CHECK(in[0] == -1 && in[3] == -1 && in[710] == -1 && in[5500] == -1 && in[6003] == -1);
	MPI_Type_free(&type);
}

/* Packed messages of several types. */
void step_pack(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, at = 0, number_in, bytes;
	char out[4096], in[4096], text[3000], got[3000];
	double real = rank / 4.0, real_in;
	MPI_Status status;

	suite_fill(text, sizeof(text), suite_seed(rank, next, 5));
	MPI_Pack(&rank, 1, MPI_INT, out, sizeof(out), &at, comm);
	MPI_Pack(text, sizeof(text), MPI_CHAR, out, sizeof(out), &at, comm);
	MPI_Pack(&real, 1, MPI_DOUBLE, out, sizeof(out), &at, comm);
	MPI_Sendrecv(out, at, MPI_PACKED, next, 5, in, sizeof(in), MPI_PACKED, last, 5, comm,
		     &status);
	MPI_Get_count(&status, MPI_PACKED, &bytes);
	CHECK(bytes == at);
	at = 0;
	MPI_Unpack(in, bytes, &at, &number_in, 1, MPI_INT, comm);
	MPI_Unpack(in, bytes, &at, got, sizeof(got), MPI_CHAR, comm);
	MPI_Unpack(in, bytes, &at, &real_in, 1, MPI_DOUBLE, comm);
	CHECK(number_in == last && real_in == last / 4.0);
	CHECK(suite_same(got, sizeof(got), suite_seed(last, rank, 5)));
}
