// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that misuse their own resources. Several threads write random values over indices,
 * headers and FIFOs while the kernel reads them, ring doorbells, poll, map, unmap, attach, detach,
 * and make random calls. Meanwhile a pair of processes in the same fabric exchanges packets, none
 * of which may be damaged or lost. The kernel must log nothing.
 *
 * message.c runs the message layer next to such a program.
 */
#include "device.h"
#include <pthread.h>
#include <signal.h>
#include "../user/lib/context/context.h"
#include "random.h"
#include "kselftest_harness.h"

#define FABRIC		"scribbletest"
#define SCRIBBLE_S	5
#define MARK		0x70616972u	/* marks the pair's packets */

static const __u32 shape[3] = { 2, 2, 2 };
/* The pair runs at nodes 0 and 1, next to the scribblers at 2 and 3. */
static const __u32 at[2][3] = { { 0, 0, 0 }, { 1, 0, 0 } };

struct corrupt_shared {
	int over;
	int attached;
	int pair;
	__u32 right[2];
	__u32 strange[2];
};

FIXTURE(scribble)
{
	struct corrupt_shared *shared;
};

FIXTURE_SETUP(scribble)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, "rx_stall", 100000));
}

FIXTURE_TEARDOWN(scribble)
{
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* ---------------------------------------------------------------- the pair */

static void pair_make(unsigned char *packet, __u32 rank, __u32 number)
{
	__u32 words[62], i;

	words[0] = MARK;
	words[1] = rank;
	words[2] = number;
	for (i = 3; i < 62; i++)
		words[i] = (__u32)mix((__u64)rank << 32 | number << 6 | i);
	packet_make(packet, 256, at[1 - rank], TORUS_ROUTE_ORDERED, 0);
	memcpy(packet + 8, words, sizeof(words));
}

/*
 * Check a received packet. Return: 1 for packet @number of the pair; 0 for a packet of others; -1
 * if it is damaged, lost or repeated.
 */
static int pair_check(const unsigned char *packet, int bytes, __u32 rank, __u32 number)
{
	unsigned char right[256];

	pair_make(right, 1 - rank, number);
	if (bytes != 256 || memcmp(packet + 8, right + 8, 8))
		return 0;
	return memcmp(packet + 8, right + 8, 248) ? -1 : 1;
}

/* Exchange numbered packets with the other rank, one at a time, until the test is over. */
static void pair(struct corrupt_shared *shared, __u32 rank)
{
	unsigned char out[256], in[256];
	struct torus_context *context;
	__u32 number;
	int ret;

	if (torus_context_attach(&context, FABRIC, rank, NULL))
		_exit(1);
	__atomic_add_fetch(&shared->attached, 1, __ATOMIC_RELEASE);
	/* Packets to a node without an attached program are dropped. */
	__atomic_add_fetch(&shared->pair, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&shared->pair, __ATOMIC_ACQUIRE) < 2)
		usleep(1000);
	for (number = 0; !__atomic_load_n(&shared->over, __ATOMIC_RELAXED); number++) {
		pair_make(out, rank, number);
		if (torus_inject_packet(context, 0, out, sizeof(out), WAIT_MS))
			_exit(2);
		for (ret = 0; !ret;) {
			ret = torus_receive_packet(context, TORUS_FIFO_ANY, in, sizeof(in), 100);
			if (ret == -ETIMEDOUT || ret == -EAGAIN) {
				ret = __atomic_load_n(&shared->over, __ATOMIC_RELAXED) ? 2 : 0;
				continue;
			}
			if (ret < 0)
				_exit(3);
			ret = pair_check(in, ret, rank, number);
			shared->strange[rank] += !ret;
		}
		if (ret < 0)
			_exit(4);
		shared->right[rank] += ret == 1;
	}
	_exit(0);
}

/* ----------------------------------------------------------- the scribblers */

struct scribbler {
	struct torus_context *context;
	__u64 random;
};

static __u64 draw(struct scribbler *s)
{
	return s->random = mix(s->random);
}

static void scribble_headers(struct scribbler *s, struct torus_inject_fifo *ring)
{
	const __u32 chunk_bytes = s->context->info.chunk_bytes;
	struct torus_bgl_header header;
	__u32 i;

	for (i = 0; i < 16; i++) {
		__u64 r = draw(s);
		const __u32 dest[3] = { r & 1, r >> 1 & 1, r >> 2 & 1 };

		torus_bgl_header_init(&header, r >> 3 & 1, dest, r >> 4 & 1, (r >> 8) % 256 + 1);
		header.hints = r >> 16 & 1 ? r >> 17 & 0x3f : 0;
		torus_bgl_header_build(ring->ring + (r >> 24) % ring->chunks * chunk_bytes,
				       &header);
	}
}

static void scribble_once(struct scribbler *s)
{
	const struct torus_ioc_info *info = &s->context->info;
	__u64 r = draw(s);
	struct torus_inject_fifo *ring = &s->context->inject[r % info->inject_fifos];
	__u32 *words = (__u32 *)ring->ring;
	__u32 count = info->inject_chunks * info->chunk_bytes / 4, i;

	for (i = 0; i < 32; i++)
		words[draw(s) % count] = (__u32)s->random;
	scribble_headers(s, ring);
	switch (r >> 8 & 7) {
	case 0:
	case 1:
	case 2:
		ring->control->tail = ring->status->head + (r >> 16) % info->inject_chunks;
		break;
	case 3:
		ring->control->tail = (__u32)(r >> 16);
		break;
	case 4:
		s->context->receive[(r >> 16) % info->receive_fifos].control->head =
			(__u32)(r >> 24);
		break;
	case 5:
		for (i = 0; i < info->receive_fifos; i++)
			s->context->receive[i].control->head = s->context->receive[i].status->tail;
		break;
	default:
		words = (__u32 *)s->context->control;
		words[(r >> 16) % (info->page_bytes / 4)] = (__u32)(r >> 32);
		break;
	}
}

/* Make a random call on the context's file. */
static void scribble_calls(struct scribbler *s)
{
	int fd = torus_context_fd(s->context);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT };
	__u64 r = draw(s);
	void *map;

	switch (r & 7) {
	case 0:
		ioctl(fd, (r >> 8) & 0xffffffff, (void *)(uintptr_t)(r >> 16));
		break;
	case 1:
		ioctl(fd, _IOC(r >> 8 & 3, TORUS_IOC_MAGIC, r >> 10 & 7, r >> 13 & 0x3ff),
		      (void *)(uintptr_t)(r >> 32));
		break;
	case 2:
		poll(&poll_fd, 1, 0);
		break;
	case 3:
		map = mmap(NULL, (r >> 8 & 31) << 12, PROT_READ | (r >> 13 & PROT_WRITE),
			   MAP_SHARED, fd, (r >> 16 & 7) << 32 | (r >> 19 & 31) << 24);
		if (map != MAP_FAILED) {
			*(volatile char *)map;
			munmap(map, (r >> 8 & 31) << 12);
		}
		break;
	default:
		ioctl(fd, TORUS_IOC_DOORBELL);
		break;
	}
}

static void *scribbler_thread(void *arg)
{
	struct scribbler *s = arg;
	int i;

	for (;;) {
		for (i = 0; i < 16; i++)
			scribble_once(s);
		scribble_calls(s);
	}
	return NULL;
}

/* Run two threads on one context, so that shared memory changes while the kernel reads it. */
static void scribbler(struct corrupt_shared *shared, __u32 node)
{
	const struct torus_attach_config config = { .priority = true, .inject_chunks = 64 };
	struct scribbler s[2];
	pthread_t thread;

	s[0].random = node;
	s[1].random = ~(__u64)node;
	if (torus_context_attach(&s[0].context, FABRIC, node, &config))
		_exit(1);
	s[1].context = s[0].context;
	__atomic_add_fetch(&shared->attached, 1, __ATOMIC_RELEASE);
	if (pthread_create(&thread, NULL, scribbler_thread, &s[1]))
		_exit(2);
	scribbler_thread(&s[0]);
}

/* Attach and detach repeatedly, and leave random data in the rings each time. */
static void comer(struct corrupt_shared *shared, __u32 node)
{
	struct scribbler s = { .random = node };
	int i;

	__atomic_add_fetch(&shared->attached, 1, __ATOMIC_RELEASE);
	for (;;) {
		int ret = torus_context_attach(&s.context, FABRIC, node, NULL);

		if (ret)
			_exit(1);
		for (i = 0; i < 20; i++)
			scribble_once(&s);
		torus_context_detach(s.context);
	}
}

TEST_F(scribble, beside_a_pair)
{
	pid_t pairs[2], bad[3];
	double until;
	int i;

	for (i = 0; i < 2; i++) {
		pairs[i] = start();
		if (!pairs[i])
			pair(self->shared, i);
	}
	for (i = 0; i < 3; i++) {
		bad[i] = start();
		if (!bad[i] && i < 2)
			scribbler(self->shared, 2 + i);
		if (!bad[i])
			comer(self->shared, 4);
	}
	for (until = now_s() + WAIT_MS / 1000;
	     __atomic_load_n(&self->shared->attached, __ATOMIC_ACQUIRE) < 5 && now_s() < until;)
		usleep(1000);
	for (until = now_s() + SCRIBBLE_S; now_s() < until;)
		usleep(10000);
	/* The processes must still be running. */
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, waitpid(bad[i], NULL, WNOHANG));
		kill(bad[i], SIGKILL);
		status_of(bad[i]);
	}
	__atomic_store_n(&self->shared->over, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, status_of(pairs[i]));
		TH_LOG("rank %d: %u packets right, %u strange ones", i, self->shared->right[i],
		       self->shared->strange[i]);
		EXPECT_LT(0, self->shared->right[i]);
	}
}

TEST_HARNESS_MAIN
