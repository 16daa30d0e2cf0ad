// SPDX-License-Identifier: GPL-2.0
/*
 * One-sided operations of MPI, with every kind of synchronization. On a torus they need Open MPI's
 * component osc pt2pt, which makes messages of them.
 */
#include "suite.h"

#define BYTES	50000
#define WORDS	3000

/* Create a window of @bytes bytes of each rank, filled with @fill. */
static MPI_Win window(MPI_Comm comm, size_t bytes, int fill, void *at)
{
	MPI_Win win;

	MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, at, &win);
	memset(*(void **)at, fill, bytes);
	MPI_Barrier(comm);
	return win;
}

/* Put and get a long message, and one of odd length to an odd place, between fences. */
static void step_fence(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size;
	char *out = suite_alloc(BYTES), *in = suite_alloc(BYTES), *at;
	MPI_Win win = window(comm, BYTES + 100, 0x44, &at);

	suite_fill(out, BYTES, suite_seed(rank, next, 1));
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(out, BYTES - 1, MPI_BYTE, next, 33, BYTES - 1, MPI_BYTE, win);
	MPI_Win_fence(0, win);
	CHECK(suite_same(at + 33, BYTES - 1, suite_seed(last, rank, 1)));
	CHECK(at[32] == 0x44 && at[BYTES + 32] == 0x44);
	MPI_Get(in, BYTES - 1, MPI_BYTE, next, 33, BYTES - 1, MPI_BYTE, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	CHECK(suite_same(in, BYTES - 1, suite_seed(rank, next, 1)));
	MPI_Win_free(&win);
	free(out);
	free(in);
}

/* Each rank puts one word into a window of every rank, at the word of its own. */
static void step_all_targets(MPI_Comm comm, int rank, int size)
{
	int *at, *out = suite_alloc(size * sizeof(*out)), peer;
	MPI_Win win = window(comm, size * sizeof(*at), 0, &at);

	MPI_Win_fence(0, win);
	for (peer = 0; peer < size; peer++) {
		out[peer] = rank * 1000 + peer;
		MPI_Put(&out[peer], 1, MPI_INT, peer, rank * sizeof(*at), 1, MPI_INT, win);
	}
	MPI_Win_fence(0, win);
	for (peer = 0; peer < size; peer++)
		CHECK(at[peer] == peer * 1000 + rank);
	MPI_Win_free(&win);
	free(out);
}

/* Accumulate sums from all ranks. Of two replacements by one rank, the second one stays. */
static void step_accumulate(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i, peer;
	int *at, *out = suite_alloc(WORDS * sizeof(*out));
	int *later = suite_alloc(WORDS * sizeof(*later));
	MPI_Win win = window(comm, 2 * WORDS * sizeof(*at), 0, &at);

	for (i = 0; i < WORDS; i++) {
		out[i] = rank + i * 5;
		later[i] = rank - i * 7;
	}
	MPI_Win_fence(0, win);
	for (peer = 0; peer < size; peer++)
		MPI_Accumulate(out, WORDS, MPI_INT, peer, 0, WORDS, MPI_INT, MPI_SUM, win);
	MPI_Accumulate(out, WORDS, MPI_INT, next, WORDS * sizeof(*at), WORDS, MPI_INT, MPI_REPLACE,
		       win);
	MPI_Accumulate(later, WORDS, MPI_INT, next, WORDS * sizeof(*at), WORDS, MPI_INT,
		       MPI_REPLACE, win);
	MPI_Win_fence(0, win);
	for (i = 0; i < WORDS; i++) {
		CHECK(at[i] == size * (size - 1) / 2 + size * i * 5);
		CHECK(at[WORDS + i] == last - i * 7);
	}
	MPI_Win_free(&win);
	free(out);
	free(later);
}

/* Post, start, complete and wait: each rank accesses only its neighbour. */
static void step_active_target(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i;
	char *out = suite_alloc(BYTES), *at;
	MPI_Win win = window(comm, BYTES, 0, &at);
	MPI_Group all, from, to;

	MPI_Comm_group(comm, &all);
	MPI_Group_incl(all, 1, &last, &from);
	MPI_Group_incl(all, 1, &next, &to);
	for (i = 0; i < 3; i++) {
		suite_fill(out, BYTES, suite_seed(rank, next, i));
		MPI_Win_post(from, 0, win);
		MPI_Win_start(to, 0, win);
		MPI_Put(out, BYTES, MPI_BYTE, next, 0, BYTES, MPI_BYTE, win);
		MPI_Win_complete(win);
		MPI_Win_wait(win);
		CHECK(suite_same(at, BYTES, suite_seed(last, rank, i)));
	}
	MPI_Group_free(&all);
	MPI_Group_free(&from);
	MPI_Group_free(&to);
	MPI_Win_free(&win);
	free(out);
}

/* Locks: exclusive ones serialize read, add and write of a counter; shared ones do not. */
static void step_locks(MPI_Comm comm, int rank, int size)
{
	int *at, value, i, *all = suite_alloc(size * sizeof(*all));
	MPI_Win win = window(comm, (size + 1) * sizeof(*at), 0, &at);

	for (i = 0; i < 10; i++) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
		MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		value += rank + 1;
		MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_unlock(0, win);
	}
	MPI_Win_lock_all(0, win);
	for (i = 0; i < size; i++)
		MPI_Put(&rank, 1, MPI_INT, i, (rank + 1) * sizeof(*at), 1, MPI_INT, win);
	MPI_Win_flush_all(win);
	MPI_Win_unlock_all(win);
	MPI_Barrier(comm);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
	MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
	MPI_Get(all, size, MPI_INT, 0, sizeof(*at), size, MPI_INT, win);
	MPI_Win_unlock(0, win);
	CHECK(value == 10 * size * (size + 1) / 2);
	for (i = 0; i < size; i++)
		CHECK(all[i] == i);
	MPI_Win_free(&win);
	free(all);
}

/* Fetch and add, compare and swap, and get with accumulate. */
static void step_atomics(MPI_Comm comm, int rank, int size)
{
	int one = 1, before, sum = 0, total, i, expect, own = rank + 1, *at, *old, *out;
	MPI_Win win = window(comm, (WORDS + 2) * sizeof(*at), 0, &at);

	old = suite_alloc(WORDS * sizeof(*old));
	out = suite_alloc(WORDS * sizeof(*out));
	MPI_Win_lock_all(0, win);
	for (i = 0; i < 20; i++) {
		MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win);
		MPI_Win_flush(0, win);
		sum += before;
	}
	/* The values before the sums are 0 to 20 * size - 1, each once. */
	MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, comm);
	CHECK(total == 20 * size * (20 * size - 1) / 2);
	expect = 0;
	MPI_Compare_and_swap(&own, &expect, &before, MPI_INT, 0, sizeof(*at), win);
	MPI_Win_flush(0, win);
	sum = !before;
	MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, comm);
	CHECK(total == 1);
	memset(old, 0xff, WORDS * sizeof(*old));
	for (i = 0; i < WORDS; i++)
		out[i] = i;
	MPI_Get_accumulate(out, WORDS, MPI_INT, old, WORDS, MPI_INT, (rank + 1) % size,
			   2 * sizeof(*at), WORDS, MPI_INT, MPI_SUM, win);
	MPI_Win_unlock_all(win);
	for (i = 0; i < WORDS; i++)
		CHECK(!old[i]);
	MPI_Barrier(comm);
	MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
	for (i = 0; i < WORDS; i++)
		CHECK(at[2 + i] == i);
	MPI_Win_unlock(rank, win);
	MPI_Win_free(&win);
	free(old);
	free(out);
}

/* A window over memory of the program, with a derived type at the target. */
static void step_types(MPI_Comm comm, int rank, int size)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size, i;
	int *at = suite_alloc(2 * WORDS * sizeof(*at)), *out = suite_alloc(WORDS * sizeof(*out));
	MPI_Datatype every_second;
	MPI_Win win;

	memset(at, 0xff, 2 * WORDS * sizeof(*at));
	for (i = 0; i < WORDS; i++)
		out[i] = rank * 10000 + i;
	MPI_Type_vector(WORDS, 1, 2, MPI_INT, &every_second);
	MPI_Type_commit(&every_second);
	MPI_Win_create(at, 2 * WORDS * sizeof(*at), sizeof(*at), MPI_INFO_NULL, comm, &win);
	MPI_Win_fence(0, win);
	MPI_Put(out, WORDS, MPI_INT, next, 0, 1, every_second, win);
	MPI_Win_fence(0, win);
	for (i = 0; i < WORDS; i++)
		CHECK(at[2 * i] == last * 10000 + i && at[2 * i + 1] == -1);
	MPI_Win_free(&win);
	MPI_Type_free(&every_second);
	free(at);
	free(out);
}

static const struct suite_step steps[] = {
	{ "put and get between fences", step_fence },
	{ "puts to all ranks", step_all_targets },
	{ "accumulate", step_accumulate },
	{ "post, start, complete, wait", step_active_target },
	{ "exclusive and shared locks", step_locks },
	{ "atomic operations", step_atomics },
	{ "derived types", step_types },
};

int main(int argc, char **argv)
{
	suite_begin(&argc, &argv, MPI_THREAD_SINGLE);
	suite_run(steps, SUITE_COUNT(steps));
	return suite_end();
}
