// SPDX-License-Identifier: GPL-2.0
/* MPI_THREAD_MULTIPLE: several threads of each rank use MPI at once. */
#include <pthread.h>

#include "suite.h"

#define THREADS		4
#define MESSAGES	40
#define BYTES		20000

/* A thread and its communicator, in which it alone sends and receives, or which all share. */
struct thread {
	pthread_t thread;
	MPI_Comm comm;
	int number;
	int rank;
	int size;
};

/* Run one function in all threads. @own: each has a communicator of its own. */
static void run_threads(MPI_Comm comm, void *(*run)(void *arg), bool own)
{
	struct thread threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){ .comm = comm, .number = i };
		if (own)
			MPI_Comm_dup(comm, &threads[i].comm);
		MPI_Comm_rank(comm, &threads[i].rank);
		MPI_Comm_size(comm, &threads[i].size);
	}
	for (i = 0; i < THREADS; i++)
		if (!CHECK(!pthread_create(&threads[i].thread, NULL, run, &threads[i])))
			MPI_Abort(comm, 1);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i].thread, NULL);
		if (own)
			MPI_Comm_free(&threads[i].comm);
	}
}

/* Return the length of message @i of a thread. */
static int length_of(int number, int i)
{
	return i % 8 == 7 ? BYTES : (number + 1) * i * 11;
}

/* Exchange messages with both neighbours, each thread with tags of its own. */
static void *exchange(void *arg)
{
	const struct thread *t = arg;
	int next = (t->rank + 1) % t->size, last = (t->rank + t->size - 1) % t->size, i, tag;
	char *in = suite_alloc(BYTES), *out = suite_alloc(BYTES);
	MPI_Request requests[2];

	for (i = 0; i < MESSAGES; i++) {
		tag = i * THREADS + t->number;
		suite_fill(out, length_of(t->number, i), suite_seed(t->rank, next, tag));
		MPI_Irecv(in, BYTES, MPI_BYTE, last, tag, t->comm, &requests[0]);
		if (i % 3)
			MPI_Isend(out, length_of(t->number, i), MPI_BYTE, next, tag, t->comm,
				  &requests[1]);
		else
			MPI_Issend(out, length_of(t->number, i), MPI_BYTE, next, tag, t->comm,
				   &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		CHECK(suite_same(in, length_of(t->number, i), suite_seed(last, t->rank, tag)));
	}
	free(in);
	free(out);
	return NULL;
}

static void step_shared(MPI_Comm comm, int rank, int size)
{
	(void)rank;
	(void)size;
	run_threads(comm, exchange, false);
}

static void step_own(MPI_Comm comm, int rank, int size)
{
	(void)rank;
	(void)size;
	run_threads(comm, exchange, true);
}

/* Threads of rank 0 take messages of any source by matched probes; all others send. */
static void *serve(void *arg)
{
	const struct thread *t = arg;
	char *at = suite_alloc(BYTES);
	int i, count, number;
	MPI_Message message;
	MPI_Status status;

	for (i = 0; t->rank && i < MESSAGES; i++) {
		number = i * THREADS + t->number;
		suite_fill(at, length_of(1, i), suite_seed(t->rank, 0, number));
		MPI_Send(at, length_of(1, i), MPI_BYTE, 0, number, t->comm);
	}
	for (i = 0; !t->rank && i < MESSAGES * (t->size - 1); i++) {
		MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &message, &status);
		MPI_Get_count(&status, MPI_BYTE, &count);
		number = status.MPI_TAG;
		CHECK(count == length_of(1, number / THREADS));
		MPI_Mrecv(at, count, MPI_BYTE, &message, &status);
		CHECK(suite_same(at, count, suite_seed(status.MPI_SOURCE, 0, number)));
	}
	free(at);
	return NULL;
}

static void step_probes(MPI_Comm comm, int rank, int size)
{
	(void)rank;
	(void)size;
	run_threads(comm, serve, false);
}

/* Collective operations, one communicator for each thread. */
static void *collect(void *arg)
{
	const struct thread *t = arg;
	int *sum = suite_alloc(3000 * sizeof(*sum)), *own = suite_alloc(3000 * sizeof(*own)), i, k;

	for (k = 0; k < 10; k++) {
		for (i = 0; i < 3000; i++)
			own[i] = t->rank * (t->number + 1) + i + k;
		MPI_Allreduce(own, sum, 3000, MPI_INT, MPI_SUM, t->comm);
		for (i = 0; i < 3000; i++)
			CHECK(sum[i] == t->size * (t->size - 1) / 2 * (t->number + 1) +
					t->size * (i + k));
		MPI_Bcast(own, 3000, MPI_INT, k % t->size, t->comm);
		for (i = 0; i < 3000; i++)
			CHECK(own[i] == k % t->size * (t->number + 1) + i + k);
		MPI_Barrier(t->comm);
	}
	free(own);
	free(sum);
	return NULL;
}

static void step_collectives(MPI_Comm comm, int rank, int size)
{
	(void)rank;
	(void)size;
	run_threads(comm, collect, true);
}

/* One thread waits in a receive that only a later call of another thread completes. */
static void *wait_and_send(void *arg)
{
	const struct thread *t = arg;
	int token = t->number, got;

	if (t->number < THREADS - 1) {
		MPI_Recv(&got, 1, MPI_INT, t->rank, 100 + t->number, t->comm, MPI_STATUS_IGNORE);
		CHECK(got == t->number + 1);
	}
	if (t->number)
		MPI_Ssend(&token, 1, MPI_INT, t->rank, 100 + t->number - 1, t->comm);
	return NULL;
}

static void step_chain(MPI_Comm comm, int rank, int size)
{
	(void)rank;
	(void)size;
	run_threads(comm, wait_and_send, false);
}

static const struct suite_step steps[] = {
	{ "messages in one communicator", step_shared },
	{ "messages in a communicator for each thread", step_own },
	{ "matched probes of any source", step_probes },
	{ "collective operations", step_collectives },
	{ "threads that wait for each other", step_chain },
};

int main(int argc, char **argv)
{
	suite_begin(&argc, &argv, MPI_THREAD_MULTIPLE);
	suite_run(steps, SUITE_COUNT(steps));
	return suite_end();
}
