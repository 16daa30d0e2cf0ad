// SPDX-License-Identifier: GPL-2.0
/*
 * The transport over MPI: a module that torus-sim loads if a launcher such as mpirun has started
 * it.
 */
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "mpi.h"
#include "heartbeat.h"
#include "transport.h"

#define TURNS		500	/* number of polls before a waiting process yields its processor */
/* number of polls before the first sleep, if each process has its own processor */
#define PATIENCE	50000
#define NAP_NS		20000

/* Tags of MPI messages: data and heartbeats. */
#define MAIL	0
#define BEAT	1

/* State of the transport; @requests has at most one pending message per other process. */
struct mpi_transport {
	struct sim_transport transport;
	MPI_Request *requests;
	int nrequests;
	int *sizes;
	int *places;
	void *got;
	size_t room;
	unsigned int patience;	/* polls before the first sleep */
	struct sim_heartbeat heartbeat;
};

static struct mpi_transport *mpi_of(struct sim_transport *transport)
{
	return (struct mpi_transport *)transport;
}

static void mpi_die(const struct sim_transport *transport, const char *why)
{
	fprintf(stderr, "torus-sim: rank %u: %s\n", transport->rank, why);
	MPI_Abort(MPI_COMM_WORLD, 1);
	abort();
}

static int mpi_size(const struct sim_transport *transport, size_t bytes)
{
	if (bytes > INT_MAX)
		mpi_die(transport, "a message of 2^31 bytes is too long for MPI");
	return (int)bytes;
}

/*
 * Receive pending heartbeats of other processes, and send this process's heartbeats if due.
 * Without a time-out, do nothing.
 */
static void mpi_beat(struct sim_transport *transport)
{
	struct mpi_transport *mpi = mpi_of(transport);
	MPI_Request request;
	MPI_Status status;
	uint32_t i;
	int come;

	if (!transport->timeout_ms)
		return;
	for (;;) {
		MPI_Iprobe(MPI_ANY_SOURCE, BEAT, MPI_COMM_WORLD, &come, &status);
		if (!come)
			break;
		MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, BEAT, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		sim_heartbeat_heard(&mpi->heartbeat, transport, (uint32_t)status.MPI_SOURCE);
	}
	if (!sim_heartbeat_due(&mpi->heartbeat, transport))
		return;
	for (i = 0; i < transport->count; i++) {
		if (i == transport->rank)
			continue;
		/*
		 * an empty message is sent at once, so that a stopped receiver does not block this
		 * process
		 */
		MPI_Isend(NULL, 0, MPI_BYTE, (int)i, BEAT, MPI_COMM_WORLD, &request);
		MPI_Request_free(&request);
	}
}

/*
 * Pause between two polls; @turns counts the polls of this wait. MPI itself polls without a pause,
 * but the sending process may need this processor. So a process that waits for long first yields
 * and later sleeps. A sleep lasts longer than the simulation of most windows, so it comes last. If
 * there are more processes than processors, it comes without a yield before it.
 */
static void mpi_pause(struct mpi_transport *mpi, unsigned int *turns)
{
	static const struct timespec nap = { .tv_nsec = NAP_NS };

	if (++*turns <= TURNS)
		return;
	if (*turns <= mpi->patience) {
		sched_yield();
		return;
	}
	if (*turns == mpi->patience + 1)
		sim_heartbeat_begin(&mpi->heartbeat, &mpi->transport);
	mpi_beat(&mpi->transport);
	if (sim_heartbeat_timed_out(&mpi->heartbeat, &mpi->transport))
		MPI_Abort(MPI_COMM_WORLD, 1);
	nanosleep(&nap, NULL);
}

static void mpi_wait(struct mpi_transport *mpi, MPI_Request *requests, int n)
{
	unsigned int turns = 0;
	int done = 0;

	for (;; mpi_pause(mpi, &turns)) {
		MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
		if (done)
			return;
	}
}

static void mpi_share(struct sim_transport *transport, const void *own, void *all, size_t bytes)
{
	int size = mpi_size(transport, bytes);
	MPI_Request request;

	MPI_Iallgather(own, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD, &request);
	mpi_wait(mpi_of(transport), &request, 1);
}

static void mpi_gather(struct sim_transport *transport, const void *own, void *all,
		       const size_t *sizes)
{
	struct mpi_transport *mpi = mpi_of(transport);
	MPI_Request request;
	size_t sum = 0;
	uint32_t i;

	for (i = 0; i < transport->count; i++) {
		mpi->sizes[i] = mpi_size(transport, sizes[i]);
		mpi->places[i] = mpi_size(transport, sum);
		sum += sizes[i];
	}
	MPI_Iallgatherv(own, mpi->sizes[transport->rank], MPI_BYTE, all, mpi->sizes, mpi->places,
			MPI_BYTE, MPI_COMM_WORLD, &request);
	mpi_wait(mpi, &request, 1);
}

static void mpi_send(struct sim_transport *transport, uint32_t to, const void *data, size_t bytes)
{
	struct mpi_transport *mpi = mpi_of(transport);

	MPI_Isend(data, mpi_size(transport, bytes), MPI_BYTE, (int)to, MAIL, MPI_COMM_WORLD,
		  &mpi->requests[mpi->nrequests++]);
}

static void *mpi_receive(struct sim_transport *transport, uint32_t from, size_t *bytes)
{
	struct mpi_transport *mpi = mpi_of(transport);
	unsigned int turns = 0;
	MPI_Message message;
	MPI_Status status;
	int size, come;

	for (;; mpi_pause(mpi, &turns)) {
		MPI_Improbe((int)from, MAIL, MPI_COMM_WORLD, &come, &message, &status);
		if (come)
			break;
	}
	MPI_Get_count(&status, MPI_BYTE, &size);
	if ((size_t)size > mpi->room) {
		free(mpi->got);
		mpi->room = 2 * (size_t)size;
		mpi->got = malloc(mpi->room);
		if (!mpi->got)
			mpi_die(transport, "out of memory for a message of another rank");
	}
	MPI_Mrecv(mpi->got, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	*bytes = (size_t)size;
	return mpi->got;
}

static void mpi_sent(struct sim_transport *transport)
{
	struct mpi_transport *mpi = mpi_of(transport);

	mpi_wait(mpi, mpi->requests, mpi->nrequests);
	mpi->nrequests = 0;
}

static void mpi_free(struct mpi_transport *mpi)
{
	free(mpi->requests);
	free(mpi->sizes);
	free(mpi->places);
	free(mpi->got);
	sim_heartbeat_free(&mpi->heartbeat);
	free(mpi);
}

static void mpi_end(struct sim_transport *transport)
{
	mpi_free(mpi_of(transport));
	MPI_Finalize();
}

/* Check whether each process on this machine has its own processor. */
static bool mpi_room(void)
{
	MPI_Comm here;
	int ranks;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
	MPI_Comm_size(here, &ranks);
	MPI_Comm_free(&here);
	return ranks <= sysconf(_SC_NPROCESSORS_ONLN);
}

static struct mpi_transport *mpi_new(int rank, int count)
{
	struct mpi_transport *mpi = calloc(1, sizeof(*mpi));

	if (!mpi)
		return NULL;
	mpi->transport = (struct sim_transport){
		.rank = (uint32_t)rank, .count = (uint32_t)count, .share = mpi_share,
		.gather = mpi_gather, .send = mpi_send, .receive = mpi_receive,
		.sent = mpi_sent, .beat = mpi_beat, .end = mpi_end,
	};
	mpi->patience = mpi_room() ? PATIENCE : TURNS;
	mpi->requests = calloc((size_t)count, sizeof(*mpi->requests));
	mpi->sizes = calloc((size_t)count, sizeof(*mpi->sizes));
	mpi->places = calloc((size_t)count, sizeof(*mpi->places));
	if (sim_heartbeat_init(&mpi->heartbeat, mpi->transport.count) && mpi->requests &&
	    mpi->sizes &&
	    mpi->places)
		return mpi;
	mpi_free(mpi);
	return NULL;
}

/**
 * sim_transport_open - connect to the other processes of the launcher
 * @why: [out] error message
 * @size: bytes of @why
 *
 * Return: the transport; NULL after a failure.
 */
struct sim_transport *sim_transport_open(char *why, size_t size)
{
	struct mpi_transport *mpi;
	int given, rank, count;

	/* MPI's default error handler ends all processes */
	MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
	if (given < MPI_THREAD_FUNNELED) {
		snprintf(why, size, "this MPI does not support calls from other threads");
		return NULL;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	mpi = mpi_new(rank, count);
	if (!mpi)
		snprintf(why, size, "out of memory for %d ranks", count);
	return mpi ? &mpi->transport : NULL;
}
