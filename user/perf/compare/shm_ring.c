// SPDX-License-Identifier: GPL-2.0
/*
 * Transport by rings in shared memory, one ring per direction. It shows the time of rings without a
 * torus, for comparison with the rings of torus contexts. Unless it polls, a waiting process sleeps
 * on its own futex, its bell.
 */
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "perf.h"
#include "shm_ring.h"
#include "poll_wait.h"

#define RING_BYTES	(64u << 10)

/**
 * struct ring - bytes from one rank to another
 * @head: number of bytes that were read; the receiver updates this number
 * @tail: number of bytes that were written; the sender updates this number
 * @data: bytes in the ring
 */
struct ring {
	_Alignas(64) uint32_t head;
	_Alignas(64) uint32_t tail;
	_Alignas(64) unsigned char data[RING_BYTES];
};

/**
 * struct bell - futex of a rank
 * @rung: number of wake-ups
 * @asleep: the rank sleeps, or is about to sleep
 */
struct bell {
	_Alignas(64) uint32_t rung;
	uint32_t asleep;
};

static struct ring *rings[RANKS_MAX][RANKS_MAX];	/* rings, by sender and by receiver */
static struct bell *bells;

static void *share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int shm_ring_make(unsigned int transport, unsigned int a, unsigned int b)
{
	(void)transport;
	if (!bells)
		bells = share(RANKS_MAX * sizeof(*bells));
	rings[a][b] = share(sizeof(struct ring));
	rings[b][a] = share(sizeof(struct ring));
	return bells && rings[a][b] && rings[b][a] ? 0 : -ENOMEM;
}

/*
 * Wake a rank that may wait for a change of an index. Call this function after storing the index.
 */
static void bell_ring(unsigned int rank)
{
	struct bell *bell = &bells[rank];

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&bell->asleep, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&bell->asleep, 0, __ATOMIC_RELAXED);
	__atomic_fetch_add(&bell->rung, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &bell->rung, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static uint32_t room(const struct ring *ring)
{
	uint32_t used = ring->tail - __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);

	return RING_BYTES - used;
}

static uint32_t held(const struct ring *ring)
{
	return __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) - ring->head;
}

/*
 * Check whether a wait is over. @to: the wait is for free space in the ring to this rank. If @to is
 * ANYBODY, the wait is for bytes from one of the ranks @from. @who: [out] the rank from which there
 * are bytes.
 */
static bool ready(const struct perf_rank *rank, unsigned int to, __u64 from, unsigned int *who)
{
	unsigned int i;

	if (to != ANYBODY)
		return room(rings[rank->number][to]);
	for (i = 0; i < rank->call->ranks; i++) {
		if (from >> i & 1 && held(rings[i][rank->number])) {
			*who = i;
			return true;
		}
	}
	return false;
}

static void shm_ring_wait(struct perf_rank *rank, unsigned int to, __u64 from, unsigned int *who)
{
	struct bell *bell = &bells[rank->number];
	uint32_t rung;

	while (!ready(rank, to, from, who)) {
		if (rank->way.poll) {
			poll_wait_more(rank);
			continue;
		}
		rung = __atomic_load_n(&bell->rung, __ATOMIC_ACQUIRE);
		__atomic_store_n(&bell->asleep, 1, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (!ready(rank, to, from, who))
			syscall(SYS_futex, &bell->rung, FUTEX_WAIT, rung, NULL, NULL, 0);
		__atomic_store_n(&bell->asleep, 0, __ATOMIC_RELAXED);
	}
	poll_wait_begin(rank);
}

/*
 * Return the number of bytes to copy at once: at most @wanted of the @n bytes, and not beyond the
 * end of the ring.
 */
static uint32_t stretch(uint32_t n, uint32_t at, size_t wanted)
{
	if (n > wanted)
		n = wanted;
	return n > RING_BYTES - at ? RING_BYTES - at : n;
}

int shm_ring_send(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	struct ring *ring = rings[rank->number][to];
	size_t done = 0;
	uint32_t n, at;

	while (done < bytes) {
		shm_ring_wait(rank, to, 0, NULL);
		at = ring->tail % RING_BYTES;
		n = stretch(room(ring), at, bytes - done);
		memcpy(ring->data + at, rank->buffer + done, n);
		__atomic_store_n(&ring->tail, ring->tail + n, __ATOMIC_RELEASE);
		bell_ring(to);
		done += n;
	}
	return 0;
}

int shm_ring_receive(struct perf_rank *rank, unsigned int *from, size_t bytes)
{
	__u64 open = *from == ANYBODY ? rank->open : 1ull << *from;
	struct ring *ring;
	size_t done = 0;
	uint32_t n, at;

	while (done < bytes) {
		shm_ring_wait(rank, ANYBODY, open, from);
		open = 1ull << *from;
		ring = rings[*from][rank->number];
		at = ring->head % RING_BYTES;
		n = stretch(held(ring), at, bytes - done);
		memcpy(rank->buffer + done, ring->data + at, n);
		__atomic_store_n(&ring->head, ring->head + n, __ATOMIC_RELEASE);
		bell_ring(*from);
		done += n;
	}
	return 0;
}
